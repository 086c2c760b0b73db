import { sql } from 'kysely';
import { sealJobLogs } from '../../../shared/ci/ci.jobs.js';
import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Answer, Client } from '../../core/client.js';
import { unique } from '../../core/builders.js';

/** A job in the hands of a runner, and what a test does with it. */
export interface RunningJob {
  id: number;
  pipelineId: number;
  project: { id: number; full_path: string; owner: BuiltUser };
  token: string;
  /** `/projects/:id/jobs/:job_id` */
  path: string;
  owner: Client;
  /** Sends a patch as the runner does. */
  patch(range: string, body: string | Buffer, query?: string): Promise<Answer>;
  /** The whole log, as the owner reads it. */
  read(): Promise<string>;
  /** Ends the job as a runner's report does. */
  end(status?: string): Promise<void>;
  /** Runs the job that seals its log, as the end of a job has it done. */
  seal(): Promise<void>;
}

/** Makes a job that a runner has, with a token that is known. */
export async function createRunningJob(
  app: TestApp,
  options: { project?: RunningJob['project']; status?: string; owner?: BuiltUser } = {},
): Promise<RunningJob> {
  const project = options.project ?? (await app.build.project(options.owner ? { owner: options.owner } : {}));
  const owner = app.as(project.owner);
  const number = unique();
  const report = { name: `build ${number}`, state: 'running', ref: 'main' };
  const { body } = await owner.post(`/projects/${project.id}/statuses/main`, report);
  const { id, pipeline_id: pipelineId } = body as { id: number; pipeline_id: number };
  const token = `job-token-${number}`;
  const now = app.clock.now();
  const ctx = app.context();
  await ctx.query(sql`update pipelines set kind = 'config', stages = '{build}' where id = ${pipelineId}`);
  await ctx.query(sql`
    update jobs set kind = 'build', stage = 'build', stage_index = 0, "when" = 'on_success', started_at = ${now},
      queued_at = ${now}, status = ${options.status ?? 'running'} where id = ${id}`);
  await ctx.query(sql`
    insert into job_runs (project_id, job_id, token_digest, handed_out_at, contacted_at)
    values (${project.id}, ${id}, ${app.services.keys.digest(token)}, ${now}, ${now})`);
  const path = `/projects/${project.id}/jobs/${id}`;
  return {
    id,
    pipelineId,
    project,
    token,
    path,
    owner,
    patch: (range, content, query = '') =>
      app
        .withHeaders({ 'JOB-TOKEN': token, 'Content-Range': range })
        .raw('PATCH', `/api/v4/jobs/${id}/trace${query}`, content as never, 'text/plain'),
    read: async () => (await owner.get(`${path}/trace`)).text,
    async seal() {
      const sealing = app.context();
      await sealing.transaction(async () => void (await sealing.jobs.send(sealJobLogs, { job_id: id })));
      await app.work();
    },
    async end(status = 'success') {
      await app
        .context()
        .query(sql`update jobs set status = ${status}, finished_at = ${app.clock.now()} where id = ${id}`);
    },
  };
}
