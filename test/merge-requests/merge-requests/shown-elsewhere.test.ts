import test from 'ava';
import { useApp } from '../../core/app.js';
import { mergingIn } from '../merging/merging-steps.js';

const app = useApp(test);

// Contract: mr-7.labels-count
test('labels tell how many open merge requests have them, of those that the caller may see', async (t) => {
  const { project, owner, make, edit, merge } = await mergingIn(app);
  const request = await make({ labels: 'urgent' });
  await make({ labels: 'urgent' });
  const counted = async (caller: typeof owner) => {
    const { body } = await caller.get(`/projects/${project.id}/labels?with_counts=true`);
    return body.find(({ name }: { name: string }) => name === 'urgent').open_merge_requests_count;
  };
  t.is(await counted(owner), 2);
  const guest = await app.build.member(project, 'guest');
  t.is(await counted(app.as(guest)), 0, 'guests of a private project see no merge requests');
  await edit(request, { state_event: 'close' });
  t.is(await counted(owner), 1);
  await edit(request, { state_event: 'reopen' });
  await merge(request);
  t.is(await counted(owner), 1);
});

// Contract: mr-7.deployed
test('merge requests tell when they were first deployed to production, and are filtered by where they were', async (t) => {
  const { project, owner, path, make, merge, read, head } = await mergingIn(app);
  const request = await make();
  await make();
  const before = app.clock.now();
  t.is((await merge(request)).status, 200);
  t.is((await read(request)).first_deployed_to_production_at, null);
  const deployment = { environment: 'production', sha: head(), ref: 'main', tag: false, status: 'success' };
  const { status, body } = await owner.post(`/projects/${project.id}/deployments`, deployment);
  t.is(status, 201);
  await app.work();
  t.truthy((await read(request)).first_deployed_to_production_at);
  t.true(Date.parse((await read(request)).first_deployed_to_production_at) >= before.getTime());
  const found = async (query: string) =>
    (await owner.get(`${path}?${query}`)).body.map(({ iid }: { iid: number }) => iid);
  t.deepEqual(await found('environment=production'), [request.iid]);
  t.deepEqual(await found('environment=staging'), []);
  t.deepEqual(await found(`deployed_after=${before.toISOString()}`), [request.iid]);
  t.deepEqual(await found(`deployed_before=${new Date(before.getTime() - 1000).toISOString()}`), []);
  t.truthy(body.id);
});
