import { pageHeaders } from './page-headers.js';
import { SCHEDULE_COLUMNS, scheduleJson } from './schedule-json.js';
import type { ScheduleRow } from './schedule-json.js';
import { getMember } from './simple-project-list.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const PER_PAGE = 20;
const COUNTED = 1_000;

interface Row extends ScheduleRow {
  project_id: number;
  project_name: string;
  project_path: string;
  full_name: string;
  full_path: string;
  run_id: number | null;
  due_at: Date;
  started_at: Date | null;
  state: string;
  cause: string | null;
  reason: string | null;
  pipeline_id: number | null;
  trigger: string;
}

const READABLE = `p.removal_started_at is null and p.builds_access_level <> 'disabled'
  and (p.public_jobs and (p.visibility in ('public', 'internal') and p.builds_access_level = 'enabled' or ${getMember(10)})
       or ${getMember(20)})`;

const TABLES = 'pipeline_schedules s join projects p on p.id = s.project_id';

const page = (where: string) => `
  select ${SCHEDULE_COLUMNS}, p.id as project_id, p.name as project_name, p.path as project_path, r.name as full_name,
         r.path as full_path, x.id as run_id, x.due_at, x.started_at, x.state, x.cause, x.reason, x.pipeline_id, x.trigger
    from (select s.* from ${TABLES} where ${where}
           order by coalesce(s.next_run_at, timestamptz '9999-12-31 23:59:59.999+00'), s.id limit ${PER_PAGE + 1}) s
    join projects p on p.id = s.project_id join routes r on r.project_id = p.id
    left join users o on o.id = s.owner_id
    left join lateral (select x.* from pipeline_schedule_runs x where x.pipeline_schedule_id = s.id
                        order by x.id desc limit 1) x on true
   order by coalesce(s.next_run_at, timestamptz '9999-12-31 23:59:59.999+00'), s.id`;

const count = (where: string) =>
  `select count(*)::int as total from (select 1 from ${TABLES} where ${where} limit ${COUNTED + 1}) seen`;

const ON_TIME_MS = 1000;

function outcomeIn({ state, trigger, started_at: started, due_at: due }: Row) {
  if (state !== 'fired') return state;
  if (trigger === 'play') return 'played';
  return started && started.getTime() - due.getTime() > ON_TIME_MS ? 'late' : 'on_time';
}

function getLastRun(row: Row) {
  if (row.run_id === null) return null;
  return {
    id: row.run_id,
    due_at: row.due_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    lateness_ms: row.started_at ? row.started_at.getTime() - row.due_at.getTime() : null,
    state: row.state,
    outcome: outcomeIn(row),
    cause: row.cause,
    reason: row.reason,
    pipeline_id: row.pipeline_id,
    by: row.trigger,
  };
}

function getJson(row: Row, base: string) {
  return {
    ...scheduleJson(row, base),
    project: {
      id: row.project_id,
      name: row.project_name,
      name_with_namespace: row.full_name,
      path: row.project_path,
      path_with_namespace: row.full_path,
      web_url: `${base}/${row.full_path}`,
    },
    last_run: getLastRun(row),
  };
}

/** The first page of `GET /pipeline_schedules`, either all or those whose newest run failed. */
export async function allSchedules(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer> {
  const [, text = ''] = match;
  const states = new URLSearchParams(text).get('last_run_status')?.split(',') ?? null;
  const where = states ? `${READABLE} and s.trouble is not null and s.trouble = any($2)` : READABLE;
  const values = states ? [userId, states] : [userId];
  const rows = await db.rows<Row>(`schedules ${text}`, page(where), values);
  const [counted] =
    rows.length > PER_PAGE ? await db.rows<{ total: number }>(`schedules count ${text}`, count(where), values) : [];
  const total = counted?.total ?? rows.length;
  return {
    body: JSON.stringify(rows.slice(0, PER_PAGE).map((row) => getJson(row, db.externalUrl))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/pipeline_schedules`,
      `${text === '' ? '' : `${new URLSearchParams(text).toString()}&`}page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      total > COUNTED ? null : total,
    ),
  };
}
