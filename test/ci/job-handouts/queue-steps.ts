import { sql } from 'kysely';
import type { AskingManager } from '../../../shared/ci/job-handouts/claim-job.js';
import { enqueueJobs } from '../../../shared/ci/job-queue/enqueue-jobs.js';
import { sealDefinition } from '../../../shared/ci/processing/job-definition.js';
import type { StoredDefinition } from '../../../shared/ci/processing/job-definition.js';
import type { Runner } from '../../../shared/ci/runners/runner.entity.js';
import { noteUptime } from '../../../shared/ci/uptimes/uptimes.js';
import type { TestApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import type { Stage } from '../../core/stage.js';
import { buildJobDefinition } from '../job-definition-sample.js';

/** A stored runner with one manager. */
export interface BuiltRunner {
  readonly runner: Runner;
  readonly manager: AskingManager;
}

type RunnerOptions = Partial<
  Pick<
    Runner,
    'runner_type' | 'namespace_id' | 'tag_list' | 'run_untagged' | 'access_level' | 'maximum_timeout' | 'paused'
  >
> & { projects?: readonly { id: number }[]; features?: Record<string, boolean> };

/** Stores a runner: of the instance and for any job unless told otherwise. */
export async function buildRunner(app: TestApp, options: RunnerOptions = {}): Promise<BuiltRunner> {
  const { projects = [], features = {} } = options;
  const ctx = app.context();
  const now = app.clock.now();
  return ctx.transaction(async () => {
    const [runner] = await ctx.query<Runner>(sql`
      insert into runners (runner_type, namespace_id, token_digest, paused, run_untagged, access_level, maximum_timeout,
          tag_list, contacted_at, created_at, updated_at)
        values (${options.runner_type ?? 'instance_type'}, ${options.namespace_id ?? null},
          ${app.services.keys.digest(`runner ${unique()}`)}, ${options.paused ?? false},
          ${options.run_untagged ?? true}, ${options.access_level ?? 'not_protected'},
          ${options.maximum_timeout ?? null}, ${options.tag_list ?? []}::text[], ${now}, ${now}, ${now})
        returning *`);
    const { id } = runner as Runner;
    const [manager] = await ctx.query<{ id: number }>(sql`
      insert into runner_managers (runner_id, system_id, features, contacted_at, created_at, updated_at)
        values (${id}, 's_1', ${JSON.stringify(features)}::jsonb, ${now}, ${now}, ${now}) returning id`);
    for (const project of projects)
      await ctx.query(sql`
        insert into runner_projects (runner_id, project_id, created_at) values (${id}, ${project.id}, ${now})`);
    return { runner: runner as Runner, manager: { id: (manager as { id: number }).id, features } };
  });
}

interface QueuedOptions {
  tag_list?: readonly string[];
  protected?: boolean;
  definition?: Partial<StoredDefinition>;
}

/** Stores a pipeline with pending jobs that wait for runners. @returns the ids of the jobs */
export async function queueJobs(
  app: Stage,
  project: { id: number; owner: { id: number } },
  count: number,
  options: QueuedOptions = {},
): Promise<number[]> {
  const ctx = app.context();
  const now = app.clock.now();
  return ctx.transaction(async () => {
    const isProtected = options.protected ?? false;
    const [pipeline] = await ctx.query<{ id: number }>(sql`
      insert into pipelines (project_id, iid, kind, ref, sha, before_sha, status, source, user_id, stages, protected,
          created_at, updated_at)
        values (${project.id}, ${1000 + unique()}, 'config', 'main', ${'1'.repeat(40)}, ${'0'.repeat(40)}, 'pending', 'api',
          ${project.owner.id}, '{test}', ${isProtected}, ${now}, ${now}) returning id`);
    const { id: pipelineId } = pipeline as { id: number };
    const definition = sealDefinition(ctx, pipelineId, buildJobDefinition(options.definition));
    const [stored] = await ctx.query<{ id: number }>(sql`
      insert into job_definitions (project_id, pipeline_id, definition) values (${project.id}, ${pipelineId}, ${definition})
        returning id`);
    const jobs = await ctx.query<{ id: number }>(sql`
      insert into jobs (project_id, pipeline_id, kind, name, stage, stage_index, "when", status, user_id, definition_id,
          protected, tag_list, timeout, queued_at, created_at, updated_at)
        select ${project.id}, ${pipelineId}, 'build', 'job ' || n, 'test', 0, 'on_success', 'pending', ${project.owner.id},
            ${(stored as { id: number }).id}, ${isProtected}, ${options.tag_list ?? []}::text[], ${null}::int, ${now},
            ${now}, ${now}
          from generate_series(1, ${count}::int) n
        returning id`);
    const ids = jobs.map(({ id }) => id);
    await enqueueJobs(ctx, ids);
    return ids;
  });
}

/** What a test looks at of a job. */
export interface StoredJob {
  status: string;
  failure_reason: string | null;
  runner_id: number | null;
  runner_manager_id: number | null;
  handouts: number;
  timeout: number | null;
  started_at: Date | null;
}

/** A job as it is stored. */
export async function getStoredJob(app: TestApp, id: number): Promise<StoredJob> {
  const [job] = await app.context().query<StoredJob>(sql`
    select status, failure_reason, runner_id, runner_manager_id, handouts, timeout, started_at from jobs where id = ${id}`);
  return job as StoredJob;
}

/** Whether a job is queued. */
export async function isQueued(app: TestApp, id: number): Promise<boolean> {
  return (await app.context().query(sql`select id from ci_queue where job_id = ${id}`)).length > 0;
}

/** Lets time pass in which an API process is there to hear runners; without this nobody is. */
export async function serveFor(app: TestApp, duration: string): Promise<void> {
  await noteUptime(app.services.db, app.clock.now());
  app.clock.advance(duration);
  await app.context().query(sql`
    update instance_uptimes set noted_at = ${app.clock.now()}
     where id = (select id from instance_uptimes order by noted_at desc limit 1)`);
}
