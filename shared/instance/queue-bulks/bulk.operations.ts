import { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { BadParams, Conflict } from '../../core/values/errors.js';
import { integer, list, oneOf, optional, presentText, wholeNumber } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { getAtLeastOne, mutuallyExclusive } from '../../core/operations/params.js';
import { queries } from '../../core/database/compile.js';
import type { InstanceDatabase } from '../instance.entities.js';
import { actOnJobs } from '../pg-boss/act-on-jobs.js';
import type { JobRef } from '../pg-boss/act-on-jobs.js';
import { isJobId } from '../pg-boss/find-jobs.js';
import type { JobFilter } from '../pg-boss/find-jobs.js';
import { findJobsById } from '../pg-boss/job.finder.js';
import { queueNow } from '../pg-boss/tables.js';
import { jobFilterParams } from '../queue-jobs/job-filter.js';
import { QueueBulk } from './queue-bulk.entity.js';
import { findBulk } from './queue-bulk.record.js';
import type { BulkAction, BulkAnswer, BulkRecord, BulkResult } from './queue-bulk.record.js';
import { bulkJob } from '../queue-jobs/queue-job.jobs.js';
import { countJobs, selectJobs } from '../pg-boss/search-jobs.js';

/** Jobs that one request acts on at most; more are left to a job. */
const AT_ONCE = 500;
/** Allowed deviation of the number of jobs from the number that the caller saw. */
const TOLERANCE = 0.1;

const jobId = () => presentText().refine(isJobId, 'is invalid');

const params = {
  action: oneOf(['retry', 'cancel', 'delete']).describe('Action to perform on each job whose state allows the action.'),
  ids: list(jobId())
    .refine((ids) => ids.length <= AT_ONCE, `has more than ${AT_ONCE} ids`)
    .meta({ type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: AT_ONCE })
    .optional()
    .describe('IDs of the jobs.'),
  filter: z
    .strictObject(jobFilterParams)
    .refine((filter) => Object.values(filter).some((value) => value !== undefined), 'is empty')
    .optional()
    .describe('Filters of a job search: selects all jobs that match; requires `expected_count`.'),
  expected_count: optional(wholeNumber(0)).describe('Number of jobs that the caller saw matching the filter.'),
};

async function actAtOnce(
  ctx: SignedInContext,
  action: BulkAction,
  jobs: readonly JobRef[],
  filter: JobFilter | null,
): Promise<BulkResult> {
  const affected = (await actOnJobs(ctx, action, jobs)).length;
  const result = { matched: jobs.length, affected, skipped: jobs.length - affected };
  ctx.record({ type: 'queue_jobs.bulk_done', action, filter, ...result });
  return { ...result, completed: true };
}

/** @throws Conflict when the filter finds many more or fewer jobs than the caller saw */
async function requireExpected(ctx: SignedInContext, filter: JobFilter, expected: number): Promise<number> {
  const most = Math.floor(expected * (1 + TOLERANCE));
  const found = await countJobs(ctx, filter, most + 1);
  if (found > most || found < Math.ceil(expected * (1 - TOLERANCE)))
    throw new Conflict(
      `The filter finds ${found > most ? `more than ${most}` : found} jobs now, not about ${expected}: look again.`,
    );
  return found;
}

/** Leaves it to a job of its own. */
async function leave(ctx: SignedInContext, action: BulkAction, filter: JobFilter, expected: number) {
  const { id: userId, username } = ctx.caller.user;
  // Uses the queue's clock, because it is compared with the jobs' timestamps.
  const { id } = await ctx.em
    .getKysely<InstanceDatabase>()
    .insertInto('queue_bulks')
    .columns(['action', 'filter', 'expected', 'created_by_id', 'created_by', 'created_at'])
    .expression(
      queries<InstanceDatabase>().selectNoFrom((eb) => [
        eb.val(action).as('action'),
        eb.cast(eb.val(JSON.stringify(filter)), 'jsonb').as('filter'),
        eb.val(expected).as('expected'),
        eb.val(userId).as('created_by_id'),
        eb.val(username).as('created_by'),
        queueNow.as('created_at'),
      ]),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.jobs.send(bulkJob, { bulk_id: id });
  ctx.record({ type: 'queue_jobs.bulk_asked', bulk_id: id, action, filter, expected });
  return { bulk_id: id };
}

/** Retry, cancel or delete many jobs, given by id or by a filter. */
export const actOnManyJobs = operation({
  name: 'actOnManyJobs',
  summary: 'Retry, cancel or delete many jobs',
  authentication: 'administrator',
  kind: 'write',
  resource: instance,
  params,
  example: { ids: ['5f7b0c1e-8d5a-4b7e-9c43-0c7d0c7c2f11'] },
  rules: [mutuallyExclusive('ids', 'filter'), getAtLeastOne('ids', 'filter')],
  async run(ctx, _instance, { action, ids, filter, expected_count: expected }): Promise<BulkAnswer> {
    if (filter === undefined) return actAtOnce(ctx, action, await findJobsById(ctx, [...new Set(ids)]), null);
    if (expected === undefined) throw new BadParams(['expected_count is missing']);
    const found = await requireExpected(ctx, filter, expected);
    if (found > AT_ONCE) return leave(ctx, action, filter, found);
    const first = selectJobs(filter, { sort: 'asc', limit: AT_ONCE });
    const jobs = await ctx.em
      .getKysely<InstanceDatabase>()
      .selectFrom(first.as('k'))
      .select((eb) => ['k.name as queue', eb.cast<string>('k.id', 'text').as('id')])
      .execute();
    return actAtOnce(ctx, action, jobs, filter);
  },
});

const bulkResource: Resource<BulkRecord> = {
  noun: 'Bulk',
  params: {
    bulk_id: integer()
      .describe('ID of the bulk action.')
      .meta({ examples: [1] }),
  },
  find: (ctx, { bulk_id: id }) => findBulk(ctx, id as number),
};

/** Read how far an action on many jobs has come. */
export const getBulk = operation({
  name: 'getJobBulk',
  summary: 'Read the progress of a bulk action on jobs',
  authentication: 'auditor',
  kind: 'read',
  resource: bulkResource,
  statements: 3,
  run: (_ctx, bulk) => Promise.resolve(bulk),
});

/** End an action on many jobs early; what it did so far stays done. */
export const cancelBulk = operation({
  name: 'cancelJobBulk',
  summary: 'Cancel a bulk action on jobs',
  authentication: 'administrator',
  kind: 'write',
  resource: bulkResource,
  async run(ctx, { id }) {
    // Waits for the step that is under way: the next one finds that there is nothing more to do.
    const changes = { finished_at: ctx.clock.now(), cancelled: true };
    const cancelled = await ctx.em.nativeUpdate(QueueBulk, { id, finished_at: null }, changes);
    if (cancelled === 0) throw new Conflict('The action is over and cannot be cancelled.');
    const bulk = await findBulk(ctx, id);
    const { action, matched, affected, skipped } = bulk;
    ctx.record({ type: 'queue_jobs.bulk_cancelled', id, action, matched, affected, skipped });
    return bulk;
  },
});
