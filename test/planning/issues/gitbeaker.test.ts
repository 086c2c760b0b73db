import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: issue-10.done-gitbeaker
test('@gitbeaker/rest does the whole cycle of an issue, and counts issues', async (t) => {
  const group = await app.build.group();
  const [project, other] = [await app.build.projectIn(group), await app.build.projectIn(group)];
  const api = new Gitlab({ host: app.url, token: group.owner.token });
  const issue = await api.Issues.create(project.id, 'Engine', {
    labels: 'bug,engine',
    dueDate: '2030-02-02',
    assigneeIds: [group.owner.id],
  });
  t.deepEqual(issue.labels, ['bug', 'engine']);
  t.is((await api.Issues.show(issue.iid, { projectId: project.id })).title, 'Engine');
  const edited = await api.Issues.edit(project.id, issue.iid, {
    addLabels: 'new',
    removeLabels: 'bug',
    stateEvent: 'close',
  });
  t.is(edited.state, 'closed');
  t.deepEqual(edited.labels, ['engine', 'new']);
  await api.Issues.edit(project.id, issue.iid, { stateEvent: 'reopen' });
  t.is((await api.Issues.all({ projectId: project.id, labels: 'engine', state: 'opened' })).length, 1);
  t.is((await api.Issues.all({ groupId: group.id })).length, 1);
  t.is((await api.Issues.all({ scope: 'all' })).length, 1);
  t.is((await api.Issues.addTimeEstimate(project.id, issue.iid, '3h30m')).time_estimate, 12_600);
  t.is((await api.Issues.addSpentTime(project.id, issue.iid, '1h')).total_time_spent, 3600);
  t.is((await api.Issues.resetSpentTime(project.id, issue.iid)).total_time_spent, 0);
  t.is((await api.Issues.resetTimeEstimate(project.id, issue.iid)).time_estimate, 0);
  t.is((await api.Issues.unsubscribe(project.id, issue.iid)).iid, issue.iid);
  t.is((await api.Issues.subscribe(project.id, issue.iid)).iid, issue.iid);
  t.is((await api.Issues.allParticipants(project.id, issue.iid)).length, 1);
  t.deepEqual(await api.Issues.allRelatedMergeRequests(project.id, issue.iid), []);
  t.deepEqual(await api.Issues.allClosedByMergeRequestst(project.id, issue.iid), []);
  const second = await api.Issues.create(project.id, 'Second');
  t.is(
    ((await api.Issues.reorder(project.id, second.iid, { moveAfterId: issue.id })) as unknown as { iid: number }).iid,
    second.iid,
  );
  t.is((await api.Issues.clone(project.id, second.iid, other.id)).project_id, other.id);
  t.is((await api.Issues.move(project.id, issue.iid, other.id)).project_id, other.id);
  const counts = { all: 4, closed: 1, opened: 3 };
  t.deepEqual((await api.IssuesStatistics.all({ groupId: group.id })).statistics.counts, counts);
  t.deepEqual((await api.IssuesStatistics.all({ projectId: other.id })).statistics.counts, {
    all: 2,
    closed: 0,
    opened: 2,
  });
  t.deepEqual((await api.IssuesStatistics.all({ scope: 'all' })).statistics.counts, counts);
  await api.Issues.remove(project.id, second.iid);
  await t.throwsAsync(() => api.Issues.show(second.iid, { projectId: project.id }), { message: /Not found/ });
});
