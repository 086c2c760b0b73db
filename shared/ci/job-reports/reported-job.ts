import { integer, text } from '../../core/operations/fields.js';
import type { Caller } from '../../core/context/callers.js';
import type { Resource } from '../../core/operations/operation.js';
import { Forbidden } from '../../core/values/errors.js';
import { findRunByToken, isRunAlive, rejectEndedJob } from '../runner-protocol/find-run.js';
import type { FoundRun } from '../runner-protocol/find-run.js';
import { countRunnerRequest } from '../runner-protocol/count-request.js';

/**
 * The job that a runner reports about, by the token that it was given out with. A pending one waits for its runner to
 * confirm that it has it.
 * @throws Forbidden for a token that is unknown or another job's, and for one that is over, with the job's state
 */
export const reportedJob: Resource<FoundRun, Caller> = {
  noun: 'Job',
  params: {
    job_id: integer().describe('ID of the job.'),
    token: text()
      .describe('Token that the job was handed out with; or in the header `JOB-TOKEN`.')
      .meta({ examples: ['cjt-token-of-the-job'] }),
  },
  async find(ctx, { job_id: id, token }: { job_id: number; token: string }) {
    await countRunnerRequest(ctx, 'runner_jobs_endpoints', token);
    const run = await findRunByToken(ctx, id, token);
    if (!run) throw new Forbidden();
    if (!isRunAlive(run) && run.job.status !== 'pending') throw rejectEndedJob(run.job);
    return run;
  },
};
