import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant, unnestedRows } from '../../core/database/expressions.js';
import type { DomainEvent } from '../../core/values/events.js';
import type { RemovedIssue } from '../../planning/planning.events.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { formatDay, markStale } from './stale-days.js';
import type { EnvironmentDay } from './stale-days.js';

/** A day of a project's incidents. */
interface ProjectDay {
  readonly project_id: number;
  readonly date: string;
}

type Dated = Pick<RemovedIssue, 'project_id' | 'created_at'> & { readonly closed_at?: Date | null };

const day = ({ project_id }: Dated, instant: Date | null | undefined): ProjectDay[] =>
  instant ? [{ project_id, date: formatDay(instant) }] : [];

/** The days on which an incident was opened and closed. */
const bothDays = (issue: Dated): ProjectDay[] => [...day(issue, issue.created_at), ...day(issue, issue.closed_at)];

/** What another state, or becoming an incident or ceasing to be one, changes. */
function changedDays({ issue, changes, closed_before }: DomainEvent<'issue.changed'>): ProjectDay[] {
  if (changes.some(({ attribute }) => attribute === 'issue_type'))
    return [...bothDays(issue), ...day(issue, closed_before)];
  if (issue.issue_type !== 'incident' || !changes.some(({ attribute }) => attribute === 'state')) return [];
  return [...day(issue, issue.closed_at), ...day(issue, closed_before)];
}

type IssueEvent = DomainEvent<'issue.created' | 'issue.changed' | 'issue.moved' | 'issue.cloned' | 'issue.deleted'>;

function getDays(event: IssueEvent): ProjectDay[] {
  if (event.type === 'issue.changed') return changedDays(event);
  const { issue } = 'to' in event ? event.to : event;
  return issue.issue_type === 'incident' ? bothDays(issue) : [];
}

/** The environments that projects' incidents count at: none for a project without one of production. */
async function atEnvironments(ctx: Context<Caller>, days: readonly ProjectDay[]): Promise<EnvironmentDay[]> {
  if (days.length === 0) return [];
  return ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom(unnestedRows(days, { project_id: 'bigint', date: 'text' }).as('d'))
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('environments as e')
        .select('e.id')
        .whereRef('e.project_id', '=', 'd.project_id')
        .where('e.tier', '=', constant('production'))
        .orderBy('e.id')
        .limit(constant(1))
        .as('first'),
    )
    .select(['first.id as environment_id', 'd.date'])
    .distinct()
    .execute();
}

/** Schedules immediate recomputation of the days on which incidents were opened, closed, reopened or deleted. */
export async function markIncidentDays(ctx: Context<Caller>, events: readonly IssueEvent[]): Promise<void> {
  await markStale(ctx, await atEnvironments(ctx, events.flatMap(getDays)), 0);
}

/** The same for incidents that went with their author. */
export async function markRemovedIncidentDays(
  ctx: Context<Caller>,
  events: readonly DomainEvent<'issues.removed'>[],
): Promise<void> {
  const incidents = events.flatMap(({ issues }) => issues).filter((issue) => issue.issue_type === 'incident');
  await markStale(ctx, await atEnvironments(ctx, incidents.flatMap(bothDays)), 0);
}
