import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { TooLarge } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import { lockForJob } from '../../merge-requests/merge-request-versions/refresh-version.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { Position } from '../notes/position.js';
import { tracerOf } from './trace-positions.js';
import type { PositionTracer, VersionCommits } from './trace-positions.js';

/** The newest version of merge request `i`, as a position names it. */
const NEWEST = sql`i.head_sha = n.position->>'head_sha' and i.start_sha = n.position->>'start_sha'
  and coalesce(i.base_sha, i.start_sha) = n.position->>'base_sha'`;

/** Merge requests with diff notes that stand in an older version, of these. */
export async function withOldPositions(ctx: Context<Caller>, ids: readonly number[]): Promise<number[]> {
  const rows = await ctx.query<{ id: number }>(sql`
    select i.id as "id" from merge_requests i
     where i.id = any(${ids}::bigint[]) and exists (
       select 1 from notes n where n.merge_request_id = i.id and n.type = 'DiffNote' and not n.outdated
          and n.diff_commit_sha is null and not (${NEWEST}))
     order by i.id`);
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
  /** Null where it is gone. */
  readonly position: Position | null;
}

/** Threads of a merge request that stand in an older version. Of one commit alone are those that stay as they are. */
const oldThreads = (ctx: Context<Caller>, id: number): Promise<Thread[]> =>
  ctx.query<Thread>(sql`
    select distinct on (n.discussion_id) n.discussion_id as "discussion_id", n.position as "position"
      from notes n join merge_requests i on i.id = n.merge_request_id
     where n.merge_request_id = ${id} and n.type = 'DiffNote' and not n.outdated and n.diff_commit_sha is null
       and not (${NEWEST})
     order by n.discussion_id, n.id`);

const suggestionsOf = (ctx: Context<Caller>, threads: readonly Thread[]): Promise<Suggested[]> =>
  ctx.query<Suggested>(sql`
    select s.id as "id", n.discussion_id as "discussion_id", s.lines_above as "lines_above", s.lines_below as "lines_below"
      from notes n join suggestions s on s.note_id = n.id
     where n.discussion_id = any(${threads.map(({ discussion_id: id }) => id)}::text[]) and not s.outdated
       and s.applied_sha is null`);

const versionOf = ({ base_sha, start_sha, head_sha }: VersionCommits): VersionCommits => ({
  base_sha,
  start_sha,
  head_sha,
});

/** Whether the lines of a suggestion are as they were. */
function isKept(
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

/** Where threads are now, and the suggestions whose lines changed. Git is asked once for each older version. */
async function traceThreads(
  ctx: Context<Caller>,
  projectId: number,
  version: VersionCommits,
  threads: readonly Thread[],
): Promise<{ moved: Moved[]; stale: number[] }> {
  const suggested = Map.groupBy(await suggestionsOf(ctx, threads), (one) => one.discussion_id);
  const repository = openRepository(ctx, { id: projectId });
  const byVersion = Map.groupBy(threads, ({ position }) => JSON.stringify(versionOf(position)));
  const moved: Moved[] = [];
  const stale: number[] = [];
  for (const [key, own] of byVersion) {
    ctx.signal.throwIfAborted();
    const tracer = await tracerOf(repository, JSON.parse(key) as VersionCommits, version).catch(withoutTracer);
    if (!tracer) continue;
    for (const thread of own) {
      moved.push({ discussion_id: thread.discussion_id, position: tracer.trace(thread.position) });
      const changed = suggested.get(thread.discussion_id)?.filter((one) => !isKept(tracer, thread, one)) ?? [];
      stale.push(...changed.map(({ id }) => id));
    }
  }
  return { moved, stale };
}

async function writeMoved(ctx: Context<Caller>, id: number, moved: readonly Moved[]): Promise<void> {
  await ctx.query(sql`
    update notes n set position = coalesce(u.position::jsonb, n.position), outdated = u.position is null
      from unnest(${moved.map((one) => one.discussion_id)}::text[],
                  ${moved.map(({ position }) => position && JSON.stringify(position))}::text[]) as u (discussion_id, position)
     where n.discussion_id = u.discussion_id and n.merge_request_id = ${id} and n.type = 'DiffNote'`);
}

/** Resolves threads whose lines are gone, where the project wants that. */
async function resolveGone(ctx: Context<Caller>, projectId: number, gone: readonly string[], userId: number | null) {
  if (gone.length === 0) return;
  await ctx.query(sql`
    update notes n set resolved_at = ${ctx.clock.now()}, resolved_by_id = ${userId}::bigint
      from project_settings s
     where n.discussion_id = any(${gone}::text[]) and n.type is not null and not n.system and n.resolved_at is null
       and s.project_id = ${projectId} and s.resolve_outdated_diff_discussions`);
}

/**
 * Finds where the diff notes of a merge request stand in its newest version: lines that moved are followed, what is gone
 * is outdated and stays where it was (discussions-and-notes.md section 6). Done twice, it changes nothing more.
 */
export async function movePositionsOf(ctx: Context<Caller>, id: number, userId: number | null): Promise<void> {
  const request = await ctx.queryOne<{ project_id: number } & VersionCommits>(sql`
    select i.project_id as "project_id", i.head_sha as "head_sha", i.start_sha as "start_sha",
           coalesce(i.base_sha, i.start_sha) as "base_sha"
      from merge_requests i where i.id = ${id} and i.head_sha is not null`);
  if (!request) return;
  const threads = await oldThreads(ctx, id);
  if (threads.length === 0) return;
  const { moved, stale } = await traceThreads(ctx, request.project_id, versionOf(request), threads);
  await ctx.transaction(async () => {
    const now = await lockForJob(ctx, id);
    // Another version came meanwhile, and a job for it.
    if (now?.head_sha !== request.head_sha || now.start_sha !== request.start_sha) return;
    await writeMoved(ctx, id, moved);
    await ctx.query(sql`update suggestions s set outdated = true where s.id = any(${stale}::bigint[])`);
    const gone = moved.flatMap((one) => (one.position === null ? [one.discussion_id] : []));
    await resolveGone(ctx, request.project_id, gone, userId);
  });
}
