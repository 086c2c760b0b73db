import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import { aboutProject } from '../../core/values/job-context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { PipelineSchedule } from './pipeline-schedule.entity.js';
import type { ScheduleRecord } from './pipeline-schedule.entity.js';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { CiDatabase } from '../ci.entities.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { findProject, findProjectOfUrl, project, projectIdOfPath } from '../../tenancy/projects/project.finder.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { pipelineSchedulePolicy } from './pipeline-schedule.policy.js';

/** Schedules `s` and their projects `p`, as conditions name them. */
export type OfSchedules = Aliased<CiDatabase, { s: 'pipeline_schedules'; p: 'projects' }>;

/** Builds conditions on schedules `s` and their projects `p`. */
export const onSchedules = expressionBuilder<OfSchedules, 'p' | 's'>();

/** Selects schedules `s` with their owners. */
export const selectSchedules = <O>(query: SelectQueryBuilder<OfSchedules, 's', O>) =>
  query
    .leftJoin('users as o', 'o.id', 's.owner_id')
    .select([...columns(PipelineSchedule, 's'), ...nestedOrNull('owner', User, 'o', { only: USER_SUMMARY })]);

/** A project's schedules, newest first (pipeline-schedules.md section 1). */
export function findSchedules(found: ProjectRecord, where: readonly Expression<SqlBool>[] = []): List<ScheduleRecord> {
  const list: List<ScheduleRecord> = {
    matching: expressionBuilder<CiDatabase>()
      .selectFrom('pipeline_schedules as s')
      .where('s.project_id', '=', found.id),
    select: selectSchedules,
    order: [byId('s', 'desc')],
    read: (row) => ({ ...row, project: found }),
  };
  return narrow(list, where);
}

interface OneSchedule {
  readonly project_id: number;
  readonly id: number;
}

/**
 * Locks a schedule for a change, so that no other transaction changes it after it is read: a tick skips it, another
 * change waits. Its project is locked first, in the same order as project deletion.
 */
const lockSchedule = prepareQuery<CiDatabase, OneSchedule, object>((db, { project_id: projectId, id }) =>
  db
    .selectFrom('pipeline_schedules as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select('s.id')
    .where('s.project_id', '=', projectId)
    .where('s.id', '=', id)
    .forKeyShare('p')
    .forNoKeyUpdate('s'),
);

type Row = Omit<ScheduleRecord, 'project'>;

/** A schedule with its newest pipeline, by one index lookup, without permission checks. */
const oneSchedule = (db: Kysely<CiDatabase>, projectId: Expression<number>, id: Expression<number>) =>
  selectSchedules(db.selectFrom('pipeline_schedules as s'))
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('pipelines as pl')
          .select(columns(Pipeline, 'pl'))
          .whereRef('pl.pipeline_schedule_id', '=', 's.id')
          .orderBy('pl.id', 'desc')
          .limit(constant(1))
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(nestedOrNull('last_pipeline', Pipeline, 'last'))
    .where('s.project_id', '=', projectId)
    .where('s.id', '=', id);

const loadSchedule = {
  id: prepareQuery<CiDatabase, OneSchedule, Row>((db, { project_id: projectId, id }) => oneSchedule(db, projectId, id)),
  path: prepareQuery<CiDatabase, { path: string; id: number }, Row>((db, { path, id }) =>
    oneSchedule(db, projectIdOfPath(path), id),
  ),
};

/** The schedule of an id in the project that an id or full path names. */
async function loadByReference(ctx: Context, reference: string, id: number): Promise<Row | null> {
  const [row] = /^\d{1,15}$/.test(reference)
    ? await loadSchedule.id(ctx, { project_id: Number(reference), id })
    : await loadSchedule.path(ctx, { path: reference, id });
  return row ?? null;
}

/** @throws NotFound "404 Pipeline Schedule Not Found", also where the caller may not read schedules */
export async function findSchedule(ctx: Context, found: ProjectRecord, id: number): Promise<ScheduleRecord> {
  const [row] = await loadSchedule.id(ctx, { project_id: found.id, id });
  return admit(ctx, found, row ?? null);
}

function admit(ctx: Context, found: ProjectRecord, row: Row | null): ScheduleRecord {
  const schedule = row && { ...row, project: found };
  if (!schedule || !pipelineSchedulePolicy.read_pipeline_schedule(ctx.caller, schedule))
    throw new NotFound('Pipeline Schedule');
  return schedule;
}

const findProjectOfSchedule = prepareQuery<CiDatabase, { id: number }, { project_id: number }>((db, { id }) =>
  db.selectFrom('pipeline_schedules as s').select('s.project_id').where('s.id', '=', id),
);

/** The schedule of a global id, with its project, for GraphQL. @throws NotFound */
export async function findScheduleById(ctx: Context, id: number): Promise<ScheduleRecord> {
  const [row] = await findProjectOfSchedule(ctx, { id });
  if (!row) throw new NotFound('Pipeline Schedule');
  const found = await findProject(ctx, row.project_id);
  if (ctx.inTransaction) await lockSchedule(ctx, { project_id: found.id, id });
  return findSchedule(ctx, found, id);
}

/** The resource of `/projects/:id/pipeline_schedules/:pipeline_schedule_id…`. For a write it is locked. */
export const pipelineSchedule: Resource<ScheduleRecord> = {
  noun: 'Pipeline Schedule',
  params: { ...project.params, pipeline_schedule_id: integer().describe('ID of the pipeline schedule.') },
  async find(ctx, input: { id: string; pipeline_schedule_id: number }) {
    const { id, pipeline_schedule_id: scheduleId } = input;
    if (!ctx.inTransaction) {
      // Loads project and schedule in one round trip and drops them if the caller has no access.
      const [found, row] = await Promise.all([findProjectOfUrl(ctx, id), loadByReference(ctx, id, scheduleId)]);
      return admit(ctx, found, row);
    }
    const found = await findProjectOfUrl(ctx, id);
    await lockSchedule(ctx, { project_id: found.id, id: scheduleId });
    return findSchedule(ctx, found, scheduleId);
  },
  about: (record) => aboutProject(record.project),
};
