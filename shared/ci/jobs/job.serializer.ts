import type { Context } from '../../core/context/context.js';
import { readCommits } from '../../git/index.js';
import type { Commit } from '../../git/index.js';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { detailedStatus } from '../pipelines/detailed-status.js';
import { basicPipeline } from '../pipelines/pipeline.serializer.js';
import { commitSerializer } from '../../repositories/branches-and-tags/branch.serializer.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { managersOfJobs, runnersOfJobs } from '../runners/runner.finder.js';
import { runnerManagerSummary, runnerSummary } from '../runners/runner.serializer.js';
import type { JobRecord } from './job.finder.js';
import { needNames } from './job-needs.js';

const getCommitKey = ({ project_id: projectId, pipeline }: Readonly<JobRecord>) => `${projectId} ${pipeline.sha}`;

/** The commits of a page of jobs: by one git process for each project. */
const commits = load(getCommitKey, async (ctx, jobs): Promise<Map<string, Commit>> => {
  const byProject = [...Map.groupBy(jobs, (job) => job.project_id).values()];
  const found = byProject.map(async (some) => {
    const { project } = some[0]!;
    if (!project.repository_created) return [];
    const shas = some.map((job) => job.pipeline.sha);
    const bySha = await readCommits(openRepository(ctx, project), shas);
    return [...bySha].map(([sha, commit]) => [`${project.id} ${sha}`, commit] as const);
  });
  return new Map((await Promise.all(found)).flat());
});

function getCommit(job: JobRecord, ctx: Context) {
  const commit = commits.of(job, ctx);
  return commit ? { ...commit, project: job.project } : null;
}

function secondsBetween(from: Date | null | undefined, to: Date): number | null {
  return from ? Math.max(0, (to.getTime() - from.getTime()) / 1000) : null;
}

const jobPath = (job: JobRecord) => `/${job.project.full_path}/-/jobs/${job.id}`;

const projectOfJob = serializer<JobRecord>('JobProject', { ci_job_token_scope_enabled: out.boolean(() => false) });

/** What every answer shows of a job. Times in seconds; a job that still runs or waits counts up to now. */
const basicJobFields: Record<string, OutField<JobRecord>> = {
  id: out.integer((job) => job.id),
  status: out.text((job) => job.status),
  stage: out.text((job) => job.stage),
  name: out.text((job) => job.name),
  ref: out.text((job) => job.pipeline.ref),
  tag: out.boolean((job) => job.pipeline.tag),
  coverage: out.number((job) => job.coverage),
  allow_failure: out.boolean((job) => job.allow_failure),
  failure_reason: out.nullableText((job) => job.failure_reason, {
    description: 'Reason of the failure, such as `script_failure`; null for any other status.',
  }),
  created_at: out.instant((job) => job.created_at),
  started_at: out.nullableInstant((job) => job.started_at),
  finished_at: out.nullableInstant((job) => job.finished_at),
  erased_at: out.nullableInstant((job) => job.erased_at),
  duration: out.number((job, ctx) => secondsBetween(job.started_at, job.finished_at ?? ctx.clock.now())),
  queued_duration: out.number((job, ctx) =>
    secondsBetween(job.queued_at, job.started_at ?? job.finished_at ?? ctx.clock.now()),
  ),
  user: out.nullableRecord(userSummary, (job) => job.user),
  commit: out.nullableRecord(commitSerializer, getCommit),
  pipeline: out.record(basicPipeline, (job) => job.pipeline),
  web_url: out.text((job, ctx) => ctx.config.externalUrl + jobPath(job)),
};

/** A job (core-resources.md section 9). */
export const jobSerializer = serializer<JobRecord>(
  'Job',
  {
    ...basicJobFields,
    project: out.record(projectOfJob, (job) => job),
    // Executors keep their own artifacts.
    artifacts: out.any(() => [], { type: 'array', items: { type: 'object' } }),
    artifacts_expire_at: out.nullableInstant(() => null),
    runner: out.nullableRecord(runnerSummary, (job, ctx) => runnersOfJobs.of(job, ctx) ?? null),
    runner_manager: out.nullableRecord(runnerManagerSummary, (job, ctx) => managersOfJobs.of(job, ctx) ?? null),
    failure_reason: out.nullableText((job) => job.failure_reason),
    detailed_status: out.any((job) => detailedStatus(job.status, jobPath(job), job.failure_reason), {
      type: 'object',
      description: 'Display of the status; the tooltip of a failed job says why, and what to do next.',
    }),
    archived: out.boolean(() => false),
    tag_list: out.texts((job) => job.tag_list),
    when: out.nullableText((job) => job.when, {
      description:
        'Condition for the start of the job: `on_success`, `on_failure`, `always`, `manual` or `delayed`; null for statuses.',
    }),
    scheduled_at: out.nullableInstant((job) => job.scheduled_at),
    time_to_first_log_ms: out.nullableInteger(
      ({ first_log_at: first, queued_at: queued }) => (first && queued ? first.getTime() - queued.getTime() : null),
      { description: 'Milliseconds from when the job became pending to the first bytes of its log; null without any.' },
    ),
    needs: out.any((job, ctx) => needNames.of(job, ctx) ?? null, {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Names of the jobs in `needs`; null for statuses that executors report.',
    }),
  },
  { loads: [commits, needNames, runnersOfJobs, managersOfJobs] },
);

const projectOfRunnerJob = serializer<ProjectRecord>('ProjectOfRunnerJob', {
  id: out.integer((project) => project.id),
  description: out.nullableText((project) => project.description ?? null),
  name: out.text((project) => project.name),
  name_with_namespace: out.text((project) => project.full_name),
  path: out.text((project) => project.path),
  path_with_namespace: out.text((project) => project.full_path),
  created_at: out.instant((project) => project.created_at),
});

/** A job in the list of a runner's: with its project. */
export const jobOfRunner = serializer<JobRecord>(
  'JobOfRunner',
  { ...basicJobFields, project: out.record(projectOfRunnerJob, (job) => job.project) },
  { loads: [commits] },
);
