import test from 'ava';
import { useApp } from '../../core/app.js';
import { labelIn, createContainer } from '../containers.js';

const app = useApp(test);

// Contract: labels-8.promote
test("a promoted label is its group's with the same id, and takes in those of its name", async (t) => {
  const above = await app.build.group();
  const group = await app.build.group({ parent: above, owner: above.owner });
  const [project, sibling] = [await app.build.projectIn(group), await app.build.projectIn(group)];
  const as = app.as(above.owner);
  const { body: label } = await as.post(`/projects/${project.id}/labels`, { name: 'bug', color: 'red', priority: 1 });
  const { body: same } = await as.post(`/projects/${sibling.id}/labels`, { name: 'bug', color: 'blue', priority: 2 });
  await as.post(`/projects/${sibling.id}/labels/bug/subscribe`);
  const { status, body } = await as.put(`/projects/${project.id}/labels/bug/promote`);
  t.is(status, 200);
  t.like(body, { id: label.id, name: 'bug', color: '#FF0000' });
  t.false('priority' in body);
  t.like((await as.get(`/projects/${project.id}/labels/bug`)).body, { priority: 1, is_project_label: false });
  t.like((await as.get(`/projects/${sibling.id}/labels/bug`)).body, { id: label.id, priority: 2, subscribed: true });
  t.is((await as.get(`/groups/${group.id}/labels/${same.id}`)).status, 404);
  t.is((await as.put(`/projects/${project.id}/labels/bug/promote`)).status, 404);
});

test('promoting a label takes rights in the group too, and a group', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const maintainer = app.as(await app.build.member(project, 'maintainer'));
  await maintainer.post(`/projects/${project.id}/labels`, { name: 'bug', color: 'red' });
  t.is((await maintainer.put(`/projects/${project.id}/labels/bug/promote`)).status, 403);
  const planner = app.as(await app.build.groupMember(group, 'planner'));
  t.is((await planner.put(`/projects/${project.id}/labels/bug/promote`)).status, 200);
  const alone = await createContainer(app, 'project', 'labels');
  await labelIn(app, alone, { name: 'bug' });
  const rejection = await app.as(alone.owner).put(`${alone.path}/bug/promote`);
  t.deepEqual([rejection.status, rejection.body], [400, { message: 'Failed to promote project label to group label' }]);
});
