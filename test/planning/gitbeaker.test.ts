import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../core/app.js';

const app = useApp(test);
const getClient = (token: string) => new Gitlab({ host: app.url, token });

// Contract: labels-8.gitbeaker
test('@gitbeaker/rest makes, lists, shows, edits, promotes and removes labels of projects and groups', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const { ProjectLabels, GroupLabels } = getClient(group.owner.token);
  const label = await ProjectLabels.create(project.id, 'bug', '#dc143c', { priority: 2 });
  t.like(label, { name: 'bug', color: '#dc143c', priority: 2, is_project_label: true });
  t.like(await ProjectLabels.show(project.id, 'bug'), { id: label.id });
  t.like(await ProjectLabels.edit(project.id, label.id, { newName: 'fault' }), { name: 'fault' });
  const [listed] = await ProjectLabels.all(project.id, { withCounts: true });
  t.like(listed, { name: 'fault', open_issues_count: 0, closed_issues_count: 0, open_merge_requests_count: 0 });
  await ProjectLabels.promote(project.id, 'fault');
  t.like(await GroupLabels.show(group.id, 'fault'), { id: label.id });
  await GroupLabels.create(group.id, 'wish', 'navy', { description: 'Some day' });
  t.deepEqual(
    (await GroupLabels.all(group.id)).map(({ name }) => name),
    ['fault', 'wish'],
  );
  await GroupLabels.edit(group.id, 'wish', { color: '#abc' });
  await GroupLabels.remove(group.id, 'wish');
  await GroupLabels.remove(group.id, label.id);
  t.deepEqual(await ProjectLabels.all(project.id), []);
});

// Contract: milestones-8.gitbeaker
test('@gitbeaker/rest makes, lists, shows, edits, promotes and removes milestones of projects and groups', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const { ProjectMilestones, GroupMilestones } = getClient(group.owner.token);
  const milestone = await ProjectMilestones.create(project.id, '1.0', {
    dueDate: '2030-02-01',
    startDate: '2030-01-01',
  });
  t.like(milestone, { iid: 1, project_id: project.id, due_date: '2030-02-01' });
  t.like(await ProjectMilestones.show(project.id, milestone.id), { title: '1.0' });
  t.like(await ProjectMilestones.edit(project.id, milestone.id, { stateEvent: 'close' }), { state: 'closed' });
  t.is((await ProjectMilestones.all(project.id, { state: 'closed' })).length, 1);
  await ProjectMilestones.promote(project.id, milestone.id);
  t.deepEqual(await ProjectMilestones.all(project.id), []);
  t.like(await GroupMilestones.show(group.id, milestone.id), { group_id: group.id, title: '1.0' });
  const second = await GroupMilestones.create(group.id, '2.0');
  t.like(await GroupMilestones.edit(group.id, second.id, { description: 'x' }), { description: 'x' });
  t.is((await GroupMilestones.all(group.id)).length, 2);
  await GroupMilestones.remove(group.id, second.id);
  t.is((await GroupMilestones.all(group.id)).length, 1);
});
