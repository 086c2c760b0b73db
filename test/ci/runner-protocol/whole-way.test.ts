import test from 'ava';
import { useApp } from '../../core/app.js';
import { payloadSchema } from './payload-schema.js';

const app = useApp(test);

const FILE = `
before_script:
  - echo before
hi:
  script: echo hi
  variables: {GREETING: "hi $CI_PROJECT_NAME"}
last:
  stage: deploy
  script: [echo last]
`;

const INFO = { name: 'scripted', features: { two_phase_job_commit: true, cancel_gracefully: true, trace_size: true } };

/** A runner that prints what it would run. */
async function runJob(token: string): Promise<{ name: string; id: number } | null> {
  const requested = await app.anonymous.post('/jobs/request', { token, system_id: 's_1', info: INFO });
  if (requested.status === 204) return null;
  const { id, token: jobToken, steps, job_info: info } = payloadSchema.parse(requested.body);
  const update = async (state: string, more: object = {}) => {
    const { status, text } = await app.anonymous.put(`/jobs/${id}`, { token: jobToken, state, info: INFO, ...more });
    if (status !== 200) throw new Error(`${state}: ${status} ${text}`);
  };
  await update('running');
  const log = steps.flatMap(({ script }) => script.map((line) => `$ ${line}\n`)).join('');
  const range = { 'JOB-TOKEN': jobToken, 'Content-Range': `0-${log.length - 1}` };
  const patched = await app.withHeaders(range).raw('PATCH', `/api/v4/jobs/${id}/trace`, log, 'text/plain');
  if (patched.status !== 202) throw new Error(`trace: ${patched.status} ${patched.text}`);
  await update('success', { output: { bytesize: log.length } });
  return { name: info.name, id };
}

// Contract: ci-runner-protocol.whole-way
test('a file becomes jobs, a runner takes them over HTTP, the pipeline succeeds and its logs are read', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const file = { branch: 'main', commit_message: 'Add jobs [skip ci]', content: FILE };
  t.is((await owner.post(`/projects/${project.id}/repository/files/.gitlab-ci.yml`, file)).status, 201);
  const runner = await owner.post('/user/runners', { runner_type: 'project_type', project_id: project.id });
  t.is(runner.status, 201, runner.text);
  const { token } = runner.body as { token: string };
  const created = await owner.post(`/projects/${project.id}/pipeline`, { ref: 'main' });
  t.is(created.status, 201, created.text);
  const pipeline = created.body as { id: number };
  const ran: string[] = [];
  for (;;) {
    await app.work();
    const job = await runJob(token);
    if (!job) break;
    ran.push(job.name);
    const log = await owner.get(`/projects/${project.id}/jobs/${job.id}/trace`);
    t.is(log.status, 200);
    t.is(log.text, job.name === 'hi' ? '$ echo before\n$ echo hi\n' : '$ echo before\n$ echo last\n');
  }
  t.deepEqual(ran, ['hi', 'last']);
  await app.work();
  const done = await owner.get(`/projects/${project.id}/pipelines/${pipeline.id}`);
  t.like(done.body, { status: 'success', source: 'api' });
});
