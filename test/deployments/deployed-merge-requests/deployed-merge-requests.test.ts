import test from 'ava';
import { sql } from 'kysely';
import { linkMergeRequests } from '../../../shared/deployments/deployed-merge-requests/link-merge-requests.js';
import { useApp } from '../../core/app.js';
import { mergeRequestIn } from '../../merge-requests/merge-request-steps.js';
import { commitTo, deployingProject } from '../deploying-project.js';

const app = useApp(test);

type Column = 'merge_commit_sha' | 'squash_commit_sha' | 'merged_commit_sha';

async function setUp() {
  const setup = await deployingProject(app);
  /** A merge request that a commit of `main` came of, in one of the ways in which it can. */
  const merged = async (sha: string, column: Column = 'merge_commit_sha', target = 'main') => {
    const request = await mergeRequestIn(app, setup.project, target === 'main' ? {} : { target_branch: target });
    const shas = { merge_commit_sha: null, squash_commit_sha: null, merged_commit_sha: null, [column]: sha };
    await app.context().query(sql`
      update merge_requests set state = 'merged', merged_at = ${app.clock.now()},
        merge_commit_sha = ${shas.merge_commit_sha}, squash_commit_sha = ${shas.squash_commit_sha},
        merged_commit_sha = ${shas.merged_commit_sha} where id = ${request.id}`);
    return request.iid;
  };
  /** Numbers of the merge requests that a deployment delivered. */
  const iids = async ({ id }: { id: number }, query = '') => {
    const { body } = await setup.owner.get(`${setup.path}/deployments/${id}/merge_requests?sort=asc${query}`);
    return body.map(({ iid }: { iid: number }) => iid);
  };
  const deploy = async (attributes: Record<string, unknown> = {}) => {
    const { body } = await setup.deploy(attributes);
    await app.work();
    return body as { id: number };
  };
  return { ...setup, report: setup.deploy, deploy, merged, iids };
}

// Contract: deployments-2.merge-requests
test('the first deployment of an environment brings all that was merged into its branch', async (t) => {
  const { owner, path, sha, deploy, merged, iids, project } = await setUp();
  const first = await merged('1'.repeat(40));
  const second = await merged('2'.repeat(40), 'squash_commit_sha');
  await mergeRequestIn(app, project);
  await owner.post(`${path}/repository/branches`, { branch: 'stable', ref: 'main' });
  const elsewhere = await merged('3'.repeat(40), 'merge_commit_sha', 'stable');
  const deployed = await deploy();
  t.deepEqual(await iids(deployed), [first, second]);
  t.deepEqual(await iids(await deploy({ environment: 'staging', ref: 'stable' })), [elsewhere]);
  t.deepEqual(await iids(deployed, '&state=opened'), []);
  t.deepEqual(await iids(deployed, `&iids[]=${second}`), [second]);
  const { body } = await owner.get(`${path}/deployments/${deployed.id}/merge_requests?state=lost`);
  t.deepEqual(body, { error: 'state does not have a valid value' });
  t.is(sha.length, 40);
});

// Contract: deployments-2.merge-requests
test('a later one brings what its new commits come of, each once for an environment', async (t) => {
  const setup = await setUp();
  const { deploy, merged, iids } = setup;
  await deploy();
  const ways = ['merge_commit_sha', 'squash_commit_sha', 'merged_commit_sha'] as const;
  const requests: number[] = [];
  let head = '';
  for (const way of ways) requests.push(await merged((head = await commitTo(setup)), way));
  const second = await deploy({ sha: head });
  t.deepEqual(await iids(second), requests);
  const later = await commitTo(setup);
  const last = await merged(later);
  const third = await deploy({ sha: later });
  t.deepEqual(await iids(third), [last]);
  await linkMergeRequests(app.context(), { deployment_id: second.id });
  await linkMergeRequests(app.context(), { deployment_id: third.id });
  t.deepEqual([await iids(second), await iids(third)], [requests, [last]]);
  t.deepEqual((await iids(await deploy({ environment: 'staging', sha: later }))).length, 4);
});

// Contract: deployments-2.merge-requests
test('what was picked from the commit of a merge request brings that', async (t) => {
  const setup = await setUp();
  const { owner, path, deploy, merged, iids } = setup;
  await owner.post(`${path}/repository/branches`, { branch: 'stable', ref: 'main' });
  const onMain = await commitTo(setup);
  const request = await merged(onMain);
  await app.context().query(sql`update merge_requests set merged_at = ${new Date('2040-01-01')} where iid = ${request}
    and project_id = ${setup.project.id}`);
  await deploy({ ref: 'stable' });
  const picked = await owner.post(`${path}/repository/commits/${onMain}/cherry_pick`, { branch: 'stable' });
  t.is(picked.status, 201);
  t.deepEqual(await iids(await deploy({ ref: 'stable', sha: picked.body.id })), [request]);
});

// Contract: deployments-2.merge-requests
test('going back brings nothing, nor does what failed, nor what is deployed for reviews', async (t) => {
  const setup = await setUp();
  const { owner, path, sha, deploy, merged, iids } = setup;
  await deploy();
  const next = await commitTo(setup);
  const request = await merged(next);
  t.deepEqual(await iids(await deploy({ environment: 'review/a', sha: next })), []);
  const failed = await deploy({ sha: next, status: 'failed' });
  t.deepEqual(await iids(failed), []);
  const running = await deploy({ sha: next, status: 'running' });
  t.deepEqual(await iids(running), []);
  await owner.put(`${path}/deployments/${running.id}`, { status: 'success' });
  await app.work();
  t.deepEqual(await iids(running), [request]);
  t.deepEqual(await iids(await deploy({ sha })), []);
  t.deepEqual(await iids(await deploy({ sha: next })), []);
});

// Contract: deployments-2.merge-requests
test('what did not succeed after all loses what it brought to the next one', async (t) => {
  const setup = await setUp();
  const { owner, path, deploy, merged, iids } = setup;
  await deploy();
  const next = await commitTo(setup);
  const request = await merged(next);
  const wrong = await deploy({ sha: next });
  t.deepEqual(await iids(wrong), [request]);
  await owner.put(`${path}/deployments/${wrong.id}`, { status: 'failed' });
  await app.work();
  t.deepEqual(await iids(wrong), []);
  t.deepEqual(await iids(await deploy({ sha: next })), [request]);
});

// Contract: deployments-2.merge-requests
test('a deployment whose commit before is gone from the repository brings nothing', async (t) => {
  const setup = await setUp();
  const { deploy, merged, iids } = setup;
  const first = await deploy();
  await app.context().query(sql`update deployments set sha = ${'9'.repeat(40)} where id = ${first.id}`);
  const next = await commitTo(setup);
  await merged(next);
  t.deepEqual(await iids(await deploy({ sha: next })), []);
});

// Contract: deployments-2.merge-requests
test('merge requests of a deployment are for those who read deployments and merge requests', async (t) => {
  const { owner, project, path, deploy, merged } = await setUp();
  await merged('1'.repeat(40));
  const { id } = await deploy();
  const url = `${path}/deployments/${id}/merge_requests`;
  t.is((await app.as(await app.build.member(project, 'guest')).get(url)).status, 403);
  const reporter = app.as(await app.build.member(project, 'reporter'));
  t.is((await reporter.get(url)).body.length, 1);
  await owner.put(path, { merge_requests_access_level: 'disabled' });
  t.deepEqual((await reporter.get(url)).body, []);
});

// Contract: deployments-2.merge-requests
test.serial('a deployment is linked by five statements, however many merge requests it brings', async (t) => {
  const setup = await setUp();
  await setup.deploy();
  const shas: string[] = [];
  for (let at = 0; at < 4; at += 1) shas.push(await commitTo(setup));
  for (const sha of shas) await setup.merged(sha);
  const { body } = await setup.report({ sha: shas.at(-1) });
  const statements = await app.statementsOf(() => linkMergeRequests(app.context(), { deployment_id: body.id }));
  t.true(statements <= 5, String(statements));
  t.is((await setup.iids(body)).length, 4);
});
