import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { issueIn } from './issues.js';

const app = useApp(test);

// Contract: issue-links-8.gitbeaker
test('@gitbeaker/rest links, lists and unlinks issues', async (t) => {
  const project = await app.build.project();
  const [a, b] = [await issueIn(app, project), await issueIn(app, project)];
  const { IssueLinks } = new Gitlab({ host: app.url, token: project.owner.token });
  const link = await IssueLinks.create(project.id, a.iid, project.id, b.iid, { linkType: 'blocks' });
  t.like(link, { link_type: 'blocks', source_issue: { id: a.id }, target_issue: { id: b.id } });
  const [listed] = await IssueLinks.all(project.id, b.iid);
  t.like(listed, { id: a.id, link_type: 'is_blocked_by' });
  const linkId = (listed as unknown as { issue_link_id: number }).issue_link_id;
  await IssueLinks.remove(project.id, a.iid, linkId);
  t.deepEqual(await IssueLinks.all(project.id, a.iid), []);
});

// Contract: issues-10.3.gitbeaker
test('@gitbeaker/rest reads the events of an issue', async (t) => {
  const project = await app.build.project();
  const as = app.as(project.owner);
  const { iid } = await issueIn(app, project, { labels: 'a', weight: 2 });
  const { id: milestone_id } = (await as.post(`/projects/${project.id}/milestones`, { title: '1.0' })).body;
  await as.put(`/projects/${project.id}/issues/${iid}`, { state_event: 'close', milestone_id });
  const client = new Gitlab({ host: app.url, token: project.owner.token });
  for (const events of [
    client.IssueStateEvents,
    client.IssueLabelEvents,
    client.IssueMilestoneEvents,
    client.IssueWeightEvents,
  ]) {
    const [event] = await events.all(project.id, iid);
    t.is((await events.show(project.id, iid, (event as { id: number }).id)).id, (event as { id: number }).id);
  }
});
