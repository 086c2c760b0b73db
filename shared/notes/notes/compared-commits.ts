import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { constant } from '../../core/database/expressions.js';
import { emptyTree, isFullId } from '../../git/index.js';
import { findCommit } from '../../repositories/commits/commit.operations.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Noteable } from '../noteables/noteable.js';
import type { NotesDatabase } from '../notes.entities.js';
import { InvalidNote } from './note.rules.js';

/** The error for a position outside the diff, with the public API's two messages. */
export const noLine = () => new InvalidNote('line_code', "can't be blank", 'must be a valid line code');

/** Two compared commits, and the head of the branch that the second one is to be merged into. */
export interface Compared {
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
}

/** Whether the range is the change of one commit: compared with a parent, or the root commit with the empty tree. */
async function isOwnChange(ctx: Context, project: ProjectRecord, { base_sha, start_sha, head_sha }: Compared) {
  if (start_sha !== base_sha) return false;
  const commit = await findCommit(ctx, project, head_sha).catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (!commit) return false;
  return commit.parent_ids.length === 0 ? base_sha === emptyTree : commit.parent_ids.includes(base_sha);
}

/** Maximum number of versions of a merge request to check, newest first. */
const MOST_VERSIONS = 1000;

/** Whether the range is a change of the merge request: in a version, between two versions, or in a commit. */
async function isOfMergeRequest(ctx: Context, { id, container }: Noteable, compared: Compared): Promise<boolean> {
  const { base_sha: base, start_sha: start, head_sha: head } = compared;
  const db = ctx.em.getKysely<NotesDatabase>();
  const versions = await db
    .selectFrom('merge_request_versions as v')
    .select((eb) => [
      eb.fn.coalesce('v.base_sha', 'v.start_sha').as('base'),
      'v.start_sha as start',
      'v.head_sha as head',
    ])
    .where('v.merge_request_id', '=', id)
    .orderBy('v.id', 'desc')
    .limit(MOST_VERSIONS)
    .execute();
  const isVersion = versions.some((one) => one.base === base && one.start === start && one.head === head);
  const isHead = (sha: string) => versions.some((one) => one.head === sha);
  if (isVersion || (start === base && isHead(start) && isHead(head))) return true;
  const commit = await db
    .selectFrom('merge_request_version_commits as c')
    .innerJoin('merge_request_versions as v', 'v.id', 'c.version_id')
    .select('c.sha')
    .where('v.merge_request_id', '=', id)
    .where('c.sha', '=', head)
    .limit(constant(1))
    .executeTakeFirst();
  return commit !== undefined && isOwnChange(ctx, container.record as ProjectRecord, compared);
}

/**
 * That the commits of a position are of what it is about: no others are compared, whatever git has of them.
 * @throws InvalidNote
 */
export async function requireRange(ctx: Context, noteable: Noteable, compared: Compared): Promise<void> {
  const ids = [compared.base_sha, compared.start_sha, compared.head_sha];
  const { type, container, sha } = noteable;
  const own =
    ids.every(isFullId) &&
    (type.kind === 'merge_request'
      ? await isOfMergeRequest(ctx, noteable, compared)
      : compared.head_sha === sha && (await isOwnChange(ctx, container.record as ProjectRecord, compared)));
  if (!own) throw noLine();
}
