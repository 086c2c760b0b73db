import { userIdOf } from '../../core/callers.js';
import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { tellsEach } from './pushed-ref.js';
import type { PushedRef } from './pushed-ref.js';

interface Told extends PushedRef {
  ref_count: number | null;
}

/** Refs of one kind with which the same happened: each by itself, or all as one. */
function tell(refs: readonly PushedRef[]): Told[] {
  const [{ ref_type, action }] = refs as [PushedRef];
  if (tellsEach(refs)) return refs.map((ref) => ({ ...ref, ref_count: null }));
  const together = { ref: null, commit_from: null, commit_to: null, commit_count: 0, commit_title: null };
  return [{ ref_type, action, ...together, ref_count: refs.length }];
}

/**
 * Writes what a push did as events of the project, by whoever pushed: one for each ref, or one for more than three of
 * a kind with which the same happened.
 */
export async function writePushEvents(
  ctx: Context<Caller>,
  projectId: number,
  pushes: readonly PushedRef[],
): Promise<void> {
  const author = userIdOf(ctx.caller);
  if (author === 0) return;
  const groups = Map.groupBy(pushes, ({ ref_type, action }) => `${ref_type} ${action}`);
  const told = [...groups.values()].flatMap(tell);
  if (told.length === 0) return;
  const column = <V>(read: (event: Told) => V) => told.map(read);
  await ctx.query(sql`
    with told as materialized (
      select nextval(pg_get_serial_sequence('events', 'id')) as id, u.*
        from unnest(
          ${column((event) => event.action)}::text[], ${column((event) => event.ref_type)}::text[],
          ${column((event) => event.ref)}::text[], ${column((event) => event.commit_from)}::text[],
          ${column((event) => event.commit_to)}::text[], ${column((event) => event.commit_count ?? 0)}::int[],
          ${column((event) => event.commit_title)}::text[], ${column((event) => event.ref_count)}::int[])
          as u (action, ref_type, ref, commit_from, commit_to, commit_count, commit_title, ref_count)),
    written as (
      insert into events (id, project_id, author_id, action, created_at)
      select t.id, ${projectId}, ${author}, 'pushed', ${ctx.clock.now()} from told t)
    insert into push_event_payloads
      (event_id, project_id, action, ref_type, ref, commit_from, commit_to, commit_count, commit_title, ref_count)
    select t.id, ${projectId}, t.action, t.ref_type, t.ref, t.commit_from, t.commit_to, t.commit_count, t.commit_title,
           t.ref_count
      from told t`);
}
