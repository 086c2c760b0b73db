import { aboutProject } from '../../core/job-context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { ScheduleRecord } from './pipeline-schedule.record.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { Pipeline as PipelineEntity } from '../pipelines/pipeline.entity.js';
import { findProject, findProjectOfUrl, project, projectIdSql } from '../../tenancy/projects/project.finder.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { PipelineSchedule } from './pipeline-schedule.entity.js';
import { pipelineSchedulePolicy } from './pipeline-schedule.policy.js';

const selected: Fragment = sql`${textColumns(PipelineSchedule, 's')}, ${userSummaryColumns('o', 'owner.')}`;
const tables: Fragment = sql`pipeline_schedules s left join users o on o.id = s.owner_id`;

/** The newest pipeline of each schedule, by one index look-up. */
const withLast: Fragment = sql`${tables} left join lateral (
  select pl.* from pipelines pl where pl.pipeline_schedule_id = s.id order by pl.id desc limit 1) last on true`;

/** A project's schedules, newest first (pipeline-schedules.md section 1). */
export function schedulesOf(found: ProjectRecord, where: readonly Fragment[] = []): TextList<ScheduleRecord> {
  return {
    select: selected,
    from: tables,
    where: [sql`s.project_id = ${found.id}`, ...where],
    order: [byId('s', 'desc')],
    read: (row) => ({ ...row, project: found }),
  };
}

/**
 * Locks a schedule for a change, so that what is found next is what is changed: a tick passes it over, another
 * change waits. Its project is locked first, as its deletion does it.
 */
async function lockSchedule(ctx: Context, projectId: number, id: number): Promise<void> {
  await ctx.query(sql`
    select 1 from pipeline_schedules s join projects p on p.id = s.project_id
     where s.project_id = ${projectId} and s.id = ${id} for key share of p for no key update of s`);
}

/** A schedule's row, whoever asks. `projectId` may be SQL. */
function loadSchedule(ctx: Context, projectId: number | Fragment, id: number): Promise<ScheduleRecord | null> {
  return ctx.queryOne<ScheduleRecord>(sql`
    select ${selected}, ${textColumns(PipelineEntity, 'last', 'last_pipeline.')} from ${withLast}
     where s.project_id = ${projectId} and s.id = ${id}`);
}

/** @throws NotFound "404 Pipeline Schedule Not Found", also where the caller may not read schedules */
export async function findSchedule(ctx: Context, found: ProjectRecord, id: number): Promise<ScheduleRecord> {
  return admit(ctx, found, await loadSchedule(ctx, found.id, id));
}

function admit(ctx: Context, found: ProjectRecord, row: ScheduleRecord | null): ScheduleRecord {
  const schedule = row && { ...row, project: found };
  if (!schedule || !pipelineSchedulePolicy.read_pipeline_schedule(ctx.caller, schedule))
    throw new NotFound('Pipeline Schedule');
  return schedule;
}

/** The schedule of a global id, with its project, for GraphQL. @throws NotFound */
export async function findScheduleById(ctx: Context, id: number): Promise<ScheduleRecord> {
  const row = await ctx.queryOne<{ project_id: number }>(
    sql`select s.project_id as "project_id" from pipeline_schedules s where s.id = ${id}`,
  );
  if (!row) throw new NotFound('Pipeline Schedule');
  const found = await findProject(ctx, row.project_id);
  if (ctx.inTransaction) await lockSchedule(ctx, found.id, id);
  return findSchedule(ctx, found, id);
}

/** The subject of `/projects/:id/pipeline_schedules/:pipeline_schedule_id…`. For a write it is locked. */
export const pipelineSchedule: Subject<ScheduleRecord> = {
  noun: 'Pipeline Schedule',
  params: { ...project.params, pipeline_schedule_id: integer().describe('Id of the schedule.') },
  async find(ctx, input: { id: string; pipeline_schedule_id: number }) {
    const { id, pipeline_schedule_id: scheduleId } = input;
    if (!ctx.inTransaction) {
      // Project and schedule by one round trip; what the caller may not see is dropped.
      const [found, row] = await Promise.all([
        findProjectOfUrl(ctx, id),
        loadSchedule(ctx, projectIdSql(id), scheduleId),
      ]);
      return admit(ctx, found, row);
    }
    const found = await findProjectOfUrl(ctx, id);
    await lockSchedule(ctx, found.id, scheduleId);
    return findSchedule(ctx, found, scheduleId);
  },
  about: (record) => aboutProject(record.project),
};
