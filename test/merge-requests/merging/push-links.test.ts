import test from 'ava';
import { useApp } from '../../core/app.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { mergingIn } from './merging-steps.js';

const app = useApp(test);

// Contract: merging-2.printing_merge_request_link_enabled
test('a push tells on the terminal where a merge request is made, or is, where the project wants it', async (t) => {
  const project = await app.build.project();
  const { owner } = await mergingIn(app, {}, project);
  const work = await workTree(t, app, project, { as: project.owner });
  await work.commit('one.txt');
  const first = await work.push(['HEAD:refs/heads/a-story']);
  t.is(first.code, 0, first.stderr);
  const base = `http://capstan.test/${project.full_path}/-/merge_requests`;
  t.true(first.stderr.includes('To create a merge request for a-story, visit:'), first.stderr);
  t.true(first.stderr.includes(`remote:   ${base}/new?merge_request%5Bsource_branch%5D=a-story`), first.stderr);
  const attributes = { source_branch: 'a-story', target_branch: 'main', title: 'Story' };
  t.is((await owner.post(`/projects/${project.id}/merge_requests`, attributes)).status, 201);
  await work.commit('two.txt');
  const second = await work.push(['HEAD:refs/heads/a-story']);
  t.true(second.stderr.includes('View merge request for a-story:'), second.stderr);
  t.true(second.stderr.includes(`remote:   ${base}/1`), second.stderr);
  await owner.put(`/projects/${project.id}`, { printing_merge_request_link_enabled: false });
  await work.commit('three.txt');
  t.false((await work.push(['HEAD:refs/heads/a-story'])).stderr.includes('merge request'));
  const toMain = await work.push(['HEAD:main']);
  t.false(toMain.stderr.includes('merge request'));
});
