import { mayReadSchedules, PROJECT_RIGHTS, SCHEDULE_COLUMNS, scheduleJson } from './schedule-json.js';
import type { RightsRow, ScheduleRow } from './schedule-json.js';
import type { Answer, TwinDatabase } from './twin-database.js';

interface Row extends ScheduleRow {
  pipeline_id: number | null;
  pipeline_iid: number;
  sha: string;
  pipeline_ref: string;
  status: string;
  source: string;
  pipeline_created_at: Date;
  pipeline_updated_at: Date;
  pipeline_name: string | null;
}

const SCHEDULE = `
  select ${SCHEDULE_COLUMNS}, l.id as pipeline_id, l.iid as pipeline_iid, l.sha, l.ref as pipeline_ref, l.status,
         l.source, l.created_at as pipeline_created_at, l.updated_at as pipeline_updated_at, l.name as pipeline_name
    from pipeline_schedules s left join users o on o.id = s.owner_id
    left join lateral (select * from pipelines pl where pl.pipeline_schedule_id = s.id order by pl.id desc limit 1) l on true
   where s.project_id = $1 and s.id = $2`;
const INPUTS = 'select name, value from pipeline_schedule_inputs where pipeline_schedule_id = $1 order by id';
const VARIABLES = `select key, variable_type, value, raw from pipeline_schedule_variables
  where pipeline_schedule_id = $1 order by id`;

function lastPipeline(row: Row, project: RightsRow, base: string) {
  if (row.pipeline_id === null) return null;
  return {
    id: row.pipeline_id,
    iid: row.pipeline_iid,
    project_id: project.id,
    sha: row.sha,
    ref: row.pipeline_ref,
    status: row.status,
    source: row.source === 'schedule' ? 'scheduled' : row.source,
    created_at: row.pipeline_created_at.toISOString(),
    updated_at: row.pipeline_updated_at.toISOString(),
    web_url: `${base}/${project.full_path}/-/pipelines/${row.pipeline_id}`,
    name: row.pipeline_name,
  };
}

/** `GET /projects/:id/pipeline_schedules/:id` for a Maintainer, with inputs and variables. */
export async function scheduleRead(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const [projectId, id] = [Number(match[1]), Number(match[2])];
  const [rights] = await db.rows<RightsRow>('rights', PROJECT_RIGHTS, [userId, projectId]);
  if (!mayReadSchedules(rights) || rights.access < 40) return null;
  const [row] = await db.rows<Row>('schedule', SCHEDULE, [projectId, id]);
  if (!row) return null;
  const [inputs, variables] = await Promise.all([
    db.rows<{ name: string; value: Buffer }>('inputs', INPUTS, [id]),
    db.rows<{ key: string; variable_type: string; value: Buffer; raw: boolean }>('variables', VARIABLES, [id]),
  ]);
  const body = {
    ...scheduleJson(row, db.externalUrl),
    last_pipeline: lastPipeline(row, rights, db.externalUrl),
    inputs: inputs.map(({ name, value }) => ({
      name,
      value: JSON.parse(db.decrypt(value, `pipeline_schedule_inputs:${id}:${name}`)) as unknown,
    })),
    variables: variables.map(({ key, variable_type, value, raw }) => ({
      key,
      variable_type,
      value: db.decrypt(value, `pipeline_schedule_variables:${id}:${key}`),
      raw,
    })),
  };
  return { body: JSON.stringify(body) };
}
