import test from 'ava';
import { linkLate } from '../../../shared/deployments/deployed-merge-requests/link-late.js';
import { linkMergeRequests } from '../../../shared/deployments/deployed-merge-requests/link-merge-requests.js';
import { useApp } from '../../core/app.js';
import { mergeRequestIn } from '../../merge-requests/merge-request-steps.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { deployingProject } from '../deploying-project.js';

const app = useApp(test);

/** A project whose merge requests a user merges locally and pushes. */
async function setUp(t: Parameters<typeof workTree>[0]) {
  const setup = await deployingProject(app);
  const { project, owner, path } = setup;
  const deploy = async (attributes: Record<string, unknown> = {}) => {
    const { status, body } = await setup.deploy(attributes);
    if (status !== 201) throw new Error(JSON.stringify(body));
    // Before the push has been processed.
    await linkMergeRequests(app.context(), { deployment_id: body.id });
    return body as { id: number };
  };
  const iids = async ({ id }: { id: number }) => {
    const { body } = await owner.get(`${path}/deployments/${id}/merge_requests?sort=asc`);
    return body.map(({ iid }: { iid: number }) => iid);
  };
  return {
    ...setup,
    deploy,
    iids,
    request: () => mergeRequestIn(app, project),
    work: () => workTree(t, app, project, { as: project.owner }),
  };
}

type Setup = Awaited<ReturnType<typeof setUp>>;

/** Merges at home and pushes. @returns the merge */
async function pushMerged({ work }: Setup, { source_branch: branch }: Awaited<ReturnType<Setup['request']>>) {
  const { inside, push } = await work();
  await inside('merge', '--quiet', '--no-ff', '--message=At home', `origin/${branch}`);
  const { code, stderr } = await push(['HEAD:refs/heads/main']);
  if (code !== 0) throw new Error(stderr);
  return inside('rev-parse', 'HEAD');
}

// Contract: deployments-2.late-links
test('what is recorded as merged after its deployment is linked to the first one that had it, and the day is mended', async (t) => {
  const setup = await setUp(t);
  const { owner, path, deploy, iids, request } = setup;
  await deploy();
  await app.work();
  const one = await request();
  await app.work();
  const merge = await pushMerged(setup, one);
  const [first, second] = [await deploy({ sha: merge }), await deploy({ sha: merge, environment: 'staging' })];
  const review = await deploy({ sha: merge, environment: 'review/a' });
  t.deepEqual([await iids(first), await iids(second)], [[], []], 'nobody knows yet');
  const day = app.clock.now().toISOString().slice(0, 10);
  const explained = () => owner.get(`${path}/dora/explain?metric=lead_time_for_changes&date=${day}`);
  t.is((await explained()).body.merge_requests.count, 0);
  await app.work();
  t.is((await owner.get(`${path}/merge_requests/${one.iid}`)).body.state, 'merged');
  t.deepEqual([await iids(first), await iids(second), await iids(review)], [[one.iid], [one.iid], []]);
  t.like((await explained()).body, { merge_requests: { count: 1 } });
  const later = await deploy({ sha: merge, environment: 'production', ref: 'main', status: 'running' });
  await owner.put(`${path}/deployments/${later.id}`, { status: 'success' });
  await app.work();
  await linkLate(app.context(), { merge_request_id: one.id });
  t.deepEqual([await iids(first), await iids(later)], [[one.iid], []], 'each once for an environment');
});

// Contract: deployments-2.late-links
test('a first deployment has what was merged into the branch that it is of, and no other', async (t) => {
  const setup = await setUp(t);
  const { owner, path, deploy, iids, request } = setup;
  await owner.post(`${path}/repository/branches`, { branch: 'stable', ref: 'main' });
  const one = await request();
  await app.work();
  const merge = await pushMerged(setup, one);
  const [ours, theirs] = [
    await deploy({ sha: merge }),
    await deploy({ sha: merge, environment: 'live', ref: 'stable' }),
  ];
  await app.work();
  t.deepEqual([await iids(ours), await iids(theirs)], [[one.iid], []]);
});

// Contract: deployments-2.late-links
test('a merge request that was merged before its deployment is linked once, and one of a failed deployment not', async (t) => {
  const setup = await setUp(t);
  const { owner, path, deploy, iids, request } = setup;
  await deploy();
  const one = await request();
  await app.work();
  const merge = await pushMerged(setup, one);
  const failed = await deploy({ sha: merge, status: 'failed' });
  await app.work();
  await linkLate(app.context(), { merge_request_id: one.id });
  t.deepEqual(await iids(failed), []);
  const good = await deploy({ sha: merge });
  await linkLate(app.context(), { merge_request_id: one.id });
  t.deepEqual(await iids(good), [one.iid]);
  const open = await request();
  await linkLate(app.context(), { merge_request_id: open.id });
  await linkLate(app.context(), { merge_request_id: 0 });
  t.is((await owner.get(`${path}/merge_requests/${open.iid}`)).body.state, 'opened');
});

// Contract: deployments-2.late-links
test('what was picked from a merge that is recorded late is linked to the deployments that had the pick', async (t) => {
  const setup = await setUp(t);
  const { owner, path, deploy, iids, request, work } = setup;
  await owner.post(`${path}/repository/branches`, { branch: 'stable', ref: 'main' });
  await deploy({ ref: 'stable', environment: 'live' });
  await deploy({ environment: 'staging' });
  await app.work();
  const one = await request();
  await app.work();
  const merge = await pushMerged(setup, one);
  const tree = await work();
  await tree.inside('checkout', '--quiet', 'stable');
  const before = await tree.commit('unlike.txt');
  await tree.inside('cherry-pick', '-x', '--mainline', '1', merge);
  t.is((await tree.push(['HEAD:refs/heads/stable'])).code, 0);
  const pick = await tree.inside('rev-parse', 'HEAD');
  const live = { environment: 'live', ref: 'stable' };
  const [without, withPick, later] = [
    await deploy({ ...live, sha: before }),
    await deploy({ ...live, sha: pick }),
    await deploy({ ...live, sha: pick, status: 'running' }),
  ];
  await owner.put(`${path}/deployments/${later.id}`, { status: 'success' });
  const staging = await deploy({ environment: 'staging', sha: merge });
  await app.work();
  t.is((await owner.get(`${path}/merge_requests/${one.iid}`)).body.state, 'merged');
  t.deepEqual(
    [await iids(without), await iids(withPick), await iids(later), await iids(staging)],
    [[], [one.iid], [], [one.iid]],
  );
});

// Contract: deployments-2.late-links
test.serial('lead time counts from the push that merged, and is never less than nothing', async (t) => {
  const setup = await setUp(t);
  const { owner, path, deploy, request } = setup;
  await deploy();
  const one = await request();
  await app.work();
  const pushed = app.clock.now().toISOString();
  const merge = await pushMerged(setup, one);
  app.clock.advance('1 hour');
  const deployment = await deploy({ sha: merge });
  app.clock.advance('1 hour');
  await app.work();
  t.is((await owner.get(`${path}/merge_requests/${one.iid}`)).body.merged_at, pushed);
  const { finished_at: at } = (await owner.get(`${path}/deployments/${deployment.id}`)).body;
  const url = `${path}/dora/explain?metric=lead_time_for_changes&date=${(at ?? app.clock.now().toISOString()).slice(0, 10)}`;
  t.is((await owner.get(url)).body.merge_requests.items[0].lead_time, 3600);
});
