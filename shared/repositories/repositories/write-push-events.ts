import { getUserId } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant, unnestedRows } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { eachHasEvent } from './pushed-ref.js';
import type { PushedRef } from './pushed-ref.js';

interface PushEvent extends PushedRef {
  ref_count: number | null;
}

/** Refs of one kind with which the same happened: each by itself, or all as one. */
function describePushes(refs: readonly PushedRef[]): PushEvent[] {
  const [{ ref_type, action }] = refs as [PushedRef];
  if (eachHasEvent(refs)) return refs.map((ref) => ({ ...ref, ref_count: null }));
  const together = { ref: null, commit_from: null, commit_to: null, commit_count: 0, commit_title: null };
  return [{ ref_type, action, ...together, ref_count: refs.length }];
}

/**
 * Writes a push as events of the project, by the pushing user: one for each ref, or one for more than three of a kind
 * with the same action.
 */
export async function writePushEvents(
  ctx: Context<Caller>,
  projectId: number,
  pushes: readonly PushedRef[],
): Promise<void> {
  const author = getUserId(ctx.caller);
  if (author === 0) return;
  const groups = Map.groupBy(pushes, ({ ref_type, action }) => `${ref_type} ${action}`);
  const events = [...groups.values()]
    .flatMap(describePushes)
    .map((one) => ({ ...one, commit_count: one.commit_count ?? 0 }));
  if (events.length === 0) return;
  const types = {
    action: 'text',
    ref_type: 'text',
    ref: 'text',
    commit_from: 'text',
    commit_to: 'text',
    commit_count: 'int',
    commit_title: 'text',
    ref_count: 'int',
  } as const;
  const names = [
    'action',
    'ref_type',
    'ref',
    'commit_from',
    'commit_to',
    'commit_count',
    'commit_title',
    'ref_count',
  ] as const;
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .with(
      (cte) => cte('numbered').materialized(),
      (db) =>
        db.selectFrom(unnestedRows(events, types).as('u')).select((eb) => {
          const sequence = eb.fn<string>('pg_get_serial_sequence', [constant('events'), constant('id')]);
          return [eb.fn<number>('nextval', [sequence]).as('id'), ...names];
        }),
    )
    .with('written', (db) =>
      db
        .insertInto('events')
        .columns(['id', 'project_id', 'author_id', 'action', 'created_at'])
        .expression((eb) =>
          eb
            .selectFrom('numbered as t')
            .select([
              't.id',
              eb.val(projectId).as('project_id'),
              eb.val(author).as('author_id'),
              constant('pushed').as('action'),
              eb.val(ctx.clock.now()).as('created_at'),
            ]),
        ),
    )
    .insertInto('push_event_payloads')
    .columns(['event_id', 'project_id', ...names])
    .expression((eb) =>
      eb.selectFrom('numbered as t').select(['t.id as event_id', eb.val(projectId).as('project_id'), ...names]),
    )
    .execute();
}
