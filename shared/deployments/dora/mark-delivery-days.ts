import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { DomainEvent } from '../../core/values/events.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import type { Deployment } from '../deployments/deployment.entity.js';
import { rebuildDoraOfProject } from '../deployments.jobs.js';
import { formatDay, markStale } from './stale-days.js';
import type { EnvironmentDay } from './stale-days.js';

type DeploymentEvent = DomainEvent<
  'deployment.created' | 'deployment.changed' | 'deployment.deleted' | 'deployment.linked'
>;

/** The day that a deployment counts on; none for one that did not succeed. */
const countedOn = ({
  environment_id,
  status,
  finished_at: finishedAt,
}: Pick<Deployment, 'environment_id' | 'finished_at' | 'status'>): EnvironmentDay[] =>
  status === 'success' && finishedAt ? [{ environment_id, date: formatDay(finishedAt) }] : [];

const getDays = (event: DeploymentEvent): EnvironmentDay[] =>
  event.type === 'deployment.changed'
    ? [...countedOn(event.before), ...countedOn(event.after)]
    : countedOn(event.deployment);

/** Schedules recomputation of the days on which deployments started or stopped counting, or gained merge requests. */
export function markDeploymentDays(ctx: Context<Caller>, events: readonly DeploymentEvent[]): Promise<void> {
  return markStale(ctx, events.flatMap(getDays), ctx.settings.dora_refresh_delay_seconds);
}

/** Schedules recomputation of the days on which deleted merge requests were deployed. */
export async function markMergeRequestDays(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'merge_request.deleted'>[],
): Promise<void> {
  const ids = events.map(({ merge_request: { id } }) => id);
  const deployments = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .deleteFrom('deployment_merge_requests as l')
    .using('deployments as d')
    .where('l.merge_request_id', '=', anyOf(ids, 'bigint'))
    .whereRef('d.id', '=', 'l.deployment_id')
    .returning(['d.environment_id', 'd.status', 'd.finished_at'])
    .execute();
  await markStale(ctx, deployments.flatMap(countedOn), ctx.settings.dora_refresh_delay_seconds);
}

/** Whether another environment may be the one that the project's incidents count at. */
const movesIncidents = (
  event: DomainEvent<'environment.created' | 'environment.updated' | 'environment.deleted'>,
): boolean =>
  event.type === 'environment.updated'
    ? event.before.tier !== event.after.tier
    : event.environment.tier === 'production';

/** Schedules recomputation of all days of projects whose production environments changed. */
export async function rebuildEnvironmentDays(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'environment.created' | 'environment.updated' | 'environment.deleted'>[],
): Promise<void> {
  const ids = new Set(events.filter(movesIncidents).map(({ project }) => project.id));
  await ctx.jobs.sendAll(
    rebuildDoraOfProject,
    [...ids].map((id) => ({ project_id: id })),
  );
}
