import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { StoredDefinition } from '../../../shared/ci/processing/job-definition.js';
import { sealDefinition } from '../../../shared/ci/processing/job-definition.js';
import { claimJob } from '../../../shared/ci/job-handouts/claim-job.js';
import { enqueueJobs } from '../../../shared/ci/job-queue/enqueue-jobs.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { createRunnerToken } from '../../../shared/ci/runners/runner-tokens.js';
import { touchRunnerManager } from '../../../shared/ci/runners/touch-runner-manager.js';
import type { TestApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import type { BuiltUser } from '../../core/builders.js';
import { buildJobDefinition } from '../job-definition-sample.js';

const run = promisify(execFile);

/** A runner of the instance. */
export interface TestRunner {
  id: number;
  token: string;
}

interface RunnerColumns {
  runner_type?: 'instance_type' | 'project_type';
  paused?: boolean;
  run_untagged?: boolean;
  tag_list?: string[];
  access_level?: 'not_protected' | 'ref_protected';
}

export interface TestJob {
  id: number;
  pipeline_id: number;
}

export interface JobOptions {
  definition?: Partial<StoredDefinition>;
  isProtected?: boolean;
  ref?: string;
  tag?: boolean;
  user?: BuiltUser;
}

type TestProject = { id: number; owner: BuiltUser };

/** Steps of tests in which runners and jobs talk to the service. */
export function protocolSteps(app: TestApp) {
  const insertOne = async (query: Parameters<ReturnType<TestApp['context']>['query']>[0]) =>
    (await app.context().query<{ id: number }>(query))[0]!.id;

  return {
    async createRunner(columns: RunnerColumns = {}): Promise<TestRunner> {
      const token = createRunnerToken();
      const now = app.clock.now();
      const { runner_type = 'instance_type', paused = false, run_untagged = true, tag_list = [] } = columns;
      const { access_level = 'not_protected' } = columns;
      const id = await insertOne(sql`
        insert into runners (runner_type, token_digest, paused, run_untagged, tag_list, access_level, description,
          created_at, updated_at)
        values (${runner_type}, ${app.services.keys.digest(token)}, ${paused}, ${run_untagged}, ${tag_list}::text[],
          ${access_level}, 'of tests', ${now}, ${now}) returning id`);
      return { id, token };
    },

    /** A pending job on the head of `main` in a pipeline of its own, whose ref is in the repository. */
    async createJob(project: TestProject, options: JobOptions = {}): Promise<TestJob> {
      const { ref = 'main', tag = false, isProtected = false, user = project.owner } = options;
      const definition = buildJobDefinition({ name: 'hi', script: ['echo hi'], ...options.definition });
      const ctx = app.context();
      const now = app.clock.now();
      const path = getRepositoryPath(ctx, project);
      const sha = (await run('git', ['-C', path, 'rev-parse', 'refs/heads/main'])).stdout.trim();
      const pipelineId = await insertOne(sql`
        insert into pipelines (project_id, iid, kind, ref, tag, sha, before_sha, status, source, user_id, protected,
          stages, created_at, updated_at)
        values (${project.id}, ${1_000_000 + unique()}, 'config', ${ref}, ${tag}, ${sha}, ${'0'.repeat(40)}, 'pending',
          'push', ${user.id}::bigint, ${isProtected}::boolean, array[${definition.stage}]::text[], ${now}, ${now})
          returning id`);
      await run('git', ['-C', path, 'update-ref', `refs/pipelines/${pipelineId}`, sha]);
      const definitionId = await insertOne(sql`
        insert into job_definitions (project_id, pipeline_id, definition)
        values (${project.id}, ${pipelineId}, ${sealDefinition(ctx, pipelineId, definition)}) returning id`);
      const id = await insertOne(sql`
        insert into jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, "when", allow_failure, retried,
          definition_id, tag_list, protected, timeout, user_id, queued_at, created_at, updated_at)
        values (${project.id}, ${pipelineId}, 'build', ${definition.name}, ${definition.stage}, 0, 'pending',
          ${definition.when}, false, false, ${definitionId}, ${definition.tags}::text[], ${isProtected},
          ${definition.timeout}, ${user.id}, ${now}, ${now}, ${now}) returning id`);
      await ctx.transaction(() => enqueueJobs(ctx, [id]));
      return { id, pipeline_id: pipelineId };
    },

    async getJob(id: number) {
      const [job] = await app
        .context()
        .query<{ status: string; failure_reason: string | null; exit_code: number | null }>(
          sql`select status, failure_reason, exit_code from jobs where id = ${id}`,
        );
      return job!;
    },
  };
}

/** Has a runner take a job without a request. */
export async function handOutJob(app: TestApp, runner: { id: number }, features: Record<string, boolean> = {}) {
  const ctx = app.context();
  const manager = await touchRunnerManager(ctx, runner, { system_id: 's_1', info: { features }, ip: '127.0.0.1' });
  const claim = await claimJob(ctx, runner, manager);
  if (!claim || claim === 'lost') throw new Error('No job was handed out.');
  return claim;
}
