import test from 'ava';
import { getPipelineStatus, secondsRun } from '../../../shared/ci/pipelines/pipeline-progress.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function projectWithCommit() {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const sha: string = (await owner.get(`${path}/repository/branches/main`)).body.commit.id;
  const report = (state: string, rest: Record<string, unknown> = {}) =>
    owner.post(`${path}/statuses/${sha}`, { state, ...rest });
  const pipeline = async (id: number) => (await owner.get(`${path}/pipelines/${id}`)).body;
  return { project, owner, path, sha, report, pipeline };
}

// Contract: delivery-3.flow, readme-decision-17
test('an executor moves a pipeline from pending over running to success', async (t) => {
  const { owner, path, sha, report, pipeline } = await projectWithCommit();
  const newPipeline = (await owner.post(`${path}/pipeline`, { ref: 'main' })).body;
  app.clock.advance('1 minute');
  const running = await report('running', { name: 'build', pipeline_id: newPipeline.id });
  t.is(running.status, 201);
  t.like(running.body, {
    sha,
    ref: 'main',
    status: 'running',
    name: 'build',
    pipeline_id: newPipeline.id,
    allow_failure: false,
  });
  t.is(running.body.started_at, running.body.created_at);
  const started = await pipeline(newPipeline.id);
  t.like(started, { status: 'running', started_at: running.body.started_at, finished_at: null, duration: null });
  t.true(started.queued_duration >= 60);
  t.true(started.updated_at > newPipeline.updated_at);
  app.clock.advance('1 minute');
  const done = await report('success', { name: 'build', pipeline_id: newPipeline.id, coverage: '80.5' });
  t.is(done.body.id, running.body.id, 'the same job');
  const finished = await pipeline(newPipeline.id);
  t.like(finished, { status: 'success', finished_at: done.body.finished_at, coverage: 80.5 });
  t.is(finished.duration, (Date.parse(done.body.finished_at) - Date.parse(running.body.started_at)) / 1000);
});

// Contract: readme-decision-17
test('a report of a commit without a pipeline makes one with source external', async (t) => {
  const { owner, path, sha, report } = await projectWithCommit();
  const { status, body } = await report('pending', {
    ref: 'main',
    target_url: 'https://ci.example/1',
    description: 'd',
  });
  t.is(status, 201);
  t.like(body, {
    name: 'default',
    status: 'pending',
    target_url: 'https://ci.example/1',
    description: 'd',
    coverage: null,
  });
  t.truthy(body.author.username);
  const { body: pipelines } = await owner.get(`${path}/pipelines`);
  t.is(pipelines.length, 1);
  t.like(pipelines[0], { id: body.pipeline_id, source: 'external', status: 'pending', ref: 'main', sha });
});

// Contract: readme-decision-17
test('without a ref a report belongs to the newest pipeline of the commit, else to a branch that has it', async (t) => {
  const { owner, path, report } = await projectWithCommit();
  const first = await report('running');
  t.is(first.body.ref, 'main');
  await owner.post(`${path}/repository/branches`, { branch: 'side', ref: 'main' });
  const side = (await owner.post(`${path}/pipeline`, { ref: 'side' })).body;
  t.is((await report('running', { name: 'other' })).body.pipeline_id, side.id);
  t.is((await report('success', { ref: 'refs/heads/main' })).body.pipeline_id, first.body.pipeline_id);
});

// Contract: readme-decision-17
test('a report for a branch and a tag of one commit makes two pipelines', async (t) => {
  const { owner, path, report } = await projectWithCommit();
  await owner.post(`${path}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const branch = await report('success', { ref: 'main' });
  const tag = await report('success', { ref: 'v1' });
  t.not(tag.body.pipeline_id, branch.body.pipeline_id);
  t.true((await owner.get(`${path}/pipelines/${tag.body.pipeline_id}`)).body.tag);
});

// Contract: readme-decision-17
test('reports of one commit at once make one pipeline', async (t) => {
  const { owner, path, report } = await projectWithCommit();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const answers = await Promise.all(names.map((name) => report('running', { name, ref: 'main' })));
  t.deepEqual(
    answers.map(({ status }) => status),
    names.map(() => 201),
  );
  t.is((await owner.get(`${path}/pipelines`)).body.length, 1);
  t.is((await owner.get(`${path}/jobs`)).body.length, names.length);
});

// Contract: readme-decision-17.states
test('a state that does not follow is refused in the public words', async (t) => {
  const { report } = await projectWithCommit();
  const assertRejected = async (state: string, message: string) => {
    const { status, body } = await report(state);
    t.deepEqual([status, body], [400, { message }]);
  };
  await report('pending');
  await assertRejected(
    'pending',
    'Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via "enqueue")',
  );
  await report('running');
  await assertRejected(
    'running',
    'Cannot transition status via :run from :running (Reason(s): Status cannot transition via "run")',
  );
  await assertRejected(
    'pending',
    'Cannot transition status via :enqueue from :running (Reason(s): Status cannot transition via "enqueue")',
  );
  await assertRejected(
    'skipped',
    'Cannot transition status via :skip from :running (Reason(s): Status cannot transition via "skip")',
  );
  t.is((await report('failed')).status, 201);
});

// Contract: readme-decision-17.states
test('each state may come first, and each end may follow pending', async (t) => {
  for (const state of ['pending', 'running', 'success', 'failed', 'canceled', 'skipped']) {
    const { report, pipeline } = await projectWithCommit();
    const first = await report(state);
    t.deepEqual([first.status, first.body.status], [201, state]);
    t.is((await pipeline(first.body.pipeline_id)).status, state);
    if (state === 'pending' || state === 'running') continue;
    const other = await projectWithCommit();
    const waiting = await other.report('pending');
    const last = await other.report(state);
    t.deepEqual([last.status, last.body.id, last.body.status], [201, waiting.body.id, state]);
    if (state !== 'skipped') t.truthy((await other.pipeline(last.body.pipeline_id)).finished_at);
  }
});

// Contract: delivery-3.jobs
test('a report after the end is a new job that replaces the old one', async (t) => {
  const { owner, path, sha, report, pipeline } = await projectWithCommit();
  const failed = (await report('failed', { name: 'test' })).body;
  t.is((await pipeline(failed.pipeline_id)).status, 'failed');
  const again = (await report('running', { name: 'test' })).body;
  t.not(again.id, failed.id);
  t.like(await pipeline(failed.pipeline_id), { status: 'running', finished_at: null });
  await report('success', { name: 'test' });
  t.is((await pipeline(failed.pipeline_id)).status, 'success');
  const ids = async (url: string) => (await owner.get(url)).body.map(({ id }: { id: number }) => id);
  const statuses = `${path}/repository/commits/${sha}/statuses`;
  t.deepEqual(await ids(statuses), [again.id]);
  t.deepEqual(await ids(`${statuses}?all=true`), [failed.id, again.id]);
  t.deepEqual(await ids(`${path}/pipelines/${failed.pipeline_id}/jobs`), [again.id]);
  t.deepEqual(await ids(`${path}/pipelines/${failed.pipeline_id}/jobs?include_retried=true`), [again.id, failed.id]);
});

// Contract: readme-decision-17.states
test('what was said before stays where a later report leaves it out', async (t) => {
  const { report } = await projectWithCommit();
  await report('running', { context: 'lint', target_url: 'http://ci.example/2', description: 'old', coverage: 0 });
  const { body } = await report('success', { name: 'lint', description: 'new', coverage: 90 });
  t.like(body, { name: 'lint', target_url: 'http://ci.example/2', description: 'new', coverage: 90 });
});

// Contract: readme-decision-17.errors
test('what is wrong with a report is said for each field', async (t) => {
  const { owner, path, report } = await projectWithCommit();
  t.deepEqual((await owner.post(`${path}/statuses/main`, {})).body, {
    error: 'state is missing, state does not have a valid value',
  });
  t.deepEqual((await report('done')).body, { error: 'state does not have a valid value' });
  t.deepEqual((await report('pending', { coverage: 'much' })).body, { error: 'coverage is invalid' });
  const bad = await report('pending', { target_url: 'javascript:alert(1)', description: 'x'.repeat(256) });
  t.is(bad.status, 400);
  t.deepEqual(bad.body.message, {
    target_url: ['is blocked: Only allowed schemes are http, https'],
    description: ['is too long (maximum is 255 characters)'],
  });
  t.deepEqual((await owner.post(`${path}/statuses/${'0'.repeat(40)}`, { state: 'success' })).body, {
    message: '404 Commit Not Found',
  });
  const wrong = await report('success', { pipeline_id: 1_000_000 });
  t.deepEqual([wrong.status, wrong.body], [404, { message: '404 Pipeline for pipeline_id, sha and ref Not Found' }]);
});

// Contract: readme-decision-17.errors
test('Developers report, Reporters read reports, nobody does either without signing in', async (t) => {
  const { project, path, sha, report } = await projectWithCommit();
  await report('success');
  const list = `${path}/repository/commits/${sha}/statuses`;
  const reporter = app.as(await app.build.member(project, 'reporter'));
  t.is((await reporter.get(list)).status, 200);
  t.deepEqual((await reporter.post(`${path}/statuses/${sha}`, { state: 'failed' })).body, { message: '403 Forbidden' });
  const developer = app.as(await app.build.member(project, 'developer'));
  await developer.post(`${path}/repository/branches`, { branch: 'side', ref: 'main' });
  t.is((await developer.post(`${path}/statuses/${sha}`, { state: 'failed', ref: 'side' })).status, 201);
  t.is((await developer.post(`${path}/statuses/${sha}`, { state: 'failed', ref: 'main' })).status, 403, 'protected');
  t.is((await app.anonymous.get(list)).status, 401);
  t.is((await app.anonymous.post(`${path}/statuses/${sha}`, { state: 'failed' })).status, 401);
  t.is((await app.as(await app.build.user()).get(list)).status, 404);
});

// Contract: readme-decision-17.list
test('statuses of a commit are filtered by ref, stage, name and pipeline, and ordered', async (t) => {
  const { owner, path, sha, report } = await projectWithCommit();
  await owner.post(`${path}/repository/branches`, { branch: 'side', ref: 'main' });
  const a = (await report('success', { name: 'a', ref: 'main' })).body;
  const b = (await report('success', { name: 'b', ref: 'side' })).body;
  const c = (await report('success', { name: 'c', ref: 'main' })).body;
  const ids = async (query: string) =>
    (await owner.get(`${path}/repository/commits/${sha}/statuses?${query}`)).body.map(({ id }: { id: number }) => id);
  t.deepEqual(await ids(''), [a.id, b.id, c.id]);
  t.deepEqual(await ids('sort=desc'), [c.id, b.id, a.id]);
  t.deepEqual(await ids('order_by=pipeline_id'), [a.id, c.id, b.id]);
  t.deepEqual(await ids('ref=side'), [b.id]);
  t.deepEqual(await ids('name=a'), [a.id]);
  t.deepEqual(await ids('stage=external'), [a.id, b.id, c.id]);
  t.deepEqual(await ids('stage=test'), []);
  t.deepEqual(await ids(`pipeline_id=${b.pipeline_id}`), [b.id]);
  t.deepEqual((await owner.get(`${path}/repository/commits/gone/statuses`)).body, { message: '404 Commit Not Found' });
});

// Contract: delivery-3.retry
test('cancel and retry reach the jobs, which executors then take up again', async (t) => {
  const { owner, path, report, pipeline } = await projectWithCommit();
  const lint = (await report('success', { name: 'lint' })).body;
  await report('running', { name: 'test' });
  const id = lint.pipeline_id;
  t.is((await owner.post(`${path}/pipelines/${id}/cancel`)).body.status, 'canceled');
  const jobs = async () =>
    (await owner.get(`${path}/pipelines/${id}/jobs`)).body.map((job: { name: string; status: string }) => [
      job.name,
      job.status,
    ]);
  t.deepEqual(await jobs(), [
    ['test', 'canceled'],
    ['lint', 'success'],
  ]);
  t.is((await owner.post(`${path}/pipelines/${id}/retry`)).body.status, 'running');
  t.deepEqual(await jobs(), [
    ['test', 'pending'],
    ['lint', 'success'],
  ]);
  t.is((await report('running', { name: 'test' })).status, 201);
  await report('success', { name: 'test' });
  t.is((await pipeline(id)).status, 'success');
  const nothing = await owner.post(`${path}/pipelines/${id}/retry`);
  t.deepEqual([nothing.status, nothing.body.status], [201, 'success']);
});

// Contract: delivery-3.flow
test('the state of a pipeline follows from the states of its newest jobs', (t) => {
  const of = (...statuses: string[]) => getPipelineStatus(statuses.map((status) => ({ status, allow_failure: false })));
  t.is(of(), null);
  t.is(of('created'), 'created');
  t.is(of('pending'), 'pending');
  t.is(of('pending', 'created'), 'pending');
  t.is(of('pending', 'success'), 'running');
  t.is(of('running', 'failed'), 'running');
  t.is(of('success', 'skipped'), 'success');
  t.is(of('skipped'), 'skipped');
  t.is(of('success', 'failed'), 'failed');
  t.is(of('canceled', 'success'), 'canceled');
  t.is(of('canceled', 'failed'), 'failed');
  t.is(getPipelineStatus([{ status: 'failed', allow_failure: true }]), 'success');
});

// Contract: delivery-3.flow
test('the duration of a pipeline counts the seconds in which some job ran', (t) => {
  const at = (seconds: number) => new Date(seconds * 1000);
  const ran = (from: number, to: number | null) => ({ started_at: at(from), finished_at: to === null ? null : at(to) });
  t.is(secondsRun([], at(9)), null);
  t.is(secondsRun([{ started_at: null, finished_at: at(3) }], at(9)), null);
  t.is(secondsRun([ran(0, 10), ran(5, 12), ran(20, 25), ran(21, 22)], at(99)), 17);
  t.is(secondsRun([ran(0, null)], at(9)), 9);
});
