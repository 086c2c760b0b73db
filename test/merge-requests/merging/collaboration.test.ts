import test from 'ava';
import type { ExecutionContext } from 'ava';
import { useApp } from '../../core/app.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { commitTo } from '../merge-request-steps.js';

const app = useApp(test);

/** A fork with a branch that is proposed to its upstream, and a member of the upstream who has cloned the fork. */
async function proposed(
  t: ExecutionContext,
  role: 'developer' | 'maintainer',
  attributes: Record<string, unknown> = {},
) {
  const upstream = await app.build.project({ visibility: 'public' });
  const author = await app.build.user();
  const helper = await app.build.member(upstream, role);
  const { body: fork } = await app.as(author).post(`/projects/${upstream.id}/fork`);
  await app.work();
  await commitTo(app, { id: fork.id as number, owner: author }, 'story', 'main');
  const { status, body, text } = await app.as(author).post(`/projects/${fork.id}/merge_requests`, {
    source_branch: 'story',
    target_branch: 'main',
    title: 'From a fork',
    target_project_id: upstream.id,
    allow_collaboration: true,
    ...attributes,
  });
  if (status !== 201) throw new Error(text);
  const project = { id: fork.id as number, full_path: fork.path_with_namespace as string };
  const work = await workTree(t, app, project, { as: helper });
  await work.inside('checkout', '--quiet', 'story');
  const pushed = async (ref = 'story') => {
    const { code } = await work.push([`HEAD:refs/heads/${ref}`]);
    return code === 0;
  };
  return { upstream, author, helper, work, pushed, project, request: body, iid: body.iid as number };
}

// Contract: merging-6.collaboration
test('whoever may merge pushes to the branch of a fork that allows it, to no other branch there, and as long as it is open', async (t) => {
  const { upstream, author, work, pushed, project, iid } = await proposed(t, 'maintainer');
  const sha = await work.commit('help.txt');
  t.false(await pushed('main'));
  t.false(await pushed('another'));
  t.true(await pushed());
  await app.work();
  const path = `/projects/${upstream.id}/merge_requests/${iid}`;
  const asOwner = app.as(upstream.owner);
  t.is((await asOwner.get(path)).body.sha, sha);
  t.not((await work.push([':refs/heads/story'])).code, 0, 'nor is it deleted');
  await app.as(author).post(`/projects/${project.id}/protected_branches`, { name: 'story' });
  await work.commit('more.txt');
  t.false(await pushed(), 'protected branches are their own');
  await app.as(author).delete(`/projects/${project.id}/protected_branches/story`);
  t.true(await pushed());
  await asOwner.put(path, { state_event: 'close' });
  await work.commit('late.txt');
  t.false(await pushed());
});

// Contract: merging-6.collaboration
test('who may not merge pushes to no fork, nor does anybody where its author does not allow it', async (t) => {
  const proposal = await proposed(t, 'maintainer', { allow_collaboration: false });
  await proposal.work.commit('help.txt');
  t.false(await proposal.pushed());
  const open = await proposed(t, 'developer');
  await open.work.commit('help.txt');
  t.false(await open.pushed(), 'Maintainers alone merge there');
  const stranger = await app.build.user();
  t.not((await open.work.push(['HEAD:refs/heads/story'], { as: stranger })).code, 0);
});

// Contract: merging-6.collaboration
test('by the API too they commit, change files, pick and revert on that branch, and nowhere else', async (t) => {
  const { author, helper, project, iid, upstream } = await proposed(t, 'maintainer');
  const asHelper = app.as(helper);
  const base = `/projects/${project.id}/repository`;
  const canPush = async (branch: string) => (await asHelper.get(`${base}/branches/${branch}`)).body.can_push as boolean;
  t.deepEqual([await canPush('story'), await canPush('main')], [true, false]);
  const change = { branch: 'story', commit_message: 'Help' };
  const add = (branch: string, file_path: string, attributes = {}) =>
    asHelper.post(`${base}/commits`, {
      ...change,
      branch,
      actions: [{ action: 'create', file_path, content: 'a' }],
      ...attributes,
    });
  const response = await add('story', 'one.txt');
  t.is(response.status, 201, response.text);
  t.is(response.body.author_name, helper.name);
  t.is((await asHelper.post(`${base}/files/two.txt`, { ...change, content: 'b' })).status, 201);
  t.is((await asHelper.put(`${base}/files/two.txt`, { ...change, content: 'c' })).status, 200);
  t.is((await asHelper.delete(`${base}/files/two.txt`, change)).status, 204);
  t.is((await asHelper.post(`${base}/commits/${response.body.id}/revert`, { branch: 'story' })).status, 201);
  t.is((await asHelper.post(`${base}/commits/${response.body.id}/cherry_pick`, { branch: 'story' })).status, 201);

  const elsewhere = await add('main', 'three.txt');
  t.is(elsewhere.status, 403);
  t.is(elsewhere.body.message, '403 Forbidden - You are not allowed to push into this branch');
  t.is((await add('new', 'three.txt', { start_branch: 'story' })).status, 403, 'nor do they make branches');
  t.is((await asHelper.post(`${base}/files/three.txt`, { ...change, branch: 'main', content: 'b' })).status, 400);
  t.is((await asHelper.post(`${base}/commits/${response.body.id}/revert`, { branch: 'main' })).status, 403);
  t.is((await asHelper.post(`${base}/branches`, { branch: 'new', ref: 'story' })).status, 403);
  t.is((await asHelper.delete(`${base}/branches/story`)).status, 403);
  t.is(
    (await add('story', 'four.txt', { start_branch: 'main', force: true })).status,
    201,
    'nothing keeps its history',
  );

  const stranger = await app.as(await app.build.user()).post(`${base}/commits`, {
    ...change,
    actions: [{ action: 'create', file_path: 'five.txt', content: 'a' }],
  });
  t.deepEqual([stranger.status, stranger.body], [403, { message: '403 Forbidden' }]);
  await app.as(author).delete(`${base}/branches/story`);
  t.is((await add('story', 'six.txt', { start_branch: 'main' })).status, 403, 'a branch that is gone stays so');
  await app.as(author).post(`${base}/branches`, { branch: 'story', ref: 'main' });
  t.is((await add('story', 'seven.txt')).status, 201);
  await app.as(upstream.owner).put(`/projects/${upstream.id}/merge_requests/${iid}`, { state_event: 'close' });
  t.is((await add('story', 'eight.txt')).status, 403);
  t.false(await canPush('story'));
});
