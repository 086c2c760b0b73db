import { aboutProject } from '../../core/job-context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { integer } from '../../core/fields.js';
import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { empty, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { Pipeline } from './pipeline.entity.js';

/** A pipeline with its project and the user it was made for, without its inputs, which are secret and may be long. */
export interface PipelineRecord extends Omit<Pipeline, 'inputs'> {
  project: ProjectRecord;
  user: UserSummary | null;
  /** Who owns the schedule that it is a run of; loaded with one pipeline, not with lists. */
  schedule_owner_id?: number | null;
}

const listedColumns = Object.keys(Pipeline.meta.properties).filter((name) => name !== 'inputs');
export const pipelineColumns: Fragment = sql`${textColumns(Pipeline, 'pl', '', listedColumns)}, ${userSummaryColumns('u', 'user.')}`;
export const pipelineTables: Fragment = sql`pipelines pl left join users u on u.id = pl.user_id`;

/** A project's pipelines, newest first; filters are added to `where`. */
export function pipelinesOf(found: ProjectRecord, where: readonly Fragment[] = []): TextList<PipelineRecord> {
  return {
    select: pipelineColumns,
    from: pipelineTables,
    where: [sql`pl.project_id = ${found.id}`, ...where],
    order: [byId('pl', 'desc')],
    read: (row) => ({ ...row, project: found }),
  };
}

/** The newest pipeline of the commit that a branch or tag points at now, or null. */
export async function newestPipelineOfHead(
  ctx: Context,
  found: ProjectRecord,
  ref: string,
): Promise<PipelineRecord | null> {
  const name = shortRef(ref);
  const fullName =
    name === ref ? sql`case when pl.tag then 'refs/tags/' else 'refs/heads/' end || pl.ref` : sql`${ref}`;
  const row = await ctx.queryOne<PipelineRecord>(sql`
    select ${pipelineColumns} from ${pipelineTables}
      join repository_refs head
        on head.project_id = pl.project_id and head.full_name = ${fullName} and head.target_sha = pl.sha
     where pl.project_id = ${found.id} and pl.ref = ${name} order by pl.id desc limit 1`);
  return row && { ...row, project: found };
}

/**
 * For a write its row is locked, so that what is found is what is changed.
 * @throws NotFound "404 Not found", also for a pipeline of another project
 */
export async function findPipeline(ctx: Context, found: ProjectRecord, id: number): Promise<PipelineRecord> {
  if (!projectPolicy.read_pipeline(ctx.caller, found)) throw new Forbidden();
  const row = await ctx.queryOne<PipelineRecord>(sql`
    select ${pipelineColumns},
           (select s.owner_id from pipeline_schedules s where s.id = pl.pipeline_schedule_id) as "schedule_owner_id"
      from ${pipelineTables} where pl.project_id = ${found.id} and pl.id = ${id}
    ${ctx.inTransaction ? sql`for no key update of pl` : empty}`);
  if (!row) throw new NotFound();
  return { ...row, project: found };
}

/** The subject of `/projects/:id/pipelines/:pipeline_id…`. */
export const pipeline: Subject<PipelineRecord> = {
  noun: 'Pipeline',
  params: { ...project.params, pipeline_id: integer().describe('Id of the pipeline.') },
  async find(ctx, input: { id: string; pipeline_id: number }) {
    return findPipeline(ctx, await project.find(ctx, input), input.pipeline_id);
  },
  about: (record) => aboutProject(record.project),
};

/** The newest pipeline of each of many schedules, by the schedule's id, each by one index look-up. */
export async function newestPipelinesOfSchedules(
  ctx: Context,
  scheduleIds: readonly number[],
): Promise<Map<number, Omit<PipelineRecord, 'project'>>> {
  const rows = await ctx.query<PipelineRecord>(sql`
    select newest.* from unnest(${scheduleIds}::bigint[]) as wanted (id)
     cross join lateral (select ${pipelineColumns} from ${pipelineTables}
       where pl.pipeline_schedule_id = wanted.id order by pl.id desc limit 1) newest`);
  return new Map(rows.map((row) => [row.pipeline_schedule_id as number, row]));
}

/** The newest pipeline of each of many commits of a project, by sha, each by one index look-up. */
export async function newestPipelinesOfCommits(
  ctx: Context,
  found: ProjectRecord,
  shas: readonly string[],
): Promise<Map<string, PipelineRecord>> {
  const rows = await ctx.query<PipelineRecord>(sql`
    select newest.* from unnest(${shas}::text[]) as wanted (sha)
     cross join lateral (select ${pipelineColumns} from ${pipelineTables}
       where pl.project_id = ${found.id} and pl.sha = wanted.sha order by pl.id desc limit 1) newest`);
  return new Map(rows.map((row) => [row.sha, { ...row, project: found }]));
}

/** Who owns each of many schedules, by the schedule's id; those without an owner are left out. */
export async function scheduleOwnersOf(ctx: Context, scheduleIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.query<{ id: number; owner_id: number }>(sql`
    select s.id as "id", s.owner_id as "owner_id" from pipeline_schedules s
     where s.id = any(${scheduleIds}::bigint[]) and s.owner_id is not null`);
  return new Map(rows.map(({ id, owner_id }) => [id, owner_id]));
}
