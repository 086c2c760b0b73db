import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';

const app = useApp(test);

// Contract: milestones-8.issues
test('the issues of a milestone are those that the caller may read, in whatever project of its group', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  const open = await app.build.projectIn(group, { visibility: 'public' });
  const shut = await app.build.projectIn(group, { visibility: 'private' });
  const as = app.as(group.owner);
  const { id: ofGroup } = (await as.post(`/groups/${group.id}/milestones`, { title: '1.0' })).body;
  const { id: own } = (await as.post(`/projects/${open.id}/milestones`, { title: 'own' })).body;
  const post = (project: { id: number }, attributes: object) => as.post(`/projects/${project.id}/issues`, attributes);
  await post(open, { title: 'a', milestone_id: ofGroup });
  await post(open, { title: 'secret', milestone_id: ofGroup, confidential: true });
  await post(shut, { title: 'hidden', milestone_id: ofGroup });
  await post(open, { title: 'mine', milestone_id: own });
  const list = async (client: Client, path: string) => {
    const { body, status } = await client.get(`${path}/issues`);
    return status === 200 ? body.map(({ title }: { title: string }) => title).sort() : status;
  };
  const path = `/groups/${group.id}/milestones/${ofGroup}`;
  t.deepEqual(await list(as, path), ['a', 'hidden', 'secret']);
  t.deepEqual(await list(app.anonymous, path), ['a']);
  t.deepEqual(await list(app.as(await app.build.member(shut, 'guest')), path), ['a', 'hidden']);
  t.deepEqual(await list(app.anonymous, `/projects/${open.id}/milestones/${own}`), ['mine']);
  t.is(await list(as, `/projects/${open.id}/milestones/${ofGroup}`), 404);
  await as.put(`/projects/${open.id}`, { issues_access_level: 'disabled' });
  t.deepEqual(await list(as, `/projects/${open.id}/milestones/${own}`), []);
  t.deepEqual(await list(as, path), ['hidden']);
});

test("issues of a deleted milestone are planned for none, and of a promoted one for the group's", async (t) => {
  const group = await app.build.group();
  const [one, two] = [await app.build.projectIn(group), await app.build.projectIn(group)];
  const as = app.as(group.owner);
  const milestones: number[] = [];
  for (const { id } of [one, two]) {
    const { body } = await as.post(`/projects/${id}/milestones`, { title: '1.0' });
    milestones.push(body.id);
    await as.post(`/projects/${id}/issues`, { title: 'x', milestone_id: body.id });
  }
  await as.post(`/projects/${one.id}/milestones/${milestones[0]}/promote`);
  const { body } = await as.get(`/groups/${group.id}/milestones/${milestones[0]}/issues`);
  t.is(body.length, 2);
  for (const issue of body) t.like(issue.milestone, { id: milestones[0], group_id: group.id });
  await as.delete(`/groups/${group.id}/milestones/${milestones[0]}`);
  t.is((await as.get(`/projects/${two.id}/issues/1`)).body.milestone, null);
});
