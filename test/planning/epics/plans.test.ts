import test from 'ava';
import { useApp } from '../../core/app.js';
import { epicIn } from './epic-steps.js';

const app = useApp(test);

// Contract: epics-8.plan
test('without Premium epics are refused, and kept for it', async (t) => {
  const group = await app.build.group();
  const as = app.as(group.owner);
  const project = await app.build.projectIn(group, {});
  const epic = await epicIn(app, group);
  const { iid } = (await as.post(`/projects/${project.id}/issues`, { title: 'i', epic_id: epic.id })).body;
  await app.set({ plan: 'free' });
  for (const path of [epic.path, `/groups/${group.id}/epics`, `${epic.path}/issues`, `${epic.path}/award_emoji`])
    t.is((await as.get(path)).status, 403, path);
  t.is((await as.put(epic.path, { title: 'x' })).status, 403);
  const issue = (await as.get(`/projects/${project.id}/issues/${iid}`)).body;
  t.false('epic' in issue || 'epic_iid' in issue);
  await app.set({ plan: 'premium' });
  t.is((await as.get(`/projects/${project.id}/issues/${iid}`)).body.epic_iid, epic.iid);
});
