import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { movePositions } from './move-positions.jobs.js';
import { withOldPositions } from './move-positions.js';

/** Has diff notes follow new versions of their merge requests. */
export async function followVersions(
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
