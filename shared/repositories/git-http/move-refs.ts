import { sql } from 'kysely';
import type { SignedInContext } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { MOST_REFS, RefConflict, takeOver } from '../../git/index.js';
import type { PushedObject, QuarantinedRepository } from '../../git/index.js';
import { unbornBranch, makeDefaultBranch } from '../repositories/default-branch.js';
import type { RefMove } from '../repositories/ref-rules.js';
import { findWriteRejections } from '../repositories/ref-rules.js';
import { RepositoryRef } from '../repositories/repository-ref.entity.js';
import { shortRef } from '../repositories/repository-ref.finder.js';
import { writeRefs } from '../repositories/write-refs.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { findToPushAgain } from './find-to-push.js';
import { isBranch, isWritten, isOther } from './pending-refs.js';
import type { PendingRef, PendingRefs } from './pending-refs.js';
import { pushedRefs } from './push-counts.js';
import type { CommitCounts } from './push-counts.js';
import { ABSENT, BESIDE, CHANGED, REJECTION_MESSAGES, TOO_MANY_OTHERS, TRY_AGAIN } from './push-rejections.js';

/** Data of a push, collected before its refs move. */
export interface PreparedPush {
  project: ProjectRecord;
  refs: PendingRefs;
  /** Null where nothing is made or moved. */
  quarantine: QuarantinedRepository | null;
  objects: ReadonlyMap<string, PushedObject>;
  counts: CommitCounts;
  /** `--push-option` of the client. */
  options: readonly string[];
  /** Branches with a fast-forward update, among the checked ones. */
  forward: ReadonlySet<string>;
}

/** Maximum number of retries, each without the refs that git refused before. */
const MOST_TRIES = 20;

/**
 * Refuses refs whose current value is not the one that the client expects. Their rows stay locked until the push is
 * done.
 */
async function compare(ctx: SignedInContext, project: ProjectRecord, refs: readonly PendingRef[]): Promise<void> {
  const names = refs.map(({ ref }) => ref);
  const rows = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('repository_refs as r')
    .select(['r.full_name', 'r.object_sha'])
    .where('r.project_id', '=', project.id)
    .where('r.full_name', '=', anyOf(names, 'text'))
    .orderBy('r.full_name')
    .forUpdate()
    .execute();
  const held = new Map(rows.map((row) => [row.full_name, row.object_sha]));
  for (const ref of refs) {
    const now = held.get(ref.ref) ?? null;
    if (now !== ref.old) ref.rejection = now === null && ref.new === null ? ABSENT : CHANGED;
  }
}

/** Names such as `a` for `a/b`: the parent folders of a name. */
function getFolders(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(3).map((_, index) => parts.slice(0, index + 3).join('/'));
}

/** Which of some names refs of a project have, and of others, in which folders they lie. */
function namesInUse(
  ctx: SignedInContext,
  project: ProjectRecord,
  names: readonly string[],
  folders: readonly string[],
): Promise<{ name: string }[]> {
  const db = ctx.em.getKysely<RepositoriesDatabase>();
  const refs = db.selectFrom('repository_refs as r').where('r.project_id', '=', project.id);
  const inFolders = refs
    .crossJoinLateral((eb) =>
      db.selectNoFrom(eb.fn<string[]>('string_to_array', ['r.full_name', constant('/')]).as('parts')).as('p'),
    )
    .crossJoinLateral((eb) =>
      eb
        .selectFrom(
          sql<{ last: number }>`generate_series(3, cardinality(${eb.ref('p.parts')}) - 1)`.as<'n'>(sql`n(last)`),
        )
        .select(sql<string>`array_to_string(${eb.ref('p.parts')}[1:n.last], '/')`.as('folder'))
        .as('f'),
    )
    .select('f.folder as name')
    .where('f.folder', '=', anyOf(folders, 'text'));
  return refs.select('r.full_name as name').where('r.full_name', '=', anyOf(names, 'text')).union(inFolders).execute();
}

/** Refuses new names that conflict with existing ones, or with each other, in git's folder structure. */
async function requireRoom(ctx: SignedInContext, project: ProjectRecord, refs: readonly PendingRef[]): Promise<void> {
  const news = refs.filter(({ old }) => old === null);
  if (news.length === 0) return;
  const names = news.map(({ ref }) => ref);
  const folders = [...new Set(names.flatMap(getFolders))];
  const existing = await namesInUse(ctx, project, folders, names);
  const allNames = new Set([...existing.map(({ name }) => name), ...names]);
  const asFolders = new Set([...existing.map(({ name }) => name), ...folders]);
  for (const ref of news)
    if (getFolders(ref.ref).some((folder) => allNames.has(folder)) || asFolders.has(ref.ref)) ref.rejection = BESIDE;
}

/** Refuses new refs that are neither branches nor tags where the project has as many as it may. */
async function requireFewOthers(ctx: SignedInContext, project: ProjectRecord, refs: readonly PendingRef[]) {
  const news = refs.filter((ref) => isOther(ref) && ref.old === null && ref.new !== null);
  if (news.length === 0) return;
  const count = await ctx.em.count(RepositoryRef, { project_id: project.id, kind: 'other' });
  const room = Math.max(0, MOST_REFS - count);
  for (const ref of news.slice(room)) ref.rejection ??= TOO_MANY_OTHERS;
}

function moveOf(ref: PendingRef, forward: ReadonlySet<string>): RefMove {
  if (ref.new === null) return 'gone';
  if (ref.old === null) return 'new';
  // Branches that were not checked may have been moved anywhere.
  return forward.has(ref.ref) ? 'forward' : 'forced';
}

/** Refuses refs that the rules do not allow the caller to move. */
async function judge(
  ctx: SignedInContext,
  project: ProjectRecord,
  refs: readonly PendingRef[],
  forward: ReadonlySet<string>,
) {
  const writes = refs.map((ref) => ({ fullName: ref.ref, move: moveOf(ref, forward) }));
  const rejections = await findWriteRejections(ctx, project, writes);
  refs.forEach((ref, index) => {
    const rejection = rejections[index];
    if (rejection) ref.rejection = REJECTION_MESSAGES[rejection];
  });
}

/** The first push chooses the default branch: the one configured in the project, otherwise the first in the push. */
async function chooseDefault(ctx: SignedInContext, project: ProjectRecord, refs: readonly PendingRef[]): Promise<void> {
  if (project.default_branch !== null) return;
  const branches = refs.filter((ref) => isWritten(ref) && isBranch(ref)).map(({ ref }) => shortRef(ref));
  if (branches.length === 0) return;
  const wished = await unbornBranch(ctx, project);
  await makeDefaultBranch(ctx, project, branches.includes(wished) ? wished : branches[0]!);
}

/** Moves the refs that may move and records rejections for the others. @returns full names of the moved refs */
async function attempt(ctx: SignedInContext, prepared: PreparedPush): Promise<readonly PendingRef[]> {
  const { refs, quarantine, objects, counts, forward } = prepared;
  const project = await findToPushAgain(ctx, prepared.project);
  for (const step of [compare, requireRoom, requireFewOthers, judge]) await step(ctx, project, refs.open, forward);
  const { open } = refs;
  if (open.length === 0) return open;
  if (quarantine) await takeOver(quarantine);
  await chooseDefault(ctx, project, open);
  const pushes = pushedRefs(open, objects, await counts.of(open));
  ctx.record({ type: 'repository.pushed', project_id: project.id, refs: open.length, pushes });
  const changes = open.map((ref) => {
    const object = ref.new === null ? undefined : objects.get(ref.new);
    const to = object && { object_sha: ref.new!, target_sha: object.commit ?? ref.new!, date: object.date };
    return { fullName: ref.ref, from: ref.old, to: to ?? null };
  });
  await writeRefs(ctx, project, changes, { pushOptions: prepared.options });
  return open;
}

/**
 * Moves the refs of a push, in one transaction, as the caller and with current permissions. Refs refused by rules or by
 * git get a rejection; all others are updated.
 * @throws NotFound, Forbidden if the caller may no longer push; errors of the transaction
 */
export async function moveRefs(ctx: SignedInContext, prepared: PreparedPush): Promise<void> {
  const { refs } = prepared;
  for (let tries = 0; refs.open.length > 0; tries += 1) {
    if (tries === MOST_TRIES) return refs.rejectAll(TRY_AGAIN);
    try {
      await ctx.transaction(() => attempt(ctx, prepared));
      return undefined;
    } catch (error) {
      const rejectedRef = error instanceof RefConflict && refs.open.find(({ ref }) => ref === error.ref);
      if (!rejectedRef) throw error;
      rejectedRef.rejection =
        error.reason === 'name_conflict' ? BESIDE : error.reason === 'locked' ? TRY_AGAIN : CHANGED;
    }
  }
  return undefined;
}
