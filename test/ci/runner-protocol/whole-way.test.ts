import test from 'ava';
import { useApp } from '../../core/app.js';
import { runNextJob, takeJob } from './scripted-runner.js';

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
    const job = await runNextJob(app.anonymous, token);
    if (!job) break;
    const { name } = job.job_info;
    ran.push(name);
    const log = await owner.get(`/projects/${project.id}/jobs/${job.id}/trace`);
    t.is(log.status, 200);
    t.is(log.text, name === 'hi' ? '$ echo before\n$ echo hi\n' : '$ echo before\n$ echo last\n');
  }
  t.deepEqual(ran, ['hi', 'last']);
  await app.work();
  const done = await owner.get(`/projects/${project.id}/pipelines/${pipeline.id}`);
  t.like(done.body, { status: 'success', source: 'api' });
});

// Contract: ci-runner-protocol.variables, ci-variables.specific
test('vector 38: rules see the values for all environments, a job has those of its own environment', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const values = { '*': 'everywhere', 'review/*': 'any-review', 'review/a': 'one-review' };
  for (const [environment_scope, value] of Object.entries(values)) {
    const { status, text } = await owner.post(`/projects/${project.id}/variables`, {
      key: 'E',
      value,
      environment_scope,
    });
    t.is(status, 201, text);
  }
  const content = `
variables: {LETTER: a}
none: {script: [x], rules: [{if: '$E == "everywhere"'}]}
exact: {script: [x], environment: {name: review/$LETTER}, rules: [{if: '$E == "everywhere"'}]}
other: {script: [x], environment: {name: review/b}}
elsewhere: {script: [x], environment: {name: production}}
never: {script: [x], environment: {name: review/a}, rules: [{if: '$E == "one-review"'}]}
`;
  const file = { branch: 'main', commit_message: 'Add jobs [skip ci]', content };
  t.is((await owner.post(`/projects/${project.id}/repository/files/.gitlab-ci.yml`, file)).status, 201);
  const runner = await owner.post('/user/runners', { runner_type: 'project_type', project_id: project.id });
  t.is((await owner.post(`/projects/${project.id}/pipeline`, { ref: 'main' })).status, 201);
  await app.work();
  const received: Record<string, unknown> = {};
  for (let job = await take(); job; job = await take()) {
    const variables = Object.fromEntries(job.variables.map(({ key, value }) => [key, value]));
    received[job.job_info.name] = [variables.CI_ENVIRONMENT_NAME, variables.E];
  }
  t.deepEqual(received, {
    none: [undefined, 'everywhere'],
    exact: ['review/a', 'one-review'],
    other: ['review/b', 'any-review'],
    elsewhere: ['production', 'everywhere'],
  });
  function take() {
    return takeJob(app.anonymous, runner.body.token as string);
  }
});
