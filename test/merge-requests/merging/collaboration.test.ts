import test from 'ava';
import type { ExecutionContext } from 'ava';
import { useApp } from '../../core/app.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { commitTo } from '../merge-request-steps.js';

const app = useApp(test);

/** A fork with a branch that is proposed to its upstream, and a member of the upstream who has cloned the fork. */
async function proposed(t: ExecutionContext, role: 'developer' | 'maintainer', given: Record<string, unknown> = {}) {
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
    ...given,
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
  const kept = await proposed(t, 'maintainer', { allow_collaboration: false });
  await kept.work.commit('help.txt');
  t.false(await kept.pushed());
  const open = await proposed(t, 'developer');
  await open.work.commit('help.txt');
  t.false(await open.pushed(), 'Maintainers alone merge there');
  const stranger = await app.build.user();
  t.not((await open.work.push(['HEAD:refs/heads/story'], { as: stranger })).code, 0);
});
