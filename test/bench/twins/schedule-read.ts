import { mayReadSchedules, SCHEDULE_COLUMNS, scheduleJson, WITH_RIGHTS } from './schedule-json.js';
import type { Rights, ScheduleRow } from './schedule-json.js';
import type { Answer, TwinDatabase } from './twin-database.js';

interface Row extends Rights, ScheduleRow {
  pipeline_id: number | null;
  pipeline_iid: number;
  sha: string;
  pipeline_ref: string;
  status: string;
  source: string;
  pipeline_created_at: Date;
  pipeline_updated_at: Date;
  pipeline_name: string | null;
  inputs: { name: string; value: string }[];
  variables: { key: string; variable_type: string; value: string; raw: boolean }[];
}

const SCHEDULE = `${WITH_RIGHTS}
  select rights.*, ${SCHEDULE_COLUMNS}, l.id as pipeline_id, l.iid as pipeline_iid, l.sha, l.ref as pipeline_ref,
         l.status, l.source, l.created_at as pipeline_created_at, l.updated_at as pipeline_updated_at,
         l.name as pipeline_name,
         (select coalesce(json_agg(json_build_object('name', i.name, 'value', encode(i.value, 'base64')) order by i.id), '[]')
            from pipeline_schedule_inputs i where i.pipeline_schedule_id = s.id) as inputs,
         (select coalesce(json_agg(json_build_object('key', v.key, 'variable_type', v.variable_type,
                   'value', encode(v.value, 'base64'), 'raw', v.raw) order by v.id), '[]')
            from pipeline_schedule_variables v where v.pipeline_schedule_id = s.id) as variables
    from rights join pipeline_schedules s on s.project_id = rights.project_id left join users o on o.id = s.owner_id
    left join lateral (select * from pipelines pl where pl.pipeline_schedule_id = s.id order by pl.id desc limit 1) l on true
   where s.id = $3`;

function lastPipeline(row: Row, base: string) {
  if (row.pipeline_id === null) return null;
  return {
    id: row.pipeline_id,
    iid: row.pipeline_iid,
    project_id: row.project_id,
    sha: row.sha,
    ref: row.pipeline_ref,
    status: row.status,
    source: row.source === 'schedule' ? 'scheduled' : row.source,
    created_at: row.pipeline_created_at.toISOString(),
    updated_at: row.pipeline_updated_at.toISOString(),
    web_url: `${base}/${row.full_path}/-/pipelines/${row.pipeline_id}`,
    name: row.pipeline_name,
  };
}

/** `GET /projects/:id/pipeline_schedules/:id` for a Maintainer, with inputs and variables. */
export async function scheduleRead(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const [projectId, id] = [Number(match[1]), Number(match[2])];
  const [row] = await db.rows<Row>('schedule', SCHEDULE, [userId, projectId, id]);
  if (!mayReadSchedules(row) || row.access < 40) return null;
  const body = {
    ...scheduleJson(row, db.externalUrl),
    last_pipeline: lastPipeline(row, db.externalUrl),
    inputs: row.inputs.map(({ name, value }) => ({
      name,
      value: JSON.parse(db.decrypt(value, `pipeline_schedule_inputs:${id}:${name}`)) as unknown,
    })),
    variables: row.variables.map(({ key, variable_type, value, raw }) => ({
      key,
      variable_type,
      value: db.decrypt(value, `pipeline_schedule_variables:${id}:${key}`),
      raw,
    })),
  };
  return { body: JSON.stringify(body) };
}
