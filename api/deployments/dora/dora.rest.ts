import type { Context as KoaContext } from 'koa';
import { doraOperations } from '../../../shared/deployments/dora/dora.operations.js';
import type { DoraTable } from '../../../shared/deployments/dora/dora.operations.js';
import type { DoraPoint } from '../../../shared/deployments/dora/dora-points.js';
import { DORA_METRICS } from '../../../shared/deployments/dora/dora-query.js';
import type { DoraMetricName } from '../../../shared/deployments/dora/dora-query.js';
import { containerRoutes, get } from '../../core/routes.js';
import { sendJsonList } from '../../core/respond.js';

const number = { type: ['number', 'null'] };
const values = Object.fromEntries(DORA_METRICS.map((name) => [name, number]));

/** A point has `value`, or a key for each metric if several were requested. */
const POINTS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['date'],
    properties: { date: { type: ['string', 'null'], format: 'date' }, value: number, ...values },
  },
};

const EVIDENCE = {
  type: 'object',
  required: ['count', 'hidden', 'items'],
  properties: {
    count: { type: 'integer' },
    hidden: { type: 'integer' },
    items: { type: 'array', items: { type: 'object', additionalProperties: true } },
  },
};

const ROW = {
  type: 'object',
  properties: {
    environment: { type: 'object', additionalProperties: true },
    deployment_frequency: number,
    lead_time_for_changes: number,
    time_to_restore_service: number,
    incidents_count: number,
  },
};

const EXPLANATION = {
  type: 'object',
  required: ['metric', 'date', 'environment_tiers', 'value', 'arithmetic', 'refresh_pending', 'rows'],
  properties: {
    metric: { type: 'string' },
    date: { type: 'string', format: 'date' },
    environment_tiers: { type: 'array', items: { type: 'string' } },
    value: number,
    arithmetic: { type: ['string', 'null'] },
    refresh_pending: { type: 'boolean' },
    rows: { type: 'array', items: ROW },
    deployments: EVIDENCE,
    merge_requests: EVIDENCE,
    incidents: EVIDENCE,
  },
};

const getValue = (point: DoraPoint, metric: string): number | null => point[metric as DoraMetricName] ?? null;

const getMetric = (point: DoraPoint): string => Object.keys(point).find((key) => key !== 'date') ?? '';

/** No value holds a comma, a quote or the end of a line. */
function getCsv({ columns, points }: DoraTable): string {
  const head = ['date', ...(columns ?? ['value'])].join(',');
  const lines = points.map((point) =>
    [point.date ?? '', ...(columns ?? [getMetric(point)]).map((metric) => getValue(point, metric) ?? '')].join(','),
  );
  return [head, ...lines, ''].join('\n');
}

function sendTable(koa: KoaContext, _ctx: unknown, table: DoraTable): void {
  if (table.format === 'csv') {
    koa.status = 200;
    koa.body = getCsv(table);
    koa.set('Content-Type', 'text/csv; charset=utf-8');
    koa.set('Content-Disposition', 'attachment; filename="dora.csv"');
    return;
  }
  const { columns, points } = table;
  const present = (point: DoraPoint) =>
    columns ? point : { date: point.date, value: getValue(point, getMetric(point)) };
  sendJsonList(koa, 200, points, present);
}

export default containerRoutes('/dora', doraOperations, (operations) => [
  get('/metrics', operations.metrics, { schema: POINTS, respond: sendTable }),
  get('/explain', operations.explain, { schema: EXPLANATION }),
]);
