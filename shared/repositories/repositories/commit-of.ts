import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { constant, unnested } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { isFullId, resolveCommit } from '../../git/index.js';
import { openRepository } from './write-refs.js';

/** Each by the unique index: as a list, a prepared plan would read all refs of the project, since most have few. */
const getTargets = prepareQuery<
  RepositoriesDatabase,
  { project_id: number; names: string[] },
  { full_name: string; target_sha: string }
>((db, { project_id: projectId, names }) =>
  db
    .selectFrom(unnested(names, 'text').as('requested'))
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('repository_refs as r')
        .select(['r.full_name', 'r.target_sha'])
        .where('r.project_id', '=', projectId)
        .whereRef('r.full_name', '=', 'requested.value')
        .where('r.kind', '<>', constant('other'))
        .limit(constant(1))
        .as('ref'),
    )
    .select(['ref.full_name', 'ref.target_sha']),
);

/** The full names that a reference may resolve to, most likely first; a full name resolves only to itself. */
function getNames(found: ProjectRecord, reference: string): string[] {
  if (reference === 'HEAD') return found.default_branch === null ? [] : [`refs/heads/${found.default_branch}`];
  return reference.startsWith('refs/') ? [reference] : [`refs/heads/${reference}`, `refs/tags/${reference}`];
}

const isIdLike = (reference: string) => /^[0-9a-f]{4,39}$/i.test(reference);

/**
 * The commits that branch names, tag names, full refs or ids mean here, `HEAD` the default branch's; null for what means none. A full id
 * is a commit, whatever a branch is called that came in when such names could. One statement, and a process for each id.
 */
export async function loadCommitShas(
  ctx: Context,
  found: ProjectRecord,
  references: readonly string[],
): Promise<Map<string, string | null>> {
  const commits = new Map<string, string | null>(references.map((reference) => [reference, null]));
  if (!found.repository_created) return commits;
  const shortReferences = [...commits.keys()].filter((reference) => !isFullId(reference));
  const targets = new Map<string, string>();
  if (shortReferences.length > 0) {
    const names = shortReferences.flatMap((reference) => getNames(found, reference));
    const refs = await getTargets(ctx, { project_id: found.id, names });
    for (const ref of refs) targets.set(ref.full_name, ref.target_sha);
  }
  for (const reference of commits.keys()) {
    const name = isFullId(reference) ? undefined : getNames(found, reference).find((one) => targets.has(one));
    if (name !== undefined) commits.set(reference, targets.get(name)!);
    else if (isFullId(reference) || isIdLike(reference))
      commits.set(reference, await resolveCommit(openRepository(ctx, found), reference));
  }
  return commits;
}

/** The same for one of them. */
export async function loadCommitSha(ctx: Context, found: ProjectRecord, reference: string): Promise<string | null> {
  return (await loadCommitShas(ctx, found, [reference])).get(reference) ?? null;
}

/** @throws NotFound "404 Commit Not Found" */
export async function requireCommit(ctx: Context, found: ProjectRecord, reference: string): Promise<string> {
  const sha = await loadCommitSha(ctx, found, reference);
  if (sha === null) throw new NotFound('Commit');
  return sha;
}
