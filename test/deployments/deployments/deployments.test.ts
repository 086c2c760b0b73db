import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { commitTo, deployingProject } from '../deploying-project.js';

const app = useApp(test);

const setUp = (attributes: { visibility?: string } = {}) => deployingProject(app, attributes);

// Contract: deployments-2.create, deployments-2.object
test('a deployment is reported, and makes the environment that it names', async (t) => {
  const { project, owner, path, sha, deploy } = await setUp();
  const { status, body } = await deploy({ status: 'running' });
  t.is(status, 201);
  t.like(body, { iid: 1, ref: 'main', sha, status: 'running', deployable: null, finished_at: null });
  t.is(body.user.id, project.owner.id);
  t.like(body.environment, { name: 'production', slug: 'production', external_url: null });
  t.deepEqual([body.pending_approval_count, body.approvals, body.approval_summary], [0, [], { rules: [] }]);
  const got = await owner.get(`${path}/deployments/${body.id}`);
  t.deepEqual([got.status, got.body], [200, body]);
  const [listed] = (await owner.get(`${path}/deployments`)).body;
  t.deepEqual(listed, Object.fromEntries(Object.entries(body).filter(([key]) => key in listed)));
  t.false('approvals' in listed);
  t.is((await owner.get(`${path}/environments`)).body[0].tier, 'production');
  t.deepEqual((await owner.get(`${path}/deployments/1000000`)).body, { message: '404 Not found' });
});

// Contract: deployments-2.create-errors
test('what is wrong with a new deployment is said in the public words, and leaves no environment behind', async (t) => {
  const { owner, path, sha, deploy } = await setUp();
  const sendInvalid = async (attributes: Record<string, unknown>) => {
    const { status, body } = await deploy(attributes);
    return [status, body];
  };
  const empty = await owner.post(`${path}/deployments`, {});
  t.deepEqual(empty.body, {
    error:
      'environment is missing, sha is missing, ref is missing, tag is missing, status is missing, status does not have a valid value',
  });
  const noCommit = { sha: ['The commit does not exist'] };
  const noRef = { ref: ['The branch or tag does not exist'] };
  t.deepEqual(await sendInvalid({ ref: 'gone' }), [400, { message: noRef }]);
  t.deepEqual(await sendInvalid({ ref: 'gone', sha: '0'.repeat(40) }), [400, { message: { ...noRef, ...noCommit } }]);
  for (const bad of [sha.slice(0, 39), `${sha}0`, 'main', 'HEAD', '1'.repeat(40)])
    t.deepEqual(await sendInvalid({ sha: bad }), [400, { message: noCommit }], bad);
  t.deepEqual(await sendInvalid({ sha: '' }), [400, { message: { sha: ["can't be blank"] } }]);
  t.deepEqual(await sendInvalid({ status: 'skipped' }), [400, { error: 'status does not have a valid value' }]);
  t.deepEqual(await sendInvalid({ tag: 'perhaps' }), [400, { error: 'tag is invalid' }]);
  t.deepEqual(Object.keys((await sendInvalid({ environment: 'a,b' }))[1].message), ['name']);
  const other = await setUp();
  t.deepEqual(await sendInvalid({ sha: await commitTo(other) }), [400, { message: noCommit }]);
  t.deepEqual((await owner.get(`${path}/environments`)).body, []);
});

// Contract: deployments-2.create
test('an older commit, a tag and a full ref are taken, and stored by the short name', async (t) => {
  const setup = await setUp();
  const { owner, path, sha, deploy } = setup;
  await commitTo(setup);
  await owner.post(`${path}/repository/tags`, { tag_name: 'v1', ref: sha });
  t.like((await deploy()).body, { ref: 'main', sha, tag: false });
  t.like((await deploy({ ref: 'v1', tag: true, sha: sha.toUpperCase() })).body, { ref: 'v1', sha, tag: true });
  t.like((await deploy({ ref: 'refs/heads/main', environment: 'other' })).body, { ref: 'main' });
});

// Contract: deployments-2.deduplication
test('[unverified] the very same success again is the deployment that there is; any other is a new one', async (t) => {
  const setup = await setUp();
  const { owner, path, deploy } = setup;
  const first = (await deploy()).body;
  const again = await deploy();
  t.deepEqual([again.status, again.body], [201, first]);
  t.is((await deploy({ status: 'failed' })).body.iid, 2);
  t.is((await deploy({ status: 'failed' })).body.iid, 3);
  t.is((await deploy()).body.id, first.id);
  t.is((await deploy({ tag: true })).body.iid, 4);
  t.is((await deploy({ sha: await commitTo(setup) })).body.iid, 5);
  t.is((await deploy()).body.iid, 6);
  t.is((await deploy({ environment: 'staging' })).body.iid, 7);
  t.is((await owner.get(`${path}/deployments`)).body.length, 7);
});

// Contract: deployments-2.update, deployments-2.transitions
test('a deployment goes from status to status, and never the same or back to running', async (t) => {
  const { owner, path, deploy } = await setUp();
  const { body: deployment } = await deploy({ status: 'created' });
  t.is(deployment.status, 'created');
  const url = `${path}/deployments/${deployment.id}`;
  const put = async (status: string) => {
    const answer = await owner.put(url, { status });
    return [answer.status, answer.body.status ?? answer.body];
  };
  const cannot = (event: string) => [400, { message: { status: [`cannot transition via "${event}"`] } }];
  t.deepEqual(await put('running'), [200, 'running']);
  t.deepEqual(await put('running'), cannot('run'));
  app.clock.advance('1 minute');
  t.deepEqual(await put('failed'), [200, 'failed']);
  const failedAt = (await owner.get(url)).body.finished_at;
  t.is(failedAt, app.clock.now().toISOString());
  t.deepEqual(await put('failed'), cannot('drop'));
  app.clock.advance('1 minute');
  t.deepEqual(await put('success'), [200, 'success']);
  t.not((await owner.get(url)).body.finished_at, failedAt);
  t.deepEqual(await put('success'), cannot('succeed'));
  t.deepEqual(await put('running'), cannot('run'));
  t.deepEqual(await put('canceled'), [200, 'canceled']);
  t.deepEqual(await put('canceled'), cannot('cancel'));
  t.deepEqual(await put('created'), [400, { error: 'status does not have a valid value' }]);
});

// Contract: deployments-2.update
test('a deployment that a job made is shown with it and not updated through the API', async (t) => {
  const { owner, path, sha, deploy } = await setUp();
  const job = (await owner.post(`${path}/statuses/${sha}`, { state: 'running', name: 'deploy' })).body;
  const { body: deployment } = await deploy({ status: 'running' });
  await app.context().query(sql`update deployments set job_id = ${job.id} where id = ${deployment.id}`);
  const { body } = await owner.get(`${path}/deployments/${deployment.id}`);
  t.like(body.deployable, { id: job.id, name: 'deploy', status: 'running' });
  t.is(body.deployable.commit.id, sha);
  t.is(body.deployable.pipeline.sha, sha);
  const put = await owner.put(`${path}/deployments/${deployment.id}`, { status: 'success' });
  t.deepEqual(
    [put.status, put.body],
    [403, { message: '403 Forbidden - Deployments created using Capstan CI can not be updated using the API' }],
  );
});

// Contract: deployments-2.delete
test('neither what runs nor what is deployed now is deleted', async (t) => {
  const setup = await setUp();
  const { owner, path, deploy } = setup;
  const old = (await deploy()).body;
  const running = (await deploy({ status: 'running' })).body;
  const now = (await deploy({ sha: await commitTo(setup) })).body;
  const failed = (await deploy({ status: 'failed' })).body;
  const remove = async ({ id }: { id: number }) => {
    const { status, body } = await owner.delete(`${path}/deployments/${id}`);
    return [status, body?.message];
  };
  t.deepEqual(await remove(running), [400, 'Cannot destroy running deployment']);
  t.deepEqual(await remove(now), [400, 'Deployment currently deployed to environment']);
  t.is((await remove(old))[0], 204);
  t.is((await remove(failed))[0], 204);
  t.is((await remove(failed))[0], 404);
  t.is((await deploy({ status: 'failed' })).body.iid, 5);
});

// Contract: deployments-2.list, deployments-2.filters
test('deployments are listed in each order and by each filter', async (t) => {
  const setup = await setUp();
  const { owner, path, sha, deploy } = setup;
  await owner.post(`${path}/repository/branches`, { branch: 'alpha', ref: 'main' });
  const days = ['2030-02-01', '2030-02-02', '2030-02-03'].map((day) => new Date(`${day}T00:00:00Z`));
  await deploy();
  await deploy({ environment: 'staging', ref: 'alpha' });
  await deploy({ status: 'failed' });
  for (const [at, day] of days.entries())
    await app.context().query(sql`update deployments set updated_at = ${day}, finished_at = ${days[2 - at]}
      where project_id = ${setup.project.id} and iid = ${at + 1}`);
  const iids = async (query: string) => {
    const { body } = await owner.get(`${path}/deployments?${query}`);
    return Array.isArray(body) ? body.map(({ iid }: { iid: number }) => iid) : body;
  };
  t.deepEqual(await iids(''), [1, 2, 3]);
  for (const order of ['id', 'iid', 'created_at', 'updated_at'])
    t.deepEqual(await iids(`order_by=${order}&sort=desc`), [3, 2, 1], order);
  t.deepEqual(await iids('order_by=ref'), [2, 1, 3]);
  t.deepEqual(await iids('environment=staging'), [2]);
  t.deepEqual(await iids('environment=gone'), []);
  t.deepEqual(await iids('status=failed'), [3]);
  t.deepEqual(await iids('updated_after=2030-02-02&order_by=ref&sort=desc'), [3, 2]);
  t.deepEqual(await iids('updated_before=2030-02-01T12:00:00Z'), [1]);
  t.deepEqual(await iids('finished_after=2030-02-01&order_by=finished_at&status=success'), [2, 1]);
  const badRequest = (why: string) => ({ message: `400 Bad request - ${why}` });
  const paired = badRequest('`finished_at` filter and `finished_at` sorting must be paired');
  t.deepEqual(await iids('finished_after=2030-02-01&status=success'), paired);
  t.deepEqual(await iids('order_by=finished_at'), paired);
  t.deepEqual(
    await iids('finished_after=2030-02-01&order_by=finished_at'),
    badRequest('`finished_at` filter must be combined with `success` status filter.'),
  );
  t.deepEqual(
    await iids('finished_after=2030-02-01&updated_after=2030-02-01'),
    badRequest('Both `updated_at` filter and `finished_at` filter can not be specified'),
  );
  t.deepEqual(await iids('status=lost'), { error: 'status does not have a valid value' });
  t.deepEqual(await iids('order_by=sha'), { error: 'order_by does not have a valid value' });
  t.is(sha.length, 40);
});

// Contract: deployments-2.rights
test('Reporters read deployments, Developers report them, Maintainers delete them', async (t) => {
  const { project, path, sha, deploy } = await setUp();
  const { body: deployment } = await deploy({ status: 'failed' });
  const url = `${path}/deployments/${deployment.id}`;
  t.is((await app.anonymous.get(`${path}/deployments`)).status, 401);
  const as = async (role: 'guest' | 'reporter' | 'developer' | 'maintainer') =>
    app.as(await app.build.member(project, role));
  t.is((await (await as('guest')).get(url)).status, 403);
  const reporter = await as('reporter');
  t.is((await reporter.get(url)).status, 200);
  const attributes = { environment: 'new', ref: 'main', sha, tag: false, status: 'success' };
  t.is((await reporter.post(`${path}/deployments`, attributes)).status, 403);
  t.is((await reporter.put(url, { status: 'success' })).status, 403);
  const developer = await as('developer');
  t.is((await developer.post(`${path}/deployments`, attributes)).status, 201);
  t.is((await developer.put(url, { status: 'canceled' })).status, 200);
  t.is((await developer.delete(url)).status, 403);
  t.is((await (await as('maintainer')).delete(url)).status, 204);
  const { body: environments } = await reporter.get(`${path}/environments`);
  t.deepEqual(
    environments.map(({ name }: { name: string }) => name),
    ['production', 'new'],
  );
});

// Contract: deployments-2.available
test('a new deployment brings a stopped environment back', async (t) => {
  const { owner, path, deploy } = await setUp();
  const { environment } = (await deploy()).body;
  t.is((await owner.post(`${path}/environments/${environment.id}/stop`, {})).body.state, 'stopped');
  await deploy({ status: 'running' });
  t.is((await owner.get(`${path}/environments/${environment.id}`)).body.state, 'available');
});

// Contract: deployments-2.forward
test('what waited is skipped once a newer deployment of another commit is there, where the project says so', async (t) => {
  const setup = await setUp();
  const { owner, path, deploy } = setup;
  const waiting = async () => `${path}/deployments/${(await deploy({ status: 'created' })).body.id}`;
  const run = async (url: string, status: string) => (await owner.put(url, { status })).body.status;
  const old = [await waiting(), await waiting(), await waiting()] as const;
  t.is(await run(old[0], 'running'), 'running');
  await deploy();
  t.is(await run(old[1], 'running'), 'running', 'of the same commit');
  await deploy({ sha: await commitTo(setup) });
  t.is(await run(old[2], 'running'), 'skipped');
  t.is((await owner.get(old[2])).body.finished_at, null);
  t.is(await run(old[0], 'success'), 'success', 'what runs already ends');
  const later = await waiting();
  await deploy({ sha: await commitTo(setup) });
  await owner.put(path, { ci_forward_deployment_enabled: false });
  t.is(await run(later, 'running'), 'running');
});

// Contract: deployments-2.forward
test('what is over is done again by an older deployment only where going back is allowed', async (t) => {
  const setup = await setUp();
  const { owner, path, deploy } = setup;
  const failed = async () => `${path}/deployments/${(await deploy({ status: 'failed' })).body.id}`;
  const [one, other] = [await failed(), await failed()];
  await deploy({ sha: await commitTo(setup) });
  t.is((await owner.put(one, { status: 'success' })).body.status, 'success');
  await deploy({ sha: await commitTo(setup) });
  await owner.put(path, { ci_forward_deployment_rollback_allowed: false });
  t.is((await owner.put(other, { status: 'success' })).body.status, 'skipped');
});

// Contract: deployments-2.races
test('a hundred deployments of one environment at once get a number each and make one environment', async (t) => {
  const { owner, path, deploy } = await setUp();
  const answers = await Promise.all(Array.from({ length: 100 }, () => deploy({ status: 'running' })));
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  const iids = answers.map(({ body }) => body.iid as number).sort((a, b) => a - b);
  t.deepEqual(
    iids,
    Array.from({ length: 100 }, (_, at) => at + 1),
  );
  t.is((await owner.get(`${path}/environments`)).body.length, 1);
  const same = await Promise.all(Array.from({ length: 20 }, () => deploy()));
  t.is(new Set(same.map(({ body }) => body.id)).size, 1);
});

// Contract: deployments-2.races
test('an environment is deleted while its deployments finish: each is told what became of it', async (t) => {
  const { owner, path, deploy } = await setUp();
  const responses = await Promise.all(Array.from({ length: 10 }, () => deploy({ status: 'running' })));
  const environment = `${path}/environments/${responses[0]?.body.environment.id}`;
  await owner.post(`${environment}/stop`, {});
  const [removed, ...rest] = await Promise.all([
    owner.delete(environment),
    ...responses.map(({ body }) => owner.put(`${path}/deployments/${body.id}`, { status: 'success' })),
  ]);
  t.is(removed.status, 204);
  for (const { status } of rest) t.true(status === 200 || status === 404, String(status));
  t.deepEqual((await owner.get(`${path}/deployments`)).body, []);
});

// Contract: deployments-2.user
test('what a user deployed is the ghost of nobody else once they are removed', async (t) => {
  const { project, owner, path, sha } = await setUp();
  const developer = await app.build.member(project, 'developer');
  const attributes = { environment: 'production', ref: 'main', sha, tag: false, status: 'success' };
  const { body } = await app.as(developer).post(`${path}/deployments`, attributes);
  const admin = app.as(await app.build.admin());
  t.is((await admin.delete(`/users/${developer.id}`)).status, 204);
  await app.work();
  t.is((await owner.get(`${path}/deployments/${body.id}`)).body.user.username, 'ghost');
});
