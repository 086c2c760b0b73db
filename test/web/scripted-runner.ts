import type { TestApp } from '../core/app.js';
import type { BuiltUser } from '../core/builders.js';

const INFO = { name: 'scripted', version: '19.0.0', platform: 'linux', features: { cancel_gracefully: true } };

/** A job in the hands of a scripted runner. */
export interface HandedOutJob {
  id: number;
  name: string;
  /** Adds text to the log. */
  write(text: string): Promise<void>;
  end(state: 'success' | 'failed', reason?: string): Promise<void>;
}

/** Commits a configuration file without starting a pipeline, and starts one. */
export async function startPipeline(
  app: TestApp,
  project: { id: number; owner: BuiltUser },
  content: string,
): Promise<{ id: number }> {
  const owner = app.as(project.owner);
  const file = { branch: 'main', commit_message: 'Add jobs [skip ci]', content };
  const path = `/projects/${project.id}/repository/files/.gitlab-ci.yml`;
  const stored = await owner.post(path, file);
  if (stored.status !== 201) throw new Error(stored.text);
  const { status, text, body } = await owner.post(`/projects/${project.id}/pipeline`, { ref: 'main' });
  if (status !== 201) throw new Error(text);
  await app.work();
  return body as { id: number };
}

/** Creates a runner of a project, and returns its token. */
export async function createRunner(app: TestApp, project: { id: number; owner: BuiltUser }): Promise<string> {
  const { status, text, body } = await app.as(project.owner).post('/user/runners', {
    runner_type: 'project_type',
    project_id: project.id,
    description: 'Builder',
    tag_list: 'linux',
  });
  if (status !== 201) throw new Error(text);
  return (body as { token: string }).token;
}

/** Takes the next job of a runner; null where none waits. */
export async function takeJob(app: TestApp, token: string): Promise<HandedOutJob | null> {
  const requested = await app.anonymous.post('/jobs/request', { token, system_id: 's_1', info: INFO });
  if (requested.status === 204) return null;
  if (requested.status !== 201) throw new Error(requested.text);
  const {
    id,
    token: jobToken,
    job_info: info,
  } = requested.body as {
    id: number;
    token: string;
    job_info: { name: string };
  };
  let size = 0;
  return {
    id,
    name: info.name,
    async write(text) {
      const bytes = Buffer.byteLength(text);
      const headers = { 'JOB-TOKEN': jobToken, 'Content-Range': `${size}-${size + bytes - 1}` };
      const patched = await app.withHeaders(headers).raw('PATCH', `/api/v4/jobs/${id}/trace`, text, 'text/plain');
      if (patched.status !== 202) throw new Error(patched.text);
      size += bytes;
    },
    async end(state, reason) {
      const body = { token: jobToken, state, info: INFO, ...(reason ? { failure_reason: reason, exit_code: 1 } : {}) };
      const { status, text } = await app.anonymous.put(`/jobs/${id}`, body);
      if (status !== 200) throw new Error(text);
      await app.work();
    },
  };
}
