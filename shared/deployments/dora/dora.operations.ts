import type { ContainerType } from '../../core/operations/container.js';
import { Unauthenticated } from '../../core/values/errors.js';
import { boolean, day, list, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { requiredUnless } from '../../core/operations/params.js';
import { forContainers } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { ENVIRONMENT_TIERS } from '../environments/environment.rules.js';
import { doraPoints } from './dora-points.js';
import type { DoraPoint } from './dora-points.js';
import { perDay, withGaps } from './dora-series.js';
import { doraPolicy } from './dora.policy.js';
import { DORA_INTERVALS, DORA_METRICS, parseDoraQuery } from './dora-query.js';
import { explainDora } from './explain-dora.js';

/** The error for a plan or role without DORA metrics: 401, not 403 (dora.md section 2). */
const denial = () => new Unauthenticated('missing', 'You do not have permission to access dora metrics.');

// Enum values are validated after the permission check, so the parameters are plain strings here.
const listed = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ');

const tiers = {
  environment_tiers: optional(list(text(), { commas: true })).describe(
    `Tiers of the environments, of ${listed(ENVIRONMENT_TIERS)}; default \`production\`.`,
  ),
};

const rangeParams = {
  start_date: optional(day()).describe('First day of the time range, in UTC; three months ago by default.'),
  end_date: optional(day()).describe('Last day of the time range, in UTC; today by default.'),
  interval: optional(text()).describe(`${listed(DORA_INTERVALS)}: interval of the buckets; default \`daily\`.`),
};

/** Metrics as a table: for each point its date and the values of these. */
export interface DoraTable {
  readonly format: 'json' | 'csv';
  /** Null if a single metric was requested by name: its points have a `value`. */
  readonly columns: readonly string[] | null;
  readonly points: readonly DoraPoint[];
}

function metricOperations({ kind, noun, resource }: ContainerType<Container>) {
  const readable = {
    resource,
    can: can(doraPolicy, 'read_dora_metrics'),
    plan: 'ultimate',
    denial,
    authentication: 'open',
    kind: 'read',
  } as const;
  return {
    metrics: operation({
      ...readable,
      name: `get${noun}DoraMetrics`,
      summary: `Read DORA metrics of a ${kind}`,
      statements: 4,
      params: {
        metric: optional(text()).describe(`${listed(DORA_METRICS)}; required unless \`metrics\` is sent.`),
        metrics: optional(list(text(), { commas: true })).describe(
          'Metrics to return together: each point has a key for each metric instead of `value`.',
        ),
        ...rangeParams,
        ...tiers,
        format: withDefault(oneOf(['json', 'csv']), 'json').describe(
          'Format of the response: JSON, or a table with a header row of names.',
        ),
      },
      rules: [requiredUnless('metric', 'metrics')],
      example: { metric: 'deployment_frequency' },
      async run(ctx, container, input): Promise<DoraTable> {
        const { metric, metrics = [], format } = input;
        const columns = metrics.length > 0 ? metrics : null;
        const query = parseDoraQuery(ctx, { ...input, metrics: columns ?? [metric ?? ''] });
        return { format: format as DoraTable['format'], columns, points: await doraPoints(ctx, container, query) };
      },
    }),
    /** The same as a series, as GraphQL shows it: deployments per day, and a point for every date where `gaps` is true. */
    series: operation({
      ...readable,
      name: `get${noun}DoraSeries`,
      summary: `Read DORA metrics of a ${kind} as a series`,
      statements: 4,
      params: {
        metrics: list(text()).describe(`${listed(DORA_METRICS)}.`),
        ...rangeParams,
        ...tiers,
        gaps: boolean().describe('If `true`, includes a point for every date.'),
      },
      async run(ctx, container, input): Promise<DoraPoint[]> {
        const query = parseDoraQuery(ctx, input);
        const points = perDay(query, await doraPoints(ctx, container, query));
        return input.gaps ? withGaps(query, points) : points;
      },
    }),
    explain: operation({
      ...readable,
      name: `explain${noun}DoraMetric`,
      summary: `Explain a point of the DORA metrics of a ${kind}`,
      statements: 7,
      params: {
        metric: text().describe(`${listed(DORA_METRICS)}.`),
        date: day().describe('Day of the point, in UTC.'),
        ...tiers,
      },
      example: { metric: 'deployment_frequency', date: '2030-01-01' },
      run: (ctx, container, input) => explainDora(ctx, container, input),
    }),
  };
}

/** Reads the DORA metrics of a project or group, and explains single points. @throws Invalid, Unauthenticated */
export const doraOperations = forContainers(metricOperations);
