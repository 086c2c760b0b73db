import { expressionBuilder } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { Aliased } from '../../core/database/tables.js';
import { TooLarge } from '../../core/values/errors.js';
import { anyOf, constant, unnestedRows } from '../../core/database/expressions.js';
import { lockForJob } from '../../merge-requests/merge-request-versions/refresh-version.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { NotesDatabase } from '../notes.entities.js';
import type { Position } from '../notes/position.js';
import type { DomainEvent } from '../../core/values/events.js';
import { movePositions } from '../notes.jobs.js';
import { createPositionTracer } from './trace-positions.js';
import type { PositionTracer, VersionCommits } from './trace-positions.js';

const onDiffNotes = expressionBuilder<Aliased<NotesDatabase, { n: 'notes'; i: 'merge_requests' }>, 'i' | 'n'>();

const getSha = (name: keyof VersionCommits) => onDiffNotes.ref('n.position', '->>').key(name);

/** Whether note `n` is positioned in the newest version of merge request `i`. */
const isNewest = onDiffNotes.and([
  onDiffNotes('i.head_sha', '=', getSha('head_sha')),
  onDiffNotes('i.start_sha', '=', getSha('start_sha')),
  onDiffNotes(onDiffNotes.fn.coalesce('i.base_sha', 'i.start_sha'), '=', getSha('base_sha')),
]);

/** Whether note `n` is positioned in an older version. Notes on a single commit stay unchanged. */
const isOld = onDiffNotes.and([
  onDiffNotes('n.type', '=', constant('DiffNote')),
  onDiffNotes.not(onDiffNotes.ref('n.outdated')),
  onDiffNotes('n.diff_commit_sha', 'is', null),
  onDiffNotes.not(isNewest),
]);

/** The merge requests among these that have diff notes positioned in an older version. */
async function withOldPositions(ctx: Context<Caller>, ids: readonly number[]): Promise<number[]> {
  const rows = await ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('merge_requests as i')
    .select('i.id')
    .where('i.id', '=', anyOf(ids, 'bigint'))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('notes as n')
          .select(eb.lit(1).as('one'))
          .whereRef('n.merge_request_id', '=', 'i.id')
          .where(isOld),
      ),
    )
    .orderBy('i.id')
    .execute();
  return rows.map(({ id }) => id);
}

interface Thread {
  readonly discussion_id: string;
  readonly position: Position;
}

/** Suggestions of a thread, with the lines that they are about. */
interface Suggested {
  readonly id: number;
  readonly discussion_id: string;
  readonly lines_above: number;
  readonly lines_below: number;
}

interface Moved {
  readonly discussion_id: string;
  /** Null if it no longer exists. */
  readonly position: Position | null;
}

/** Threads of a merge request that are positioned in an older version. */
const oldThreads = (ctx: Context<Caller>, id: number): Promise<Thread[]> =>
  ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('notes as n')
    .innerJoin('merge_requests as i', 'i.id', 'n.merge_request_id')
    .distinctOn('n.discussion_id')
    .select(['n.discussion_id', 'n.position'])
    .where('n.merge_request_id', '=', id)
    .where(isOld)
    .orderBy('n.discussion_id')
    .orderBy('n.id')
    .$narrowType<{ position: Position }>()
    .execute();

const getSuggestions = (ctx: Context<Caller>, threads: readonly Thread[]): Promise<Suggested[]> => {
  const ids = threads.map(({ discussion_id: id }) => id);
  return ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('notes as n')
    .innerJoin('suggestions as s', 's.note_id', 'n.id')
    .select(['s.id', 'n.discussion_id', 's.lines_above', 's.lines_below'])
    .where('n.discussion_id', '=', anyOf(ids, 'text'))
    .where((eb) => eb.not(eb.ref('s.outdated')))
    .where('s.applied_sha', 'is', null)
    .execute();
};

const getVersion = ({ base_sha, start_sha, head_sha }: VersionCommits): VersionCommits => ({
  base_sha,
  start_sha,
  head_sha,
});

/** Whether the lines of a suggestion are as they were. */
function isUnchanged(
  tracer: PositionTracer,
  { position }: Thread,
  { lines_above: above, lines_below: below }: Suggested,
): boolean {
  if (position.position_type !== 'text' || position.new_line === null) return false;
  return tracer.keeps(position.new_path, position.new_line - above, position.new_line + below);
}

/** Threads stay where they are in a version that is too large to be compared: their lines need not be gone. */
function withoutTracer(error: unknown): null {
  if (error instanceof TooLarge) return null;
  throw error;
}

/** The current positions of threads, and the suggestions whose lines changed. Runs git once for each older version. */
async function traceThreads(
  ctx: Context<Caller>,
  projectId: number,
  version: VersionCommits,
  threads: readonly Thread[],
): Promise<{ moved: Moved[]; stale: number[] }> {
  const suggested = Map.groupBy(await getSuggestions(ctx, threads), (one) => one.discussion_id);
  const repository = openRepository(ctx, { id: projectId });
  const byVersion = Map.groupBy(threads, ({ position }) => JSON.stringify(getVersion(position)));
  const moved: Moved[] = [];
  const stale: number[] = [];
  for (const [key, own] of byVersion) {
    ctx.signal.throwIfAborted();
    const tracer = await createPositionTracer(repository, JSON.parse(key) as VersionCommits, version).catch(
      withoutTracer,
    );
    if (!tracer) continue;
    for (const thread of own) {
      moved.push({ discussion_id: thread.discussion_id, position: tracer.trace(thread.position) });
      const changed = suggested.get(thread.discussion_id)?.filter((one) => !isUnchanged(tracer, thread, one)) ?? [];
      stale.push(...changed.map(({ id }) => id));
    }
  }
  return { moved, stale };
}

async function writeMoved(ctx: Context<Caller>, id: number, moved: readonly Moved[]): Promise<void> {
  const rows = moved.map(({ discussion_id, position }) => ({
    discussion_id,
    position: position && JSON.stringify(position),
  }));
  await ctx.em
    .getKysely<NotesDatabase>()
    .updateTable('notes as n')
    .from(unnestedRows(rows, { discussion_id: 'text', position: 'text' }).as('u'))
    .set((eb) => ({
      position: eb.fn.coalesce(eb.cast<Position>('u.position', 'jsonb'), 'n.position'),
      outdated: eb('u.position', 'is', null).$castTo<boolean>(),
    }))
    .whereRef('n.discussion_id', '=', 'u.discussion_id')
    .where('n.merge_request_id', '=', id)
    .where('n.type', '=', constant('DiffNote'))
    .execute();
}

/** Resolves threads whose lines no longer exist, if the project has this setting. */
async function resolveGone(ctx: Context<Caller>, projectId: number, gone: readonly string[], userId: number | null) {
  if (gone.length === 0) return;
  await ctx.em
    .getKysely<NotesDatabase>()
    .updateTable('notes as n')
    .from('project_settings as s')
    .set({ resolved_at: ctx.clock.now(), resolved_by_id: userId })
    .where('n.discussion_id', '=', anyOf(gone, 'text'))
    .where('n.type', 'is not', null)
    .where((eb) => eb.not(eb.ref('n.system')))
    .where('n.resolved_at', 'is', null)
    .where('s.project_id', '=', projectId)
    .where((eb) => eb.ref('s.resolve_outdated_diff_discussions'))
    .execute();
}

/**
 * Recalculates the positions of a merge request's diff notes for its newest version: moved lines are followed; notes on
 * removed lines become outdated and keep their position (discussions-and-notes.md section 6). Idempotent.
 */
export async function movePositionsOf(ctx: Context<Caller>, id: number, userId: number | null): Promise<void> {
  const request = await ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('merge_requests as i')
    .select((eb) => [
      'i.project_id',
      'i.head_sha',
      'i.start_sha',
      eb.fn.coalesce('i.base_sha', 'i.start_sha').as('base_sha'),
    ])
    .where('i.id', '=', id)
    .where('i.head_sha', 'is not', null)
    .$castTo<{ project_id: number } & VersionCommits>()
    .executeTakeFirst();
  if (!request) return;
  const threads = await oldThreads(ctx, id);
  if (threads.length === 0) return;
  const { moved, stale } = await traceThreads(ctx, request.project_id, getVersion(request), threads);
  await ctx.transaction(async () => {
    const now = await lockForJob(ctx, id);
    // Another version came meanwhile, and a job for it.
    if (now?.head_sha !== request.head_sha || now.start_sha !== request.start_sha) return;
    await writeMoved(ctx, id, moved);
    await ctx.em
      .getKysely<NotesDatabase>()
      .updateTable('suggestions')
      .set({ outdated: true })
      .where('id', '=', anyOf(stale, 'bigint'))
      .execute();
    const gone = moved.flatMap((one) => (one.position === null ? [one.discussion_id] : []));
    await resolveGone(ctx, request.project_id, gone, userId);
  });
}

/** Has diff notes follow new versions of their merge requests. */
export async function updatePositions(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'merge_requests.unchecked'>[],
): Promise<void> {
  const userId = ctx.caller.kind === 'user' ? ctx.caller.id : null;
  for (const { project_id, ids } of events) {
    const old = await withOldPositions(ctx, ids);
    await ctx.jobs.sendAll(
      movePositions,
      old.map((merge_request_id) => ({ project_id, merge_request_id, user_id: userId })),
    );
  }
}
