import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import { aboutProject } from '../../core/values/job-context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { integer } from '../../core/operations/fields.js';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { anyOf, constant, unnested } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { CiDatabase } from '../ci.entities.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { Pipeline } from './pipeline.entity.js';

/** A pipeline with its project and the user it was made for, without its inputs, which are secret and may be long. */
export interface PipelineRecord extends Omit<Pipeline, 'inputs'> {
  project: ProjectRecord;
  user: UserSummary | null;
  /** Who owns the schedule that it is a run of; loaded with one pipeline, not with lists. */
  schedule_owner_id?: number | null;
}

type Row = Omit<PipelineRecord, 'project'>;
type Column = Exclude<keyof Pipeline & string, 'inputs'>;

const LISTED = Object.keys(Pipeline.meta.properties).filter((name): name is Column => name !== 'inputs');

/** Pipelines `pl`, as conditions name them. */
type OfPipelines = Aliased<CiDatabase, { pl: 'pipelines' }>;

/** Builds conditions on pipelines `pl`. */
export const onPipelines = expressionBuilder<OfPipelines, 'pl'>();

/** Selects pipelines `pl` with the users that they were made for. */
export const selectPipelines = <O>(query: SelectQueryBuilder<OfPipelines, 'pl', O>) =>
  query
    .leftJoin('users as u', 'u.id', 'pl.user_id')
    .select([...columns(Pipeline, 'pl', LISTED), ...nestedOrNull('user', User, 'u', { only: USER_SUMMARY })]);

/** A project's pipelines, newest first; filters are added to `where`. */
export function findPipelines(found: ProjectRecord, where: readonly Expression<SqlBool>[] = []): List<PipelineRecord> {
  const list: List<PipelineRecord> = {
    matching: expressionBuilder<CiDatabase>().selectFrom('pipelines as pl').where('pl.project_id', '=', found.id),
    select: selectPipelines,
    order: [byId('pl', 'desc')],
    read: (row) => ({ ...row, project: found }),
  };
  return narrow(list, where);
}

/** The newest of a project's pipelines of which a condition holds, or null. */
export async function loadNewestPipeline(
  ctx: Context,
  found: ProjectRecord,
  condition: Expression<SqlBool>,
): Promise<PipelineRecord | null> {
  const db = ctx.em.getKysely<CiDatabase>();
  const row = await selectPipelines(db.selectFrom('pipelines as pl'))
    .where('pl.project_id', '=', found.id)
    .where(condition)
    .orderBy('pl.id', 'desc')
    .limit(constant(1))
    .executeTakeFirst();
  return row ? { ...row, project: found } : null;
}

/** The newest pipeline of the commit that a branch or tag points at now, or null. */
export function newestPipelineOfHead(ctx: Context, found: ProjectRecord, ref: string): Promise<PipelineRecord | null> {
  const name = shortRef(ref);
  const eb = onPipelines;
  const kind = eb
    .case()
    .when(eb.ref('pl.tag'))
    .then(constant<string>('refs/tags/'))
    .else(constant('refs/heads/'))
    .end();
  const fullName = name === ref ? eb(kind, '||', eb.ref('pl.ref')) : eb.val(ref);
  const head = eb
    .selectFrom('repository_refs as head')
    .select(eb.lit(1).as('one'))
    .whereRef('head.project_id', '=', 'pl.project_id')
    .whereRef('head.target_sha', '=', 'pl.sha')
    .where('head.full_name', '=', fullName as Expression<string>);
  return loadNewestPipeline(ctx, found, eb.and([eb('pl.ref', '=', name), eb.exists(head)]));
}

interface OnePipeline {
  readonly project_id: number;
  readonly id: number;
}

const onePipeline = (db: Kysely<CiDatabase>, { project_id: projectId, id }: Placeholders<OnePipeline>) =>
  selectPipelines(db.selectFrom('pipelines as pl'))
    .select((eb) =>
      eb
        .selectFrom('pipeline_schedules as s')
        .select('s.owner_id')
        .whereRef('s.id', '=', 'pl.pipeline_schedule_id')
        .as('schedule_owner_id'),
    )
    .where('pl.project_id', '=', projectId)
    .where('pl.id', '=', id);

const loadPipeline = prepareQuery<CiDatabase, OnePipeline, Row>(onePipeline);
const lockPipeline = prepareQuery<CiDatabase, OnePipeline, Row>((db, values) =>
  onePipeline(db, values).forNoKeyUpdate('pl'),
);

/**
 * Finds a pipeline of a project. For a write, its row is locked, so that it does not change after it is read.
 * @throws NotFound "404 Not found", also for a pipeline of another project
 */
export async function findPipeline(ctx: Context, found: ProjectRecord, id: number): Promise<PipelineRecord> {
  if (!projectPolicy.read_pipeline(ctx.caller, found)) throw new Forbidden();
  const [row] = await (ctx.inTransaction ? lockPipeline : loadPipeline)(ctx, { project_id: found.id, id });
  if (!row) throw new NotFound();
  return { ...row, project: found };
}

/** The resource of `/projects/:id/pipelines/:pipeline_id…`. */
export const pipeline: Resource<PipelineRecord> = {
  noun: 'Pipeline',
  params: { ...project.params, pipeline_id: integer().describe('ID of the pipeline.') },
  async find(ctx, input: { id: string; pipeline_id: number }) {
    return findPipeline(ctx, await project.find(ctx, input), input.pipeline_id);
  },
  about: (record) => aboutProject(record.project),
};

/** The newest pipeline, of those that have to do with `requested`. */
const newest = <Key>() =>
  expressionBuilder<CiDatabase & { requested: { value: Key } }, 'requested'>()
    .selectFrom('pipelines as x')
    .select(columns(Pipeline, 'x', LISTED))
    .orderBy('x.id', 'desc')
    .limit(constant(1));

const findNewestOfSchedules = prepareQuery<CiDatabase, { ids: readonly number[] }, Row>((db, { ids }) =>
  selectPipelines(
    db
      .selectFrom(unnested(ids, 'bigint').as('requested'))
      .innerJoinLateral(newest<number>().whereRef('x.pipeline_schedule_id', '=', 'requested.value').as('pl'), (join) =>
        join.onTrue(),
      ),
  ),
);

/** The newest pipeline of each of many schedules, by the schedule's id, each by one index look-up. */
export async function newestPipelinesOfSchedules(
  ctx: Context,
  scheduleIds: readonly number[],
): Promise<Map<number, Row>> {
  const rows = await findNewestOfSchedules(ctx, { ids: scheduleIds });
  return new Map(rows.map((row) => [row.pipeline_schedule_id as number, row]));
}

interface CommitsOfProject {
  readonly project_id: number;
  readonly shas: readonly string[];
}

const findNewestOfCommits = prepareQuery<CiDatabase, CommitsOfProject, Row>((db, { project_id: projectId, shas }) =>
  selectPipelines(
    db
      .selectFrom(unnested(shas, 'text').as('requested'))
      .innerJoinLateral(
        newest<string>().where('x.project_id', '=', projectId).whereRef('x.sha', '=', 'requested.value').as('pl'),
        (join) => join.onTrue(),
      ),
  ),
);

/** The newest pipeline of each of many commits of a project, by sha, each by one index look-up. */
export async function newestPipelinesOfCommits(
  ctx: Context,
  found: ProjectRecord,
  shas: readonly string[],
): Promise<Map<string, PipelineRecord>> {
  const rows = await findNewestOfCommits(ctx, { project_id: found.id, shas });
  return new Map(rows.map((row) => [row.sha, { ...row, project: found }]));
}

const findScheduleOwners = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('pipeline_schedules as s')
    .select(['s.id', 's.owner_id'])
    .where('s.id', '=', anyOf(ids, 'bigint'))
    .where('s.owner_id', 'is not', null)
    .$narrowType<{ owner_id: number }>(),
);

/** Who owns each of many schedules, by the schedule's id; those without an owner are left out. */
export async function loadScheduleOwners(ctx: Context, scheduleIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await findScheduleOwners(ctx, { ids: scheduleIds });
  return new Map(rows.map(({ id, owner_id }) => [id, owner_id]));
}
