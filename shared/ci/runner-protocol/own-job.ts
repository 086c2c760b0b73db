import { Unauthenticated } from '../../core/values/errors.js';
import { ANONYMOUS } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import { text, withDefault } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { projectsOfIds } from '../../tenancy/projects/project.finder.js';
import { findJob } from '../jobs/job.finder.js';
import type { JobRecord } from '../jobs/job.finder.js';
import { countRunnerRequest } from './count-request.js';
import { findRunOfToken, isRunAlive } from './find-run.js';
import { noteJobContact } from './note-contact.js';

/** The job of a token, as long as the job runs. @throws Unauthenticated */
const ownJob: Resource<JobRecord, Caller> = {
  noun: 'Job',
  params: { job_token: withDefault(text(), '').describe('Token of a job that runs; or in the header `JOB-TOKEN`.') },
  async find(ctx, { job_token: token }: { job_token: string }) {
    await countRunnerRequest(ctx, 'runner_jobs_endpoints', token);
    const run = await findRunOfToken(ctx, token);
    if (!run || !isRunAlive(run)) throw new Unauthenticated('unknown');
    await noteJobContact(ctx, ctx.services, run);
    const anonymous = ctx.as(ANONYMOUS);
    const [project] = await projectsOfIds(anonymous, [run.job.project_id]);
    if (!project) throw new Unauthenticated('unknown');
    return findJob(anonymous, project, run.job.id);
  },
};

/** Read the job of a token. */
export const getOwnJob = operation({
  name: 'getOwnJob',
  summary: 'Read the job of a job token',
  resource: ownJob,
  authentication: 'open',
  kind: 'read',
  statements: 6,
  run: (_ctx, found) => Promise.resolve(found),
});
