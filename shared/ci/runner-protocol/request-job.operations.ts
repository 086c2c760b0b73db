import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { optional, text } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { Conflict, Forbidden, Invalid } from '../../core/values/errors.js';
import type { CiDatabase } from '../ci.entities.js';
import { getHeldPolls } from '../job-handouts/held-polls.js';
import { putBack } from '../job-handouts/put-back-jobs.js';
import { requestJob } from '../job-handouts/request-job.js';
import type { RequestedJob } from '../job-handouts/request-job.js';
import { findRunnerByToken } from '../runners/runner-tokens.js';
import type { Runner } from '../runners/runner.entity.js';
import { touchRunnerManager } from '../runners/touch-runner-manager.js';
import { countRunnerRequest } from './count-request.js';
import { handOver } from './hand-over.js';
import type { HandedOver } from './hand-over.js';

/** Jobs that cannot be handed over, one after the other, until the runner is asked to come again. */
const ATTEMPTS = 5;

/** A runner as it is when it asks. */
interface AskingRunner extends Runner {
  /** How many changes of runners had been heard of before it was read. */
  readonly changes: number;
}

/** The runner of a token. @throws Forbidden for a token that is wrong, and for nothing else; RateLimited */
const askingRunner: Resource<AskingRunner, Caller> = {
  noun: 'Runner',
  params: {
    token: text()
      .describe('Authentication token of the runner; or in the header `RUNNER-TOKEN`.')
      .meta({ examples: ['glrt-token-of-the-runner'] }),
  },
  async find(ctx, { token }: { token: string }) {
    await countRunnerRequest(ctx, 'runner_jobs_request', token);
    const { changes } = getHeldPolls(ctx.services);
    const runner = await findRunnerByToken(ctx, token);
    if (!runner) throw new Forbidden();
    return { ...runner, changes };
  },
};

const findAssignment = prepareQuery((db: Kysely<CiDatabase>, { id }: Placeholders<{ id: number }>) =>
  db.selectFrom('runner_projects as rp').select('rp.id').where('rp.runner_id', '=', id).limit(1),
);

/** @throws Invalid for a runner of projects that are all gone */
async function requireProject(ctx: Context<Caller>, { id, runner_type: type }: Runner): Promise<void> {
  if (type !== 'project_type' || (await findAssignment(ctx, { id })).length > 0) return;
  throw new Invalid('422 Unprocessable entity - Runner is orphaned', 422);
}

/** A job for a runner, or the value that its next request is to bring. */
export type AnsweredRunner = HandedOver | { readonly payload: null; readonly last_update: string };

/** A job that cannot be described has failed, so that there may be another one. */
async function findWork(ctx: Context, runner: Runner, request: () => Promise<RequestedJob>): Promise<AnsweredRunner> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const { claim, ...rest } = await request();
    if (claim === 'lost') break;
    if (claim === null) {
      await requireProject(ctx, runner);
      return { payload: null, last_update: (rest as { last_update: string }).last_update };
    }
    const handed = await handOver(ctx, claim);
    if (handed) return handed;
  }
  throw new Conflict('409 Conflict');
}

/**
 * Give a runner a job. The request is held as long as there is none for it, if it brings the value that the one before
 * was answered with. It runs in no transaction: it waits, and each hand-out is a transaction of its own.
 */
export const requestJobOfRunner = operation({
  name: 'requestJobOfRunner',
  summary: 'Request a job for a runner',
  resource: askingRunner,
  authentication: 'open',
  kind: 'read',
  statements: 24,
  params: {
    system_id: optional(text()).describe('Name of the program that runs the jobs of the runner.'),
    last_update: optional(text()).describe('Value of `X-GitLab-Last-Update` in the answer to the last request.'),
    info: optional(z.looseObject({}).meta({ type: 'object' })).describe('Name, version and features of the program.'),
  },
  async run(ctx, runner, { system_id, last_update, info }): Promise<AnsweredRunner> {
    const manager = await touchRunnerManager(ctx, runner, { system_id, info, ip: ctx.origin.ip });
    return findWork(ctx, runner, () => requestJob(ctx, runner, manager, last_update ?? null, runner.changes));
  },
});

/** Takes back a job that could not be sent to its runner: it is queued again. */
export async function returnJob(ctx: Context<Caller>, { claim }: HandedOver): Promise<void> {
  try {
    await putBack(ctx, claim);
  } catch (error) {
    // It counts as lost once its runner has been silent for long enough.
    ctx.log.warn({ err: error, job_id: claim.job_id }, 'a job that reached no runner was not queued again');
  }
}
