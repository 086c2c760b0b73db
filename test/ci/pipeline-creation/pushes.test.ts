import test from 'ava';
import { useApp } from '../../core/app.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { writeConfiguration } from './configuration-steps.js';

const app = useApp(test);

async function build(settings: object = {}) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  if (Object.keys(settings).length > 0) await owner.put(path, settings);
  const readPipelines = async () => (await owner.get(`${path}/pipelines`)).body;
  const readJobs = async (id: number) =>
    (await owner.get(`${path}/pipelines/${id}/jobs`)).body.map(({ name }: { name: string }) => name).sort();
  return { project, owner, path, readPipelines, readJobs };
}

// Contract: ci-pipelines.pushes
test('a commit by the API makes a pipeline of its jobs, and none without a file', async (t) => {
  const { project, owner, path, readPipelines, readJobs } = await build();
  await owner.post(`${path}/repository/branches`, { branch: 'before', ref: 'main' });
  await app.work();
  t.deepEqual(await readPipelines(), []);
  const sha = await writeConfiguration(owner, project, 'a: {script: x}\nb: {script: y, needs: [a]}\n');
  await app.work();
  const pipelines = await readPipelines();
  t.is(pipelines.length, 1);
  t.like(pipelines[0], { source: 'push', ref: 'main', sha });
  t.deepEqual(await readJobs(pipelines[0].id), ['a', 'b']);
});

// Contract: ci-pipelines.push-errors
test('vector 4: a push of a blank file makes a failed pipeline', async (t) => {
  const { project, owner, path, readPipelines } = await build();
  await writeConfiguration(owner, project, '\n');
  await app.work();
  const [{ id }] = await readPipelines();
  const { body } = await owner.get(`${path}/pipelines/${id}`);
  t.like(body, { status: 'failed', yaml_errors: 'Please provide content of .gitlab-ci.yml' });
});

// Contract: ci-pipelines.push-errors
test('a push whose rules leave no job makes no pipeline; CI that is off makes none either', async (t) => {
  const filtered = await build();
  await writeConfiguration(filtered.owner, filtered.project, 'a: {script: x, rules: [{if: $NEVER}]}\n');
  const off = await build({ builds_access_level: 'disabled' });
  await writeConfiguration(off.owner, off.project, 'a: {script: x}\n');
  await app.work();
  t.deepEqual(await filtered.readPipelines(), []);
  await off.owner.put(off.path, { builds_access_level: 'enabled' });
  t.deepEqual(await off.readPipelines(), []);
});

// Contract: ci-pipelines.execution
test('a project that requires a file has failed pipelines of pushes without one', async (t) => {
  const { owner, path, readPipelines } = await build({ ci_execution: 'required' });
  await owner.post(`${path}/repository/branches`, { branch: 'next', ref: 'main' });
  await app.work();
  const [{ id }] = await readPipelines();
  t.like((await owner.get(`${path}/pipelines/${id}`)).body, {
    status: 'failed',
    yaml_errors: 'Missing CI config file',
  });
});

// Contract: ci-pipelines.pushes, ci-pipelines.push-limits
test('pushes over git start pipelines, four refs at most; push options are heeded; changes are those of the push', async (t) => {
  const { project, owner, readPipelines, readJobs, path } = await build();
  const content = [
    'a: {script: x, rules: [{changes: [docs/*]}]}',
    'b: {script: y, rules: [{if: $MODE == "deep"}]}',
    'c: {script: z}',
  ].join('\n');
  await writeConfiguration(owner, project, content);
  await app.work();
  const before = await readPipelines();
  const work = await workTree(t, app, project, { as: project.owner });
  await work.commit('src/file');
  t.is((await work.push(['HEAD:main', '-o', 'ci.variable=MODE=deep'])).code, 0);
  await app.work();
  const [pushed, ...others] = await readPipelines();
  t.is(others.length, before.length);
  t.deepEqual(await readJobs(pushed.id), ['b', 'c']);
  t.like((await owner.get(`${path}/pipelines/${pushed.id}`)).body, { source: 'push', before_sha: before[0].sha });
  await work.commit('docs/file');
  await work.push(['HEAD:main', '--push-option=ci.variable="MODE=flat"']);
  await app.work();
  const [documented] = await readPipelines();
  t.deepEqual(await readJobs(documented.id), ['a', 'c']);
  await work.commit('src/other');
  await work.push(['HEAD:main', '-o', 'ci.skip']);
  await app.work();
  const [skipped] = await readPipelines();
  t.is(skipped.status, 'skipped');
  t.deepEqual(await readJobs(skipped.id), []);
  const count = (await readPipelines()).length;
  await work.push(['HEAD:one', 'HEAD:two', 'HEAD:three', 'HEAD:four', 'HEAD:five']);
  await app.work();
  t.is((await readPipelines()).length, count);
  await work.push(['HEAD:six', 'HEAD:seven']);
  await app.work();
  t.is((await readPipelines()).length, count + 2);
  await work.push([':six', ':seven']);
  await app.work();
  t.is((await readPipelines()).length, count + 2);
});
