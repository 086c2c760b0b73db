import { formatDuration } from '../../../ui/format-time.js';

/** The metrics by the API's names, in display order. */
export const METRICS = [
  'deployment_frequency',
  'lead_time_for_changes',
  'time_to_restore_service',
  'change_failure_rate',
] as const;
export type Metric = (typeof METRICS)[number];

export const TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const;
export type Tier = (typeof TIERS)[number];

export const INTERVALS = { daily: 'By day', monthly: 'By month', all: 'Whole range' } as const;
export type Interval = keyof typeof INTERVALS;

interface MetricDisplay {
  title: string;
  /** The description of the metric. */
  lead: string;
  /** A value as people read it. */
  format: (value: number) => string;
  /** A mark of the chart's scale. */
  short: (value: number) => string;
  /** Sums are bars from zero, medians are lines. */
  drawn: 'bars' | 'line';
  /** How far marks of the scale may be apart, where not anything will do. */
  steps?: readonly number[];
}

const SECONDS_AN_HOUR = 3600;
const seconds = (value: number) => formatDuration(value * 1000);
const hours = (value: number) => `${Number((value / SECONDS_AN_HOUR).toFixed(2))} h`;
const rounded = (value: number) => String(Number(value.toFixed(2)));
const percent = (value: number) => `${Number((value * 100).toFixed(1))} %`;

export const METRIC_DISPLAY: Record<Metric, MetricDisplay> = {
  deployment_frequency: {
    title: 'Deployment frequency',
    lead: 'Successful deployments.',
    format: (value) => (value === 1 ? '1 deployment' : `${rounded(value)} deployments`),
    short: rounded,
    drawn: 'bars',
    steps: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000],
  },
  lead_time_for_changes: {
    title: 'Lead time for changes',
    lead: 'Median time from merge to deployment.',
    format: seconds,
    short: hours,
    drawn: 'line',
  },
  time_to_restore_service: {
    title: 'Time to restore service',
    lead: 'Median time an incident was open, by closing day. Production only.',
    format: seconds,
    short: hours,
    drawn: 'line',
  },
  change_failure_rate: {
    title: 'Change failure rate',
    lead: 'Incidents per deployment. Production only.',
    format: percent,
    short: percent,
    drawn: 'bars',
  },
};
