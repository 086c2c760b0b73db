import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import { aboutProject } from '../../core/values/job-context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import type { Commit } from '../../git/index.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested, nestedOrNull } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { CiDatabase } from '../ci.entities.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { Job } from '../pipelines/job.entity.js';

/** A job with its pipeline, its project, and who reported it. */
export interface JobRecord extends Job {
  project: ProjectRecord;
  pipeline: Pipeline & { project: ProjectRecord };
  user: UserSummary | null;
  /** Loaded from git by the serializer that shows it. */
  commit: Commit | null;
}

/** Jobs `j` and their pipelines `pl`, as conditions name them. */
type OfJobs = Aliased<CiDatabase, { j: 'jobs'; pl: 'pipelines' }>;

/** Builds conditions on jobs `j` and their pipelines `pl`. */
export const onPipelineJobs = expressionBuilder<OfJobs, 'j' | 'pl'>();

/** Jobs `j` with their pipelines `pl`. */
export const jobTables = (db: Pick<Kysely<CiDatabase>, 'selectFrom'>) =>
  db.selectFrom('jobs as j').innerJoin('pipelines as pl', 'pl.id', 'j.pipeline_id');

/** Selects records of jobs `j`, their projects aside. */
export const selectJobRecords = <O>(query: SelectQueryBuilder<OfJobs, 'j' | 'pl', O>) =>
  query
    .leftJoin('users as u', 'u.id', 'j.user_id')
    .select([
      ...columns(Job, 'j'),
      ...nested('pipeline', Pipeline, 'pl'),
      ...nestedOrNull('user', User, 'u', { only: USER_SUMMARY }),
    ]);

type Row = Omit<JobRecord, 'commit' | 'pipeline' | 'project'> & { pipeline: Pipeline };

const withProject = (found: ProjectRecord) => (row: Row) => ({
  ...row,
  project: found,
  pipeline: { ...row.pipeline, project: found },
  commit: null,
});

/** A project's jobs, newest first; filters on `j` and `pl` are added to `where`. */
export function findPipelineJobs(found: ProjectRecord, where: readonly Expression<SqlBool>[] = []): List<JobRecord> {
  const list: List<JobRecord> = {
    matching: jobTables(expressionBuilder<CiDatabase>()).where('j.project_id', '=', found.id),
    select: selectJobRecords,
    order: [byId('j', 'desc')],
    read: withProject(found),
  };
  return narrow(list, where);
}

const loadJob = prepareQuery<CiDatabase, { project_id: number; id: number }, Row>((db, values) =>
  selectJobRecords(jobTables(db)).where('j.project_id', '=', values.project_id).where('j.id', '=', values.id),
);

/** @throws NotFound "404 Not found", also for a job of another project */
export async function findJob(ctx: Context, found: ProjectRecord, id: number): Promise<JobRecord> {
  const [row] = await loadJob(ctx, { project_id: found.id, id });
  if (!row) throw new NotFound();
  return withProject(found)(row);
}

/** The resource of `/projects/:id/jobs/:job_id`. */
export const job: Resource<JobRecord> = {
  noun: 'Job',
  params: { ...project.params, job_id: integer().describe('ID of the job.') },
  async find(ctx, input: { id: string; job_id: number }) {
    const found = await project.find(ctx, input);
    if (!projectPolicy.read_pipeline(ctx.caller, found)) throw new Forbidden();
    return findJob(ctx, found, input.job_id);
  },
  about: (record) => aboutProject(record.project),
};
