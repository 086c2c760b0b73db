import { aboutProject } from '../../core/job-context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Commit } from '../../git/index.js';
import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { Job } from '../pipelines/job.entity.js';

/** A job with its pipeline, its project, and who reported it. */
export interface JobRecord extends Job {
  project: ProjectRecord;
  pipeline: Pipeline & { project: ProjectRecord };
  user: UserSummary | null;
  /** Loaded from git by the shape that shows it. */
  commit: Commit | null;
}

const selected: Fragment = sql`${textColumns(Job, 'j')}, ${textColumns(Pipeline, 'pl', 'pipeline.')}, ${userSummaryColumns('u', 'user.')}`;
const tables: Fragment = sql`jobs j join pipelines pl on pl.id = j.pipeline_id left join users u on u.id = j.user_id`;

const withProject = (found: ProjectRecord) => (row: JobRecord) => ({
  ...row,
  project: found,
  pipeline: { ...row.pipeline, project: found },
  commit: null,
});

/** A project's jobs, newest first; filters on `j` and `pl` are added to `where`. */
export function jobsOf(found: ProjectRecord, where: readonly Fragment[] = []): TextList<JobRecord> {
  return {
    select: selected,
    from: tables,
    where: [sql`j.project_id = ${found.id}`, ...where],
    order: [byId('j', 'desc')],
    read: withProject(found),
  };
}

/** @throws NotFound "404 Not found", also for a job of another project */
export async function findJob(ctx: Context, found: ProjectRecord, id: number): Promise<JobRecord> {
  const row = await ctx.queryOne<JobRecord>(sql`
    select ${selected} from ${tables} where j.project_id = ${found.id} and j.id = ${id}`);
  if (!row) throw new NotFound();
  return withProject(found)(row);
}

/** The subject of `/projects/:id/jobs/:job_id`. */
export const job: Subject<JobRecord> = {
  noun: 'Job',
  params: { ...project.params, job_id: integer().describe('Id of the job.') },
  async find(ctx, input: { id: string; job_id: number }) {
    const found = await project.find(ctx, input);
    if (!projectPolicy.read_pipeline(ctx.caller, found)) throw new Forbidden();
    return findJob(ctx, found, input.job_id);
  },
  about: (record) => aboutProject(record.project),
};
