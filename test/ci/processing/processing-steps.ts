import { sql } from 'kysely';
import { endJobs } from '../../../shared/ci/processing/end-jobs.js';
import type { JobEnd } from '../../../shared/ci/processing/end-jobs.js';
import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Client } from '../../core/client.js';

/** A job as the API shows it. */
export interface ListedJob {
  id: number;
  name: string;
  status: string;
  allow_failure: boolean;
}

/** A pipeline in a test, by the names of its jobs. */
export interface TestPipeline {
  id: number;
  project: { id: number; owner: BuiltUser };
  owner: Client;
  path: string;
}

let files = 0;

/** Steps of tests in which jobs of pipelines end. */
export function processingSteps(app: TestApp) {
  const listJobs = async ({ owner, path, id }: TestPipeline, retried = false): Promise<ListedJob[]> =>
    (await owner.get(`${path}/pipelines/${id}/jobs?include_retried=${retried}&per_page=100`)).body as ListedJob[];

  const steps = {
    /** Commits a configuration, which makes no pipeline by itself. */
    async configure(project: { id: number; owner: BuiltUser }, content: string): Promise<void> {
      files += 1;
      const owner = app.as(project.owner);
      const path = `/projects/${project.id}/repository/files`;
      const file = { branch: 'main', commit_message: `Jobs ${files} [skip ci]`, content };
      const { status } = await owner.post(`${path}/.gitlab-ci.yml`, file);
      if (status !== 201) await owner.put(`${path}/.gitlab-ci.yml`, file);
    },

    /** Starts a pipeline of `main` and has it processed. */
    async start(project: { id: number; owner: BuiltUser }): Promise<TestPipeline> {
      const owner = app.as(project.owner);
      const path = `/projects/${project.id}`;
      const { status, body, text } = await owner.post(`${path}/pipeline`, { ref: 'main' });
      if (status !== 201) throw new Error(text);
      await app.work();
      return { id: body.id as number, project, owner, path };
    },

    /** A pipeline of a new project with this configuration. */
    async pipelineOf(content: string): Promise<TestPipeline> {
      const project = await app.build.project();
      await steps.configure(project, content);
      return steps.start(project);
    },

    listJobs,

    /** The states of the newest jobs, by name. */
    async states(pipeline: TestPipeline): Promise<Record<string, string>> {
      const jobs = await listJobs(pipeline);
      return Object.fromEntries(jobs.map(({ name, status }) => [name, status]).sort());
    },

    /** The state of the pipeline. */
    async state({ owner, path, id }: TestPipeline): Promise<string> {
      return (await owner.get(`${path}/pipelines/${id}`)).body.status as string;
    },

    async find(pipeline: TestPipeline, name: string): Promise<ListedJob> {
      const job = (await listJobs(pipeline)).find((one) => one.name === name);
      if (!job) throw new Error(`There is no job ${name}.`);
      return job;
    },

    /** Ends a job and has what follows worked out. */
    async end(pipeline: TestPipeline, name: string, end: Partial<JobEnd> = {}): Promise<void> {
      const { id } = await steps.find(pipeline, name);
      const ctx = app.context();
      await ctx.transaction(() => endJobs(ctx, [{ job_id: id, pipeline_id: pipeline.id, status: 'success', ...end }]));
      await app.work();
    },

    async fail(pipeline: TestPipeline, name: string, end: Partial<JobEnd> = {}): Promise<void> {
      await steps.end(pipeline, name, { status: 'failed', failure_reason: 'script_failure', exit_code: 1, ...end });
    },

    /** As if a runner had taken a job. */
    async run(pipeline: TestPipeline, name: string, { graceful = false } = {}): Promise<void> {
      const { id } = await steps.find(pipeline, name);
      const now = app.clock.now();
      const ctx = app.context();
      await ctx.transaction(async () => {
        await ctx.query(sql`delete from ci_queue where job_id = ${id}`);
        await ctx.query(
          sql`update jobs set status = 'running', started_at = ${now}, updated_at = ${now} where id = ${id}`,
        );
        await ctx.query(sql`
          insert into job_runs (project_id, job_id, token_digest, handed_out_at, contacted_at, cancels_gracefully)
          values (${pipeline.project.id}, ${id}, ${app.services.keys.digest(`run ${id}`)}, ${now}, ${now}, ${graceful})`);
      });
    },

    /** Calls an action of a job. */
    act: async (pipeline: TestPipeline, name: string, action: string, params: object = {}, as = pipeline.owner) =>
      as.post(`${pipeline.path}/jobs/${(await steps.find(pipeline, name)).id}/${action}`, params),
  };
  return steps;
}
