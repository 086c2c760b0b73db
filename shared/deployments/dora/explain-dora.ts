import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { nested } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { readRows } from '../../core/database/prepared.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { Environment } from '../environments/environment.entity.js';
import { deploymentsBehind, incidentsBehind, mergeRequestsBehind } from './dora-evidence.js';
import type { Behind, Evidence } from './dora-evidence.js';
import { isAmong, rowsBetween, selectDoraRows } from './dora-points.js';
import { getMetrics, getTiers } from './dora-query.js';
import type { DoraMetricName } from './dora-query.js';

/** What each environment adds to the point of a day. */
const rowsOfDay = (ctx: Context, container: ContainerRef, tiers: readonly string[], date: string) =>
  readRows(
    ctx.em,
    selectDoraRows(container, tiers, { start: date, end: date })
      .select([
        ...nested('environment', Environment, 'e', { only: ['id', 'name', 'tier', 'project_id'] }),
        'm.deployment_frequency',
        'm.incidents_count',
        'm.lead_time_for_changes_in_seconds as lead_time_for_changes',
        'm.time_to_restore_service_in_seconds as time_to_restore_service',
      ])
      .orderBy('e.id'),
  );

type ExplainedRow = Awaited<ReturnType<typeof rowsOfDay>>[number];

/** A point with its calculation and the items behind it. */
export interface DoraExplanation {
  metric: DoraMetricName;
  date: string;
  environment_tiers: readonly string[];
  value: number | null;
  /** `sum(2, 1) = 3`; null for a day without a row. */
  arithmetic: string | null;
  /** Whether something changed that is not in the value yet. */
  refresh_pending: boolean;
  rows: readonly ExplainedRow[];
  deployments?: Evidence;
  merge_requests?: Evidence;
  incidents?: Evidence;
}

const numbers = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
const total = (values: readonly (number | null)[]): number => numbers(values).reduce((sum, value) => sum + value, 0);

/** Continuous, as the database computes it: between the middle two of an even number. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const [low = 0, high = 0] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return low + (high - low) * (middle - Math.floor(middle));
}

type Computed = Pick<DoraExplanation, 'value' | 'arithmetic'>;

const NOTHING: Computed = { value: null, arithmetic: null };

function ofMedians(values: readonly (number | null)[]): Computed {
  const samples = numbers(values);
  if (samples.length === 0) return NOTHING;
  const value = median(samples);
  return { value, arithmetic: `median(${samples.join(', ')}) = ${value}` };
}

function ofSums(values: readonly (number | null)[]): Computed {
  const samples = numbers(values);
  if (samples.length === 0) return NOTHING;
  const value = total(samples);
  return { value, arithmetic: `sum(${samples.join(', ')}) = ${value}` };
}

function ofRates(rows: readonly ExplainedRow[]): Computed {
  const incidents = numbers(rows.map((row) => row.incidents_count));
  if (incidents.length === 0) return NOTHING;
  const deployments = rows.map((row) => row.deployment_frequency);
  const value = total(incidents) / Math.max(total(deployments), 1);
  return { value, arithmetic: `${total(incidents)} / max(${total(deployments)}, 1) = ${value}` };
}

/** How each metric of a day comes from its rows (dora.md section 4), and what lies behind them. */
const EXPLAINED: Readonly<
  Record<
    DoraMetricName,
    {
      compute: (rows: readonly ExplainedRow[]) => Computed;
      evidence: Readonly<Record<string, (ctx: Context, behind: Behind) => Promise<Evidence>>>;
    }
  >
> = {
  deployment_frequency: {
    compute: (rows) => ofSums(rows.map((row) => row.deployment_frequency)),
    evidence: { deployments: deploymentsBehind },
  },
  lead_time_for_changes: {
    compute: (rows) => ofMedians(rows.map((row) => row.lead_time_for_changes)),
    evidence: { merge_requests: mergeRequestsBehind },
  },
  time_to_restore_service: {
    compute: (rows) => ofMedians(rows.map((row) => row.time_to_restore_service)),
    evidence: { incidents: (ctx, behind) => incidentsBehind(ctx, behind, 'closed_at') },
  },
  change_failure_rate: {
    compute: ofRates,
    evidence: {
      deployments: deploymentsBehind,
      incidents: (ctx, behind) => incidentsBehind(ctx, behind, 'created_at'),
    },
  },
};

const isPending = async (ctx: Context, container: ContainerRef, tiers: readonly string[], date: string) => {
  const found = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom('dora_refreshes as m')
    .innerJoin('environments as e', 'e.id', 'm.environment_id')
    .select('e.id')
    .where(isAmong(container, tiers))
    .where(rowsBetween(date, date))
    .limit(constant(1))
    .execute();
  return found.length > 0;
};

/**
 * Explains the value of a day: its rows with the calculation, and the deployments, merge requests or incidents behind
 * them that the caller can see.
 * @throws Invalid for an unknown metric or tier
 */
export async function explainDora(
  ctx: Context,
  container: ContainerRef,
  input: { metric: string; date: string; environment_tiers?: readonly string[] | undefined },
): Promise<DoraExplanation> {
  const [metric = 'deployment_frequency'] = getMetrics([input.metric]);
  const tiers = getTiers(input.environment_tiers);
  const { date } = input;
  const { compute, evidence } = EXPLAINED[metric];
  const [rows, pending, ...found] = await Promise.all([
    rowsOfDay(ctx, container, tiers, date),
    isPending(ctx, container, tiers, date),
    ...Object.entries(evidence).map(async ([key, read]) => [key, await read(ctx, { container, tiers, date })] as const),
  ]);
  const explained = { metric, date, environment_tiers: tiers, ...compute(rows), refresh_pending: pending, rows };
  return { ...explained, ...Object.fromEntries(found) };
}
