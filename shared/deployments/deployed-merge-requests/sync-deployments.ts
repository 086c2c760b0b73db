import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { DomainEvent } from '../../core/values/events.js';
import { linkDeployedMergeRequests } from '../deployments.jobs.js';

/** Folders contain review apps: deployments there have not reached users. */
const isReviewed = ({ name }: { name: string }): boolean => name.includes('/');

/** Has merge requests linked to what became a success, in the transaction of that, and unlinked from what was one. */
export async function syncDeployments(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'deployment.created' | 'deployment.changed'>[],
): Promise<void> {
  const concerned = events.filter((event) => {
    const now = event.type === 'deployment.created' ? event.deployment.status : event.after.status;
    const before = event.type === 'deployment.created' ? null : event.before.status;
    return !isReviewed(event.environment) && (now === 'success') !== (before === 'success');
  });
  if (concerned.length === 0) return;
  await ctx.jobs.sendAll(
    linkDeployedMergeRequests,
    concerned.map((event) => ({
      deployment_id: event.type === 'deployment.created' ? event.deployment.id : event.after.id,
    })),
  );
}
