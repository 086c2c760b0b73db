import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { ENVIRONMENT_TIERS } from '../environments/environment.rules.js';
import type { EnvironmentTier } from '../environments/environment.rules.js';

export const DORA_METRICS = [
  'deployment_frequency',
  'lead_time_for_changes',
  'time_to_restore_service',
  'change_failure_rate',
] as const;
export type DoraMetricName = (typeof DORA_METRICS)[number];

export const DORA_INTERVALS = ['all', 'monthly', 'daily'] as const;
export type DoraInterval = (typeof DORA_INTERVALS)[number];

/** Which points of which metrics are wanted. Days are `YYYY-MM-DD`, both included. */
export interface DoraQuery {
  readonly metrics: readonly DoraMetricName[];
  readonly start: string;
  readonly end: string;
  readonly interval: DoraInterval;
  readonly tiers: readonly EnvironmentTier[];
}

const DAY_MS = 86_400_000;
const MOST_DAYS = 180;

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Days from the first to the last, both counted. */
export const daysFrom = (first: string, last: string): number => (midnight(last) - midnight(first)) / DAY_MS + 1;

/** The day so many days after another. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(midnight(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The same day three months earlier, or the last one of that month. */
function threeMonthsBefore(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 3, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 4, Math.min(date, last))).toISOString().slice(0, 10);
}

const among = <const V extends readonly string[]>(values: V, value: string): value is V[number] =>
  (values as readonly string[]).includes(value);

/** @throws Invalid */
function requireRange(start: string, end: string): void {
  if (daysFrom(start, end) - 1 > MOST_DAYS) throw new Invalid(`Date range must be shorter than ${MOST_DAYS} days.`);
  if (start >= end) throw new Invalid('The start date must be earlier than the end date.');
}

/** The metrics of their names, each once. @throws Invalid */
export function getMetrics(names: readonly string[]): DoraMetricName[] {
  return [...new Set(names)].map((name) => {
    if (!among(DORA_METRICS, name)) throw new Invalid(`The metric must be one of ${DORA_METRICS.join(',')}.`);
    return name;
  });
}

/** The tiers with the requested names, without duplicates; production by default. @throws Invalid */
export function getTiers(names: readonly string[] | undefined): EnvironmentTier[] {
  if (!names || names.length === 0) return ['production'];
  return [...new Set(names)].map((name) => {
    if (!among(ENVIRONMENT_TIERS, name))
      throw new Invalid(`The environment tiers must be from ${ENVIRONMENT_TIERS.join(', ')}.`);
    return name;
  });
}

interface DoraInput {
  metrics: readonly string[];
  start_date?: string | undefined;
  end_date?: string | undefined;
  interval?: string | undefined;
  environment_tiers?: readonly string[] | undefined;
}

/** The requested range of days; missing ends default to the last three months. */
export function doraRange(ctx: Context, { start_date, end_date }: Pick<DoraInput, 'start_date' | 'end_date'>) {
  const today = ctx.clock.now().toISOString().slice(0, 10);
  return { start: start_date ?? threeMonthsBefore(today), end: end_date ?? today };
}

/** Parses the query parameters, validating them in the order of dora.md section 2. @throws Invalid */
export function parseDoraQuery(ctx: Context, input: DoraInput): DoraQuery {
  const { start, end } = doraRange(ctx, input);
  requireRange(start, end);
  const { interval = 'daily' } = input;
  if (!among(DORA_INTERVALS, interval)) throw new Invalid(`The interval must be one of ${DORA_INTERVALS.join(',')}.`);
  const metrics = getMetrics(input.metrics);
  return { metrics, start, end, interval, tiers: getTiers(input.environment_tiers) };
}
