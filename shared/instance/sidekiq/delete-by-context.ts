import { NotFound } from '../../core/values/errors.js';
import { presentText } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { deleteWaiting, queueExists } from '../pg-boss/delete-waiting.js';

/**
 * By what of their context jobs are deleted (jobs-admin.md section 1). Our jobs carry no plan, pipeline, client or
 * address: who filters by one finds nothing. Left undeclared, such a filter would be ignored, and more be deleted.
 */
const FILTERS = [
  'user',
  'project',
  'root_namespace',
  'subscription_plan',
  'caller_id',
  'feature_category',
  'worker_class',
  'job_id',
  'user_id',
  'pipeline_id',
  'client_id',
  'remote_ip',
] as const;

type Filter = (typeof FILTERS)[number];

const DESCRIBED: Partial<Record<Filter, string>> = {
  user: 'Only jobs that this user asked for, by username.',
  project: 'Only jobs about this project, by its full path.',
  root_namespace: 'Only jobs about what is in this top-level namespace.',
  caller_id: 'Only jobs that this operation or job sent.',
  feature_category: 'Only jobs of this feature.',
  worker_class: 'Only jobs of this kind: the name of their queue.',
  job_id: 'Only the job of this id.',
};

const filter = (name: Filter) =>
  presentText()
    .refine((value) => value.length <= 255, 'is too long')
    .optional()
    .describe(DESCRIBED[name] ?? 'No job carries it, so nothing is found by it.');

const params = Object.fromEntries(FILTERS.map((name) => [name, filter(name)])) as Record<
  Filter,
  ReturnType<typeof filter>
>;

/** Delete the queued jobs of a queue by context values. */
export const deleteJobsByContext = operation({
  name: 'deleteSidekiqQueueJobs',
  summary: 'Delete waiting jobs of a queue by their context',
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  offerings: ['self-managed'],
  params: {
    queue_name: presentText()
      .describe('Name of the queue.')
      .meta({ examples: ['queue_jobs.tend'] }),
    ...params,
  },
  rules: [getAtLeastOne(...FILTERS)],
  example: { user: 'ada' },
  async run(ctx, _instance, { queue_name: queue, ...conditions }) {
    if (!(await queueExists(ctx, queue))) throw NotFound.unspecified();
    const filters = Object.entries(conditions).filter((entry): entry is [Filter, string] => entry[1] !== undefined);
    const marks = filters.map(([key, value]) => ({ key, value }));
    const result = await deleteWaiting(ctx, queue, marks);
    ctx.record({
      type: 'queue_jobs.deleted_by_context',
      queue,
      filters: Object.fromEntries(filters),
      deleted: result.deleted_jobs,
    });
    return result;
  },
});
