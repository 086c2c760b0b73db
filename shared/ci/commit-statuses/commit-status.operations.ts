import type { Expression, SqlBool } from 'kysely';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { SignedInContext } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { TAKEN } from '../../core/values/database-errors.js';
import { Invalid } from '../../core/values/errors.js';
import type { CiDatabase } from '../ci.entities.js';
import { decimal, boolean, integer, optional, oneOf, text, withDefault } from '../../core/operations/fields.js';
import { byId } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { Job } from '../pipelines/job.entity.js';
import { findJob, findPipelineJobs, onPipelineJobs } from '../jobs/job.finder.js';
import type { JobRecord } from '../jobs/job.finder.js';
import { syncPipeline } from '../pipelines/pipeline-progress.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { requireCommit } from '../../repositories/repositories/commit-of.js';
import { shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { pipelineForStatus } from './status-pipeline.js';
import { COMMIT_STATES, moved } from './transitions.js';

/** The stage that everything reported from outside is in. */
const STAGE = 'external';
/** States in which a job is not done yet. */
const OPEN: readonly string[] = ['created', 'pending', 'running'];
const MAX_LENGTH = 255;

const sha = text()
  .describe('Commit SHA, branch, or tag.')
  .meta({ examples: ['main'] });

/** List what was reported of a commit: of each pipeline the newest of each name, or everything. */
export const listCommitStatuses = operation({
  name: 'listCommitStatuses',
  summary: 'List the statuses of a commit',
  resource: project,
  can: can(projectPolicy, 'read_pipeline'),
  kind: 'read',
  statements: 7,
  params: {
    sha,
    ref: optional(text()).describe('Filter by branch or tag.'),
    stage: optional(text()).describe('Filter by stage of the status.'),
    name: optional(text()).describe('Filter by name of the status.'),
    pipeline_id: optional(integer()).describe('Filter by pipeline ID.'),
    all: withDefault(boolean(), false).describe('If `true`, also includes statuses that newer ones replaced.'),
    order_by: withDefault(oneOf(['id', 'pipeline_id']), 'id').describe('Column to sort the statuses by.'),
    sort: withDefault(oneOf(['asc', 'desc']), 'asc').describe('Sort direction of the statuses.'),
  },
  async run(ctx, found, input) {
    const where: Expression<SqlBool>[] = [onPipelineJobs('pl.sha', '=', await requireCommit(ctx, found, input.sha))];
    if (!input.all) where.push(onPipelineJobs('j.retried', '=', constant(false)));
    if (input.ref !== undefined) where.push(onPipelineJobs('pl.ref', '=', shortRef(input.ref)));
    if (input.stage !== undefined) where.push(onPipelineJobs('j.stage', '=', input.stage));
    if (input.name !== undefined) where.push(onPipelineJobs('j.name', '=', input.name));
    if (input.pipeline_id !== undefined) where.push(onPipelineJobs('j.pipeline_id', '=', input.pipeline_id));
    const last = byId<JobRecord>('j', input.sort);
    const first = {
      ...last,
      key: 'pipeline_id',
      expression: onPipelineJobs.ref('j.pipeline_id'),
      value: (job: JobRecord) => job.pipeline_id,
    };
    return { ...findPipelineJobs(found, where), order: input.order_by === 'id' ? [last] : [first, last] };
  },
});

interface Report {
  target_url?: string | undefined;
  description?: string | undefined;
  coverage?: number | undefined;
}

function checkReport(name: string, { target_url: url, description }: Report): void {
  const problems: Record<string, string[]> = {};
  const tooLong = `is too long (maximum is ${MAX_LENGTH} characters)`;
  const add = (field: string, problem: string) => (problems[field] = [...(problems[field] ?? []), problem]);
  if (name.length > MAX_LENGTH) add('name', tooLong);
  if (url !== undefined && url.length > MAX_LENGTH) add('target_url', tooLong);
  if (url !== undefined && !(/^https?:\/\//i.test(url) && URL.canParse(url)))
    add('target_url', 'is blocked: Only allowed schemes are http, https');
  if (description !== undefined && description.length > MAX_LENGTH) add('description', tooLong);
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** A new one has no id until it is stored. */
type OpenJob = Omit<Job, 'id'> & { id?: number };

/** What a job has that nobody but its executor knows anything of. */
const REPORTED = {
  kind: 'status' as const,
  stage_index: null,
  when: null,
  needs_jobs: false,
  start_in: null,
  scheduled_at: null,
  failure_reason: null,
  exit_code: null,
  definition_id: null,
  runner_id: null,
  runner_manager_id: null,
  protected: false,
  interruptible: false,
  resource_group_id: null,
  timeout: null,
  handouts: 0,
  first_log_at: null,
  log_incomplete: false,
  erased_at: null,
  erased_by_id: null,
} satisfies Partial<Job>;

/**
 * The unfinished job with that name, or a new job that replaces the earlier one.
 * @throws Invalid if a job of the configuration, in a stage with the same name as ours, has that name: a runner does it
 */
async function openJob(ctx: SignedInContext, found: ProjectRecord, pipelineId: number, name: string): Promise<OpenJob> {
  const db = ctx.em.getKysely<CiDatabase>();
  // `retried` is compared with a constant because the partial index matches only this exact condition.
  const newest = await db
    .selectFrom('jobs as j')
    .select(columns(Job, 'j'))
    .where('j.project_id', '=', found.id)
    .where('j.pipeline_id', '=', pipelineId)
    .where('j.stage', '=', STAGE)
    .where('j.name', '=', name)
    .where('j.retried', '=', constant(false))
    .executeTakeFirst();
  if (newest?.kind === 'build') throw new Invalid({ name: [TAKEN] });
  if (newest && OPEN.includes(newest.status)) return newest;
  const now = ctx.clock.now();
  if (newest)
    await db.updateTable('jobs').set({ retried: true, updated_at: now }).where('id', '=', newest.id).execute();
  return {
    ...REPORTED,
    tag_list: [],
    project_id: found.id,
    pipeline_id: pipelineId,
    stage: STAGE,
    name,
    retried: false,
    status: 'created',
    allow_failure: false,
    coverage: null,
    target_url: null,
    description: null,
    user_id: ctx.caller.user.id,
    queued_at: null,
    started_at: null,
    finished_at: null,
    created_at: now,
    updated_at: now,
  };
}

/** Report the state of something that an outside executor does for a commit. This is what moves pipelines. */
export const setCommitStatus = operation({
  name: 'setCommitStatus',
  summary: 'Set the status of a commit',
  resource: project,
  can: can(projectPolicy, 'create_commit_status'),
  kind: 'write',
  statements: 20,
  params: {
    sha,
    state: oneOf(COMMIT_STATES).describe('State of the status.'),
    ref: optional(text()).describe('Branch or tag of the status.'),
    name: optional(text()).describe(
      'Name of the status: one job of the pipeline for each name. Defaults to `default`.',
    ),
    context: optional(text()).describe('Alias for `name`.'),
    target_url: optional(text()).describe('URL of the page of the executor that shows the status.'),
    description: optional(text()).describe('Short description of the status.'),
    coverage: optional(decimal()).describe('Test coverage as a percentage.'),
    pipeline_id: optional(integer()).describe(
      'ID of the pipeline to set the status on, if a commit has several pipelines.',
    ),
  },
  async run(ctx, found, input) {
    const name = input.name ?? input.context ?? 'default';
    const commit = await requireCommit(ctx, found, input.sha);
    checkReport(name, input);
    const pipelineId = await pipelineForStatus(ctx, found, { ...input, sha: commit });
    const { id: openId, ...job } = await openJob(ctx, found, pipelineId, name);
    const reported = {
      ...(input.target_url === undefined ? {} : { target_url: input.target_url }),
      ...(input.description === undefined ? {} : { description: input.description }),
      ...(input.coverage === undefined ? {} : { coverage: input.coverage }),
      ...moved(job, input.state, ctx.clock.now()),
    };
    const id = openId ?? (await ctx.em.insert(Job, { ...job, ...reported }));
    if (openId !== undefined) await ctx.em.nativeUpdate(Job, { id }, reported);
    await syncPipeline(ctx, pipelineId);
    return findJob(ctx, found, id);
  },
});

/** A job as what was reported of a commit (contract decision 17). */
export const commitStatusSerializer = serializer<JobRecord>('CommitStatus', {
  id: out.integer((job) => job.id),
  sha: out.text((job) => job.pipeline.sha),
  ref: out.text((job) => job.pipeline.ref),
  status: out.text((job) => job.status),
  name: out.text((job) => job.name),
  target_url: out.nullableText((job) => job.target_url),
  description: out.nullableText((job) => job.description),
  created_at: out.instant((job) => job.created_at),
  started_at: out.nullableInstant((job) => job.started_at),
  finished_at: out.nullableInstant((job) => job.finished_at),
  allow_failure: out.boolean((job) => job.allow_failure),
  coverage: out.number((job) => job.coverage),
  pipeline_id: out.integer((job) => job.pipeline_id),
  author: out.nullableRecord(userSummary, (job) => job.user),
});
