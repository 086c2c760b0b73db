import { columns } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Queryable } from '../../core/database/database.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { isValidBranchName } from '../../git/index.js';
import { RepositoryRef } from './repository-ref.entity.js';

const getRef = prepareQuery<RepositoriesDatabase, { project_id: number; full_name: string }, RepositoryRef>(
  (db, { project_id: projectId, full_name: fullName }) =>
    db
      .selectFrom('repository_refs as r')
      .select(columns(RepositoryRef, 'r'))
      .where('r.project_id', '=', projectId)
      .where('r.full_name', '=', fullName),
);

/** The ref of that full name (`refs/heads/main`), or null. */
export async function findRef(db: Queryable, projectId: number, fullName: string): Promise<RepositoryRef | null> {
  const [ref] = await getRef(db, { project_id: projectId, full_name: fullName });
  return ref ?? null;
}

/** The ref that a caller's short name resolves to in a project. */
export type Expansion = { fullName: string } | 'ambiguous';

/** Two look-ups in the unique index: for one with both names a prepared plan reads all refs of the project, since most have few. */
const branchOrTag = prepareQuery<
  RepositoriesDatabase,
  { project_id: number; branch: string; tag: string },
  { full_name: string }
>((db, { project_id: projectId, branch, tag }) => {
  const refs = db.selectFrom('repository_refs as r').select('r.full_name').where('r.project_id', '=', projectId);
  return refs.where('r.full_name', '=', branch).unionAll(refs.where('r.full_name', '=', tag));
});

/**
 * Expands a short ref to a full one (pipeline-schedules.md section 4): a full one is returned unchanged, without
 * checking whether it exists; a short one must match exactly one of branch and tag. Invalid names, such as a commit's
 * id, match none.
 */
export async function expandRef(db: Queryable, projectId: number, ref: string): Promise<Expansion> {
  if (/^refs\/(heads|tags)\/./.test(ref)) return { fullName: ref };
  if (!isValidBranchName(ref)) return 'ambiguous';
  const names = { branch: `refs/heads/${ref}`, tag: `refs/tags/${ref}` };
  const found = await branchOrTag(db, { project_id: projectId, ...names });
  return found.length === 1 && found[0] ? { fullName: found[0].full_name } : 'ambiguous';
}

/** Refs such as `refs/notes` are `other`: stored and fetched, but neither branch nor tag. */
export type IndexedKind = 'branch' | 'tag' | 'other';

/** The kind of a ref by its full name. */
export function kindOfRef(fullName: string): IndexedKind {
  if (fullName.startsWith('refs/heads/')) return 'branch';
  return fullName.startsWith('refs/tags/') ? 'tag' : 'other';
}

/** `refs/heads/feature/x` to `feature/x`. */
export function shortRef(fullName: string): string {
  return fullName.replace(/^refs\/(heads|tags)\//, '');
}

export function isTagRef(fullName: string): boolean {
  return fullName.startsWith('refs/tags/');
}
