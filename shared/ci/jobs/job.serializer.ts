import type { Context } from '../../core/context/context.js';
import { readCommits } from '../../git/index.js';
import type { Commit } from '../../git/index.js';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { basicPipeline } from '../pipelines/pipeline.serializer.js';
import { commitSerializer } from '../../repositories/branches-and-tags/branch.serializer.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import type { JobRecord } from './job.finder.js';
import { needNames } from './job-needs.js';

/** The commits of a page of jobs of one project: by one git process. */
const commits = load(
  (job: Readonly<JobRecord>) => job.pipeline.sha,
  async (ctx, jobs) => {
    const { project } = jobs[0]!;
    if (!project.repository_created) return new Map<string, Commit>();
    return readCommits(
      openRepository(ctx, project),
      jobs.map((job) => job.pipeline.sha),
    );
  },
);

function getCommit(job: JobRecord, ctx: Context) {
  const commit = commits.of(job, ctx);
  return commit ? { ...commit, project: job.project } : null;
}

function secondsBetween(from: Date | null | undefined, to: Date): number | null {
  return from ? Math.max(0, (to.getTime() - from.getTime()) / 1000) : null;
}

const projectOfJob = serializer<JobRecord>('JobProject', { ci_job_token_scope_enabled: out.boolean(() => false) });

/** A job (core-resources.md section 9). Times in seconds; a job that still runs or waits counts up to now. */
export const jobSerializer = serializer<JobRecord>(
  'Job',
  {
    id: out.integer((job) => job.id),
    status: out.text((job) => job.status),
    stage: out.text((job) => job.stage),
    name: out.text((job) => job.name),
    ref: out.text((job) => job.pipeline.ref),
    tag: out.boolean((job) => job.pipeline.tag),
    coverage: out.number((job) => job.coverage),
    allow_failure: out.boolean((job) => job.allow_failure),
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
    web_url: out.text((job, ctx) => `${ctx.config.externalUrl}/${job.project.full_path}/-/jobs/${job.id}`),
    project: out.record(projectOfJob, (job) => job),
    // Executors keep their own artifacts and runners.
    artifacts: out.any(() => [], { type: 'array', items: { type: 'object' } }),
    artifacts_expire_at: out.nullableInstant(() => null),
    runner: out.any(() => null, { type: ['object', 'null'] }),
    runner_manager: out.any(() => null, { type: ['object', 'null'] }),
    archived: out.boolean(() => false),
    tag_list: out.texts(() => []),
    when: out.nullableText((job) => job.when, {
      description: 'When the job starts: `on_success`, `on_failure`, `always`, `manual` or `delayed`; null for statuses.',
    }),
    scheduled_at: out.nullableInstant((job) => job.scheduled_at),
    needs: out.any((job, ctx) => needNames.of(job, ctx) ?? null, {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Names of the jobs in `needs`; null for statuses that executors report.',
    }),
  },
  { loads: [commits, needNames] },
);
