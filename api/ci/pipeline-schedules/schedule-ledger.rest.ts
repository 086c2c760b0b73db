import { Readable } from 'node:stream';
import type { Context as KoaContext } from 'koa';
import {
  exportRunsOfSchedule,
  listRunsOfSchedule,
  summariseRunsOfSchedule,
} from '../../../shared/ci/pipeline-schedule-runs/schedule-ledger.js';
import type { LedgerTable } from '../../../shared/ci/pipeline-schedule-runs/schedule-ledger.js';
import {
  runLateness,
  runOutcome,
  RUN_OUTCOMES,
  scheduleRunSerializer,
} from '../../../shared/ci/pipeline-schedule-runs/schedule-run.serializer.js';
import type { RunRecord } from '../../../shared/ci/pipeline-schedule-runs/schedule-run.serializer.js';
import { get, routes } from '../../core/routes.js';

const integer = { type: 'integer' };
const orNull = (type: string) => ({ type: [type, 'null'] });

const SUMMARY = {
  type: 'object',
  required: ['total', 'outcomes', 'causes', 'lateness_ms', 'first_due_at', 'last_due_at'],
  properties: {
    total: integer,
    outcomes: {
      type: 'object',
      required: RUN_OUTCOMES,
      properties: Object.fromEntries(RUN_OUTCOMES.map((name) => [name, integer])),
    },
    causes: { type: 'object', additionalProperties: integer },
    lateness_ms: {
      type: 'object',
      required: ['p50', 'p90', 'p99', 'max'],
      properties: Object.fromEntries(['p50', 'p90', 'p99', 'max'].map((name) => [name, orNull('integer')])),
    },
    first_due_at: { ...orNull('string'), format: 'date-time' },
    last_due_at: { ...orNull('string'), format: 'date-time' },
  },
};

const COLUMNS = ['id', 'due_at', 'outcome', 'lateness_ms', 'started_at', 'cause', 'reason', 'pipeline_id', 'by'];

/** A CSV value (RFC 4180): quoted if it contains a delimiter. */
function quoted(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const getLine = (run: RunRecord): string => {
  const values: (string | number | null | undefined)[] = [
    run.id,
    run.due_at.toISOString(),
    runOutcome(run),
    runLateness(run),
    run.started_at?.toISOString() ?? null,
    run.cause,
    run.reason,
    run.pipeline_id,
    run.trigger,
  ];
  return values.map(quoted).join(',');
};

async function* getLines({ batches }: LedgerTable): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const runs of batches) yield runs.map((run) => `${getLine(run)}\r\n`).join('');
}

function sendTable(koa: KoaContext, _ctx: unknown, table: LedgerTable): void {
  koa.status = 200;
  koa.set('Content-Type', 'text/csv; charset=utf-8');
  koa.set('Content-Disposition', `attachment; filename="${table.name}"`);
  koa.body = Readable.from(getLines(table), { objectMode: false });
}

/** Beyond the public API: the outcome of each due time of a schedule. */
export default routes('/projects/:id/pipeline_schedules/:pipeline_schedule_id/runs', [
  get('/', listRunsOfSchedule, { present: scheduleRunSerializer, paginate: 'keyset' }),
  get('/summary', summariseRunsOfSchedule, { schema: SUMMARY }),
  get('/export', exportRunsOfSchedule, { respond: sendTable }),
]);
