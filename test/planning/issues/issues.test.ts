import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);
const NOW = '2030-01-01T00:00:00.000Z';

// Contract: interface-2.7.summary, interface-2.7.iid, issue-links-2.record, core-6.create, core-6.get, core-6.labels-made
test('an issue is made, read and listed with every key of the contract', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const { owner } = project;
  const path = `/projects/${project.id}/issues`;
  const response = await app.as(owner).post(path, {
    title: 'Engine does not start',
    description: 'Steps\n\n- [x] fuel\n- [ ] spark\n',
    labels: 'bug,engine',
    assignee_ids: [owner.id],
    due_date: '2030-02-01',
    weight: 3,
  });
  t.is(response.status, 201);
  const { author, assignee, assignees, ...rest } = response.body;
  for (const person of [author, assignee, assignees[0]]) t.like(person, { id: owner.id, username: owner.username });
  const web = response.body.web_url.replace(`/${project.full_path}/-/issues/1`, '');
  t.deepEqual(rest, {
    id: rest.id,
    iid: 1,
    project_id: project.id,
    title: 'Engine does not start',
    description: 'Steps\n\n- [x] fuel\n- [ ] spark\n',
    state: 'opened',
    created_at: NOW,
    updated_at: NOW,
    closed_at: null,
    closed_by: null,
    labels: ['bug', 'engine'],
    milestone: null,
    type: 'ISSUE',
    user_notes_count: 0,
    merge_requests_count: 0,
    upvotes: 0,
    downvotes: 0,
    start_date: null,
    due_date: '2030-02-01',
    confidential: false,
    discussion_locked: null,
    issue_type: 'issue',
    web_url: `${web}/${project.full_path}/-/issues/1`,
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    task_completion_status: { count: 2, completed_count: 1 },
    weight: 3,
    epic_iid: null,
    epic: null,
    blocking_issues_count: 0,
    has_tasks: true,
    task_status: '1 of 2 checklist items completed',
    _links: {
      self: `${web}/api/v4/projects/${project.id}/issues/1`,
      notes: `${web}/api/v4/projects/${project.id}/issues/1/notes`,
      award_emoji: `${web}/api/v4/projects/${project.id}/issues/1/award_emoji`,
      project: `${web}/api/v4/projects/${project.id}`,
      closed_as_duplicate_of: null,
    },
    references: { short: '#1', relative: '#1', full: `${project.full_path}#1` },
    severity: 'UNKNOWN',
    moved_to_id: null,
    imported: false,
    imported_from: 'none',
    service_desk_reply_to: null,
    subscribed: true,
  });
  const read = await app.as(owner).get(`${path}/1`);
  t.deepEqual([read.status, read.body], [200, response.body]);
  const listed = await app.anonymous.get(path);
  const { subscribed: _subscribed, ...record } = response.body;
  t.deepEqual([listed.status, listed.body], [200, [record]]);
});
