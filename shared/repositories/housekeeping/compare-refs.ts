import { expressionBuilder } from 'kysely';
import type { Queryable } from '../../core/database/database.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { indexableRefs, mayCreateRef } from '../../git/index.js';
import { kindOfRef } from '../repositories/repository-ref.finder.js';
import type { RefChange } from '../repositories/write-refs.js';
import { toSeconds } from '../repositories/write-refs.js';

interface Indexed {
  full_name: string;
  object_sha: string;
  target_sha: string;
}

/** How the index of a repository has to change to be equal to git, and what of git it never has. */
export interface Difference {
  changes: readonly RefChange[];
  /** Full names of branches and tags that the service does not show: no name that may come in, or no commit behind it. */
  unfit: readonly string[];
  /** Full names of the branches that git has. */
  branches: readonly string[];
}

/**
 * Compares the index of a project's branches and tags with what git has. One process and one statement.
 * @param repository where the project's repository lies
 * @throws RepositoryMissing, GitFailed
 */
export async function compareIndexWithGit(
  db: Queryable,
  project: { id: number },
  repository: string,
): Promise<Difference> {
  const [refs, indexed] = await Promise.all([
    indexableRefs(repository),
    db.query<Indexed>(
      expressionBuilder<RepositoriesDatabase>()
        .selectFrom('repository_refs as r')
        .select(['r.full_name', 'r.object_sha', 'r.target_sha'])
        .where('r.project_id', '=', project.id),
    ),
  ]);
  const gone = new Map(indexed.map((row) => [row.full_name, row]));
  const changes: RefChange[] = [];
  const unfit: string[] = [];
  const branches: string[] = [];
  for (const { name: fullName, sha, target, created_at } of refs) {
    const points = kindOfRef(fullName) === 'other' ? (target ?? sha) : target;
    if (points === null || !mayCreateRef(fullName)) {
      unfit.push(fullName);
      continue;
    }
    if (fullName.startsWith('refs/heads/')) branches.push(fullName);
    const row = gone.get(fullName);
    gone.delete(fullName);
    if (row?.object_sha === sha && row.target_sha === points) continue;
    const to = { object_sha: sha, target_sha: points, date: toSeconds(created_at) };
    changes.push({ fullName, from: row?.object_sha ?? null, to });
  }
  for (const { full_name: fullName, object_sha: from } of gone.values()) changes.push({ fullName, from, to: null });
  return { changes, unfit, branches };
}
