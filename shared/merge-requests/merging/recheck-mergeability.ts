import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { checkMergeability } from '../merge-requests.jobs.js';

/** Merge requests of one job. */
const AT_ONCE = 50;

type Changed = DomainEvent<'merge_request.changed'>;

/** Whether the change makes the known mergeability obsolete. */
const isOpenAnew = ({ changes }: Changed): boolean =>
  changes.some(
    (change) => change.attribute === 'target_branch' || (change.attribute === 'state' && change.to !== 'closed'),
  );

/** Queues mergeability checks for the merge requests whose mergeability is unknown. */
export async function recheckMergeability(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'merge_requests.unchecked' | 'merge_request.changed'>[],
): Promise<void> {
  const changed = events.flatMap((event) =>
    event.type === 'merge_request.changed' && isOpenAnew(event) ? [event.merge_request.id] : [],
  );
  if (changed.length > 0)
    await ctx.em
      .getKysely<MergeRequestsDatabase>()
      .updateTable('merge_requests')
      .set({ merge_status: constant('unchecked') })
      .where('id', '=', anyOf(changed, 'bigint'))
      .where('state', '=', constant('opened'))
      .execute();
  const unchecked = events.flatMap((event) => (event.type === 'merge_requests.unchecked' ? event.ids : []));
  const ids = [...new Set([...changed, ...unchecked])];
  const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, part) =>
    ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
  await ctx.jobs.sendAll(
    checkMergeability,
    parts.map((some) => ({ ids: some })),
  );
}
