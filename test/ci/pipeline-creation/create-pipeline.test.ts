import test from 'ava';
import { useApp } from '../../core/app.js';
import { writeConfiguration } from './configuration-steps.js';

const app = useApp(test);

const build = async (content: string | null, settings: object = {}) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  if (Object.keys(settings).length > 0) await owner.put(path, settings);
  const sha = content === null ? null : await writeConfiguration(owner, project, content);
  const start = (more: object = {}) => owner.post(`${path}/pipeline`, { ref: 'main', ...more });
  const listJobs = async (id: number) => (await owner.get(`${path}/pipelines/${id}/jobs`)).body;
  return { project, owner, path, sha, start, listJobs };
};

const TWO_JOBS = ['build: {stage: build, script: make}', 'test: {stage: test, script: make test, tags: [x]}'].join(
  '\n',
);

// Contract: ci-pipelines.file
test('a pipeline of a project with a file has its jobs; one without a file is a record', async (t) => {
  const { start, listJobs, sha } = await build(TWO_JOBS);
  const { status, body, text } = await start();
  t.is(status, 201, text);
  t.like(body, { status: 'created', source: 'api', ref: 'main', sha, yaml_errors: null });
  const jobs = await listJobs(body.id);
  t.deepEqual(
    jobs.map(({ name, stage, status: state }: Record<string, string>) => [name, stage, state]),
    [
      ['test', 'test', 'created'],
      ['build', 'build', 'created'],
    ],
  );
  const without = await build(null);
  const { body: record } = await without.start();
  t.like(record, { status: 'pending', source: 'api' });
  t.deepEqual(await without.listJobs(record.id), []);
});

// Contract: ci-pipelines.execution
test('vector 2: a project that requires a file refuses a pipeline without one', async (t) => {
  const { start } = await build(null, { ci_execution: 'required' });
  const { status, body } = await start();
  t.is(status, 400);
  t.deepEqual(body.message, { base: ['Missing CI config file'] });
});

// Contract: ci-pipelines.execution
test('a project of outside executors reads no file', async (t) => {
  const { start, listJobs } = await build(TWO_JOBS, { ci_execution: 'external' });
  const { status, body } = await start();
  t.is(status, 201);
  t.is(body.status, 'pending');
  t.deepEqual(await listJobs(body.id), []);
});

// Contract: ci-pipelines.execution
test('a configuration that lies elsewhere and cannot be read is an error, as an include is', async (t) => {
  const { start, owner, path } = await build(null, { ci_config_path: 'ci.yml@no/where' });
  const text =
    'Project `no/where` not found or access denied! ' +
    'Make sure any includes in the pipeline configuration are correctly defined.';
  const { status, body } = await start();
  t.is(status, 400);
  t.deepEqual(body.message, { base: [text] });
  t.deepEqual((await owner.get(`${path}/ci/lint`)).body.errors, [text]);
});

// Contract: ci-pipelines.errors
test('vector 21: where rules leave no job, or no pipeline, the answer says which, and none is made', async (t) => {
  const filtered = {
    'day: {script: y, rules: [{if: $CI_PIPELINE_SOURCE == "never"}]}\n':
      'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
    'workflow: {rules: [{if: $CI_COMMIT_TAG}]}\nday: {script: y}\n': 'Pipeline filtered out by workflow rules.',
  };
  for (const [content, text] of Object.entries(filtered)) {
    const { start, owner, path } = await build(content);
    const { status, body } = await start();
    t.is(status, 400);
    t.deepEqual(body.message, { base: [text] });
    t.deepEqual((await owner.get(`${path}/pipelines`)).body, []);
  }
});

// Contract: ci-pipelines.errors
test('an error of the file is answered, and no pipeline is made', async (t) => {
  const { start, owner, path } = await build('a: {script: x, foo: 1}\n');
  const { status, body } = await start();
  t.is(status, 400);
  t.deepEqual(body.message, { base: ['jobs:a config contains unknown keys: foo'] });
  t.deepEqual((await owner.get(`${path}/pipelines`)).body, []);
});

// Contract: ci-pipelines.errors
test('a long error is cut at 2,000 characters', async (t) => {
  const { start } = await build(`a: {script: x, ${'f'.repeat(5000)}: 1}\n`);
  const [text] = (await start()).body.message.base;
  t.is(text.length, 2000);
  t.regex(text, /^jobs:a config contains unknown keys: f+…$/);
});
