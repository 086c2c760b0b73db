import test from 'ava';
import { useApp } from '../../core/app.js';
import { issueIn, getTarget } from './issues.js';

const app = useApp(test);

// Contract: issue-links-4.11, issue-links-6.order
test('blocking needs Premium; a link that is there comes first, then the right', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const [a, b] = [await issueIn(app, project), await issueIn(app, project)];
  const guest = await app.build.member(project, 'guest');
  await app.set({ plan: 'free' });
  for (const link_type of ['blocks', 'is_blocked_by']) {
    const { status, body } = await app.as(guest).post(a.links, { ...getTarget(b), link_type });
    t.deepEqual([status, body], [403, { message: 'Blocked issues not available for current license' }]);
  }
  t.is((await app.as(project.owner).post(a.links, { ...getTarget(b), link_type: 'relates_to' })).status, 201);
  t.is((await app.as(guest).post(a.links, getTarget(b))).status, 409);
});
