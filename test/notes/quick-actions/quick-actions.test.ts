import test from 'ava';
import { splitCommands } from '../../../shared/notes/quick-actions/split-commands.js';
import { useApp } from '../../core/app.js';
import { mergeRequestIn } from '../../merge-requests/merge-request-steps.js';
import { epicIn } from '../../planning/epics/epic-steps.js';
import { issueFixture } from '../fixtures.js';

const app = useApp(test);

// Contract: notes-4.1.8, notes-1.12.commands
test('each command does what its operation does, and says so', async (t) => {
  const { project, as, notes, path } = await issueFixture(app);
  const ann = await app.build.member(project, 'developer');
  await as.post(`/projects/${project.id}/labels`, { name: 'bug', color: '#ff0000' });
  await as.post(`/projects/${project.id}/labels`, { name: 'to do', color: '#ff0000' });
  await as.post(`/projects/${project.id}/milestones`, { title: '1.0' });
  const other = (await as.post(`/projects/${project.id}/issues`, { title: 'Other' })).body;
  for (const [command, summary, expected] of [
    ['/title New name', 'Changed the title to "New name".', { title: 'New name' }],
    ['/label ~bug ~"to do"', 'Added ~bug ~"to do" labels.', { labels: ['bug', 'to do'] }],
    ['/unlabel ~bug', 'Removed ~bug label.', { labels: ['to do'] }],
    ['/relabel bug', 'Replaced all labels with ~bug label.', { labels: ['bug'] }],
    ['/unlabel', 'Removed all labels.', { labels: [] }],
    ['/milestone %1.0', 'Set the milestone to %1.0.', {}],
    ['/remove_milestone', 'Removed the milestone.', { milestone: null }],
    ['/estimate 1d 2h', 'Set time estimate to 1d 2h.', { 'time_stats.time_estimate': 36_000 }],
    ['/remove_estimate', 'Removed time estimate.', { 'time_stats.time_estimate': 0 }],
    ['/spend 30m', 'Added 30m spent time.', { 'time_stats.total_time_spent': 1800 }],
    ['/due 2030-02-01', 'Set the due date to Feb 1, 2030.', { due_date: '2030-02-01' }],
    ['/remove_due_date', 'Removed the due date.', { due_date: null }],
    ['/weight 3', 'Set weight to 3.', { weight: 3 }],
    ['/clear_weight', 'Cleared weight.', { weight: null }],
    ['/lock', 'Locked the discussion.', { discussion_locked: true }],
    ['/unlock', 'Unlocked the discussion.', { discussion_locked: false }],
    ['/unsubscribe', 'Unsubscribed from notifications.', { subscribed: false }],
    ['/subscribe', 'Subscribed to notifications.', { subscribed: true }],
    ['/award :thumbsup:', 'Toggled :thumbsup: emoji award.', { upvotes: 1 }],
    [`/assign @${ann.username}`, `Assigned @${ann.username}.`, { 'assignee.id': ann.id }],
    ['/unassign', 'Removed all assignees.', { assignee: null }],
    ['/confidential', 'Made this issue confidential.', { confidential: true }],
    ['/close', 'Closed this issue.', { state: 'closed' }],
    ['/reopen', 'Reopened this issue.', { state: 'opened' }],
    [`/relate #${other.iid}`, `Marked this issue as related to #${other.iid}.`, {}],
    [`/duplicate #${other.iid}`, `Closed this issue. Marked as a duplicate of, #${other.iid}.`, { state: 'closed' }],
  ] as const) {
    const { status, body } = await as.post(notes, { body: command });
    t.deepEqual([status, body.summary], [202, [summary]], command);
    t.deepEqual(Object.keys(body), ['commands_changes', 'summary']);
    const issue = (await as.get(path)).body;
    for (const [key, value] of Object.entries(expected)) {
      const found = key.split('.').reduce((record, part) => record[part], issue);
      t.deepEqual(found, value, command);
    }
  }
  t.deepEqual((await as.get(`${notes}?activity_filter=only_comments`)).body, []);
  t.is((await as.get(`${path}/links`)).body.length, 1);
});

// Contract: notes-4.1.8.text
test('commands are taken out of a comment, and what they changed is told with it', async (t) => {
  const { as, notes, discussions, path } = await issueFixture(app);
  const { status, body } = await as.post(notes, { body: 'Done here.\n\n/close\n/title Finished\nThanks' });
  t.is(status, 201);
  t.is(body.body, 'Done here.\n\nThanks');
  t.deepEqual(body.commands_changes, { state_event: 'close', title: 'Finished' });
  t.like((await as.get(path)).body, { state: 'closed', title: 'Finished' });
  const thread = await as.post(discussions, { body: '/reopen' });
  t.deepEqual([thread.status, thread.body.summary], [202, ['Reopened this issue.']]);
});

// Contract: notes-4.1.8.rights, notes-4.1.8.failed
test('a command that the caller may not run fails; where all fail and nothing else is said it is 400', async (t) => {
  const { project, as, notes, path } = await issueFixture(app);
  const guest = app.as(await app.build.member(project, 'guest'));
  for (const body of ['/close', '/label ~bug', '/lock\n/confidential', '/estimate never', '/milestone %none']) {
    const answer = await guest.post(notes, { body });
    t.deepEqual([answer.status, answer.body], [400, { message: '400 Bad request - Failed to apply commands.' }], body);
  }
  const answer = await guest.post(notes, { body: 'Please\n/close' });
  t.deepEqual([answer.status, answer.body.body], [201, 'Please']);
  t.is((await as.get(path)).body.state, 'opened');
});

// Contract: notes-4.1.8.unknown
test('unknown commands, and those in code and quotes, stay text', async (t) => {
  const { as, notes, path } = await issueFixture(app);
  for (const text of [
    '/unknown thing',
    // No commands of ours (decision 77).
    '/todo\n/done',
    '```\n/close\n```',
    '>>>\n/close\n>>>',
    '> /close',
    '    /close',
    'see /close',
    '`/close`',
    '~~~~\n/close\n~~~\n/close',
  ]) {
    const { status, body } = await as.post(notes, { body: text });
    t.deepEqual([status, body.body], [201, text]);
  }
  t.is((await as.get(path)).body.state, 'opened');
  const names = new Set(['close']);
  t.deepEqual(splitCommands('```\nx\n```\n/close', names), {
    text: '```\nx\n```',
    commands: [{ name: 'close', argument: '' }],
  });
  t.deepEqual(splitCommands('/CLOSE  now \r\nx', names).commands, [{ name: 'close', argument: 'now' }]);
});

// Contract: notes-4.1.8.many
test('more than 50 commands in one comment are refused, however many', async (t) => {
  const { as, notes, path } = await issueFixture(app);
  const { status, body } = await as.post(notes, { body: '/close\n/reopen\n'.repeat(5000) });
  t.is(status, 400);
  t.is(body.message, '400 Bad request - Note {:note=>["has too many quick actions (maximum is 50)"]}');
  t.is((await as.post(notes, { body: '/title x\n'.repeat(50) })).status, 202);
  t.is((await as.get(path)).body.title, 'x');
});

// Contract: notes-4.1.8.merge-requests
test('commands of merge requests do what their operations do', async (t) => {
  const project = await app.build.project();
  const as = app.as(project.owner);
  const ann = await app.build.member(project, 'developer');
  const { iid, sha } = await mergeRequestIn(app, project);
  const path = `/projects/${project.id}/merge_requests/${iid}`;
  await as.post(`/projects/${project.id}/labels`, { name: 'bug', color: '#ff0000' });
  await as.post(`/projects/${project.id}/milestones`, { title: '1.0' });
  await as.post(`/projects/${project.id}/repository/branches`, { branch: 'stable', ref: 'main' });
  for (const [command, summary, expected] of [
    ['/draft', 'Marked this merge request as a draft.', { draft: true, title: 'Draft: Engine' }],
    ['/ready', 'Marked this merge request as ready.', { draft: false, title: 'Engine' }],
    ['/title Motor', 'Changed the title to "Motor".', { title: 'Motor' }],
    ['/label ~bug', 'Added ~bug label.', { labels: ['bug'] }],
    ['/unlabel', 'Removed all labels.', { labels: [] }],
    ['/milestone %1.0', 'Set the milestone to %1.0.', { 'milestone.title': '1.0' }],
    ['/remove_milestone', 'Removed the milestone.', { milestone: null }],
    ['/estimate 1h', 'Set time estimate to 1h.', { 'time_stats.time_estimate': 3600 }],
    ['/spend 30m', 'Added 30m spent time.', { 'time_stats.total_time_spent': 1800 }],
    [`/assign @${ann.username}`, `Assigned @${ann.username}.`, { 'assignee.id': ann.id }],
    ['/unassign', 'Removed all assignees.', { assignee: null }],
    [`/assign_reviewer @${ann.username}`, `Requested a review from @${ann.username}.`, { 'reviewers.0.id': ann.id }],
    ['/unassign_reviewer', 'Removed all review requests.', { reviewers: [] }],
    ['/lock', 'Locked the discussion.', { discussion_locked: true }],
    ['/unlock', 'Unlocked the discussion.', { discussion_locked: false }],
    ['/unsubscribe', 'Unsubscribed from notifications.', { subscribed: false }],
    ['/award :thumbsup:', 'Toggled :thumbsup: emoji award.', { upvotes: 1 }],
    ['/target_branch stable', 'Set target branch to stable.', { target_branch: 'stable' }],
    ['/close', 'Closed this merge request.', { state: 'closed' }],
    ['/reopen', 'Reopened this merge request.', { state: 'opened' }],
  ] as const) {
    const { status, body } = await as.post(`${path}/notes`, { body: command });
    t.deepEqual([status, body.summary], [202, [summary]], `${command} ${JSON.stringify(body)}`);
    const request = (await as.get(path)).body;
    for (const [key, value] of Object.entries(expected))
      t.deepEqual(
        key.split('.').reduce((record, part) => record[part], request),
        value,
        command,
      );
  }
  const approved = await app.as(ann).post(`${path}/notes`, { body: 'Good\n/approve' });
  t.deepEqual([approved.status, approved.body.body], [201, 'Good']);
  t.is((await as.get(`${path}/approvals`)).body.approved_by.length, 1);
  t.is((await app.as(ann).post(`${path}/notes`, { body: '/unapprove' })).status, 202);
  t.is((await as.get(path)).body.sha, sha);
});

// Contract: notes-4.1.8.merge
test('/merge merges the head that is there, with the right to merge; what stands in the way is a refusal', async (t) => {
  const project = await app.build.project();
  const as = app.as(project.owner);
  const { iid } = await mergeRequestIn(app, project);
  const path = `/projects/${project.id}/merge_requests/${iid}`;
  const reporter = app.as(await app.build.member(project, 'reporter'));
  const failed = { message: '400 Bad request - Failed to apply commands.' };
  for (const body of ['/merge', '/approve', '/draft', '/close', '/target_branch main', '/lock'])
    t.deepEqual((await reporter.post(`${path}/notes`, { body })).body, failed, body);
  await as.post(`${path}/notes`, { body: '/draft' });
  t.deepEqual((await as.post(`${path}/notes`, { body: '/merge' })).body, failed);
  const old = { body: '/ready\n/merge', merge_request_diff_head_sha: 'a'.repeat(40) };
  t.deepEqual((await as.post(`${path}/notes`, old)).body.summary, ['Marked this merge request as ready.']);
  t.is((await as.get(path)).body.state, 'opened');
  await as.post(`${path}/notes`, { body: '/draft' });
  const { status, body } = await as.post(`${path}/notes`, { body: 'Off it goes\n/ready\n/merge' });
  t.deepEqual([status, body.body], [201, 'Off it goes']);
  t.is((await as.get(path)).body.state, 'merged');
});

// Contract: notes-4.1.8.epics
test('commands of epics do what their operations do', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const as = app.as(owner);
  const epic = await epicIn(app, { id: group.id, owner });
  await as.post(`/groups/${group.id}/labels`, { name: 'bug', color: '#ff0000' });
  const notes = `/groups/${group.id}/epics/${epic.id}/notes`;
  for (const [command, summary, expected] of [
    ['/label ~bug', 'Added ~bug label.', { labels: ['bug'] }],
    ['/relabel ~bug', 'Replaced all labels with ~bug label.', { labels: ['bug'] }],
    ['/title Engines', 'Changed the title to "Engines".', { title: 'Engines' }],
    ['/confidential', 'Made this epic confidential.', { confidential: true }],
    ['/unsubscribe', 'Unsubscribed from notifications.', { subscribed: false }],
    ['/award rocket', 'Toggled :rocket: emoji award.', { state: 'opened' }],
    ['/close', 'Closed this epic.', { state: 'closed' }],
    ['/reopen', 'Reopened this epic.', { state: 'opened' }],
  ] as const) {
    const { status, body } = await as.post(notes, { body: command });
    t.deepEqual([status, body.summary], [202, [summary]], `${command} ${JSON.stringify(body)}`);
    t.like((await as.get(epic.path)).body, expected, command);
  }
  // Epics are neither assigned nor due by a command.
  t.is((await as.post(notes, { body: '/assign me' })).status, 201);
});
