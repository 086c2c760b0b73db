import { sql } from 'kysely';
import type { Stage } from '../../core/stage.js';
import type { StoredRow } from './dora-steps.js';

interface History {
  environments: { id: number; tier: string }[];
  deployments: { id: number; environment_id: number; finished_at: Date }[];
  links: { deployment_id: number; merged_at: Date }[];
  incidents: { created_at: Date; closed_at: Date | null; state: string }[];
}

async function loadHistory(app: Stage, { id }: { id: number }): Promise<History> {
  const ctx = app.context();
  return {
    environments: await ctx.query(sql`
      select id as "id", tier as "tier" from environments where project_id = ${id} order by id`),
    deployments: await ctx.query(sql`
      select id as "id", environment_id as "environment_id", finished_at as "finished_at" from deployments
       where project_id = ${id} and status = 'success' and finished_at is not null`),
    links: await ctx.query(sql`
      select l.deployment_id as "deployment_id", m.merged_at as "merged_at"
        from deployment_merge_requests l join merge_requests m on m.id = l.merge_request_id
       where l.project_id = ${id} and m.merged_at is not null`),
    incidents: await ctx.query(sql`
      select created_at as "created_at", closed_at as "closed_at", state as "state" from issues
       where project_id = ${id} and issue_type = 'incident'`),
  };
}

const getDay = (instant: Date) => instant.toISOString().slice(0, 10);

function median(values: number[]): number | null {
  const sorted = values.sort((one, other) => one - other);
  const { length } = sorted;
  if (length === 0) return null;
  const upper = sorted[length / 2] ?? Number.NaN;
  return length % 2 === 1 ? (sorted[(length - 1) / 2] as number) : ((sorted[length / 2 - 1] as number) + upper) / 2;
}

const seconds = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;

/** The rows of a project as specified in dora.md section 3, one environment and day at a time. */
export async function naiveRows(app: Stage, project: { id: number }): Promise<StoredRow[]> {
  const { environments, deployments, links, incidents } = await loadHistory(app, project);
  const first = environments.find(({ tier }) => tier === 'production');
  const closed = incidents.filter(({ state, closed_at }) => state === 'closed' && closed_at);
  const rows: StoredRow[] = [];
  for (const { id, tier } of environments) {
    const own = deployments.filter((deployment) => deployment.environment_id === id);
    const ofIncidents =
      id === first?.id
        ? [...incidents.map((one) => one.created_at), ...closed.map((one) => one.closed_at as Date)]
        : [];
    const dates = new Set([...own.map((one) => one.finished_at), ...ofIncidents].map(getDay));
    for (const date of [...dates].sort()) {
      const ofDay = own.filter(({ finished_at }) => getDay(finished_at) === date);
      const leads = ofDay.flatMap((deployment) =>
        links
          .filter((link) => link.deployment_id === deployment.id)
          .map((link) => Math.max(0, seconds(link.merged_at, deployment.finished_at))),
      );
      const restored = closed.filter((one) => getDay(one.closed_at as Date) === date);
      const opened = incidents.filter((one) => getDay(one.created_at) === date);
      rows.push({
        environment_id: id,
        date,
        frequency: ofDay.length,
        lead: median(leads),
        restore:
          id === first?.id ? median(restored.map((one) => seconds(one.created_at, one.closed_at as Date))) : null,
        incidents: tier === 'production' ? (id === first?.id ? opened.length : 0) : null,
      });
    }
  }
  return rows;
}

/** Halves of a millisecond: instants have milliseconds, and a median may lie between two. */
const HALVES = 2000;

/** Seconds as whole numbers that both sides reach, however they add. */
export const rounded = (rows: readonly StoredRow[]): StoredRow[] =>
  rows.map((row) => ({
    ...row,
    lead: row.lead === null ? null : Math.round(row.lead * HALVES),
    restore: row.restore === null ? null : Math.round(row.restore * HALVES),
  }));
