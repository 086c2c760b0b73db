import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';

const app = useApp(test);

/** The system notes of an issue, oldest first, as stored. */
const getNotes = (issue: { id: number }) =>
  app.context().query<{ note: string; action: string; author_id: number; discussion_id: string }>(sql`
    select n.note, n.action, n.author_id, n.discussion_id from notes n
     where n.issue_id = ${issue.id} and n.system order by n.id`);

const getTexts = async (issue: { id: number }) => (await getNotes(issue)).map(({ note }) => note);

async function setUp() {
  const project = await app.build.project({ visibility: 'public' });
  const as = app.as(project.owner);
  const issue = await getIssue(as, project);
  return { project, as, issue, path: `/projects/${project.id}/issues/${issue.iid}` };
}

const getIssue = async (as: Client, project: { id: number }) =>
  (await as.post(`/projects/${project.id}/issues`, { title: 'Old', description: 'First' })).body;

// Contract: notes-8.texts
test('each change reads as the public product words it', async (t) => {
  const { project, as, issue, path } = await setUp();
  const [ann, ben] = [await app.build.member(project, 'developer'), await app.build.member(project, 'developer')];
  t.deepEqual(await getTexts(issue), []);
  const expected = [];
  for (const [change, text] of [
    [{ title: 'New' }, 'changed title from **{-Old-}** to **{+New+}**'],
    [{ description: 'Second' }, 'changed the description'],
    [{ assignee_ids: [ann.id] }, `assigned to @${ann.username}`],
    [{ assignee_ids: [ben.id] }, `assigned to @${ben.username} and unassigned @${ann.username}`],
    [{ assignee_ids: [] }, `unassigned @${ben.username}`],
    [{ confidential: true }, 'made the issue confidential'],
    [{ confidential: false }, 'made the issue visible to everyone'],
    [{ discussion_locked: true }, 'locked the discussion in this issue'],
    [{ discussion_locked: false }, 'unlocked the discussion in this issue'],
    [{ due_date: '2030-03-01' }, 'changed due date to March 1, 2030'],
    [{ due_date: '' }, 'removed due date'],
    [{ issue_type: 'incident' }, 'changed type from issue to incident'],
  ] as const) {
    t.is((await as.put(path, change)).status, 200, text);
    expected.push(text);
    t.deepEqual(await getTexts(issue), expected);
  }
  const notes = await getNotes(issue);
  t.true(notes.every(({ author_id }) => author_id === project.owner.id));
  t.true(notes.every(({ discussion_id }) => /^[0-9a-f]{40}$/.test(discussion_id)));
  t.is(new Set(notes.map(({ discussion_id }) => discussion_id)).size, notes.length);
});

// Contract: notes-8.labels
test('what resource events tell of is told by no note: labels never, nor state, milestone and weight', async (t) => {
  const { as, issue, path, project } = await setUp();
  const { id: milestone_id } = (await as.post(`/projects/${project.id}/milestones`, { title: '1.0' })).body;
  await as.put(path, { labels: 'a,b', state_event: 'close', weight: 3, milestone_id });
  t.deepEqual(await getTexts(issue), []);
});

// Contract: notes-8.time
test('estimates and time spent are told', async (t) => {
  const { as, issue, path } = await setUp();
  await as.post(`${path}/time_estimate?duration=3h30m`);
  await as.post(`${path}/reset_time_estimate`);
  await as.post(`${path}/add_spent_time?duration=1h`);
  await as.post(`${path}/add_spent_time?duration=-30m`);
  await as.post(`${path}/reset_spent_time`);
  t.deepEqual(await getTexts(issue), [
    'changed time estimate to 3h 30m',
    'removed time estimate',
    'added 1h of time spent at 2030-01-01',
    'subtracted 30m of time spent at 2030-01-01',
    'removed time spent',
  ]);
});

// Contract: issue-links-4.9, issue-links-9.6
test('links are told on both issues, once each, by their number, across projects by path', async (t) => {
  const { as, issue, project } = await setUp();
  const near = await getIssue(as, project);
  const elsewhere = await app.build.project({ owner: project.owner });
  const far = await getIssue(as, elsewhere);
  const links = `/projects/${project.id}/issues/${issue.iid}/links`;
  const link = async (target: { project_id: number; iid: number }, link_type: string) =>
    (await as.post(links, { target_project_id: target.project_id, target_issue_iid: target.iid, link_type })).body.id;
  const related = await link(near, 'relates_to');
  await link(far, 'blocks');
  await as.delete(`/projects/${project.id}/issues/${near.iid}/links/${related}`);
  t.deepEqual(await getTexts(issue), [
    `marked this issue as related to #${near.iid}`,
    `marked this issue as blocking ${elsewhere.full_path}#${far.iid}`,
    `removed the relation with #${near.iid}`,
  ]);
  t.deepEqual(await getTexts(near), [
    `marked this issue as related to #${issue.iid}`,
    `removed the relation with #${issue.iid}`,
  ]);
  t.deepEqual(await getTexts(far), [`marked this issue as blocked by ${project.full_path}#${issue.iid}`]);
});

// Contract: issues-10.3.moved
test('moving and cloning are told on both issues, and the links go along with a move', async (t) => {
  const { as, issue, path, project } = await setUp();
  const other = await getIssue(as, project);
  const target = await app.build.project({ owner: project.owner });
  await as.post(`${path}/links`, { target_project_id: project.id, target_issue_iid: other.iid });
  const moved = (await as.post(`${path}/move`, { to_project_id: target.id })).body;
  const cloned = (await as.post(`/projects/${project.id}/issues/${other.iid}/clone`, { to_project_id: project.id }))
    .body;
  t.true((await getTexts(issue)).includes(`moved to ${target.full_path}#${moved.iid}`));
  t.true((await getTexts(moved)).includes(`moved from ${project.full_path}#${issue.iid}`));
  t.true((await getTexts(other)).includes(`cloned to #${cloned.iid}`));
  t.true((await getTexts(cloned)).includes(`cloned from #${other.iid}`));
  const linked = async (at: { project_id: number; iid: number }) =>
    (await as.get(`/projects/${at.project_id}/issues/${at.iid}/links`)).body.map(({ id }: { id: number }) => id);
  t.deepEqual(await linked(other), [moved.id]);
  t.deepEqual(await linked(moved), [other.id]);
});

// Contract: notes-8.mentioned
test('an issue that another one names is told so, once', async (t) => {
  const { as, issue, path, project } = await setUp();
  const near = await getIssue(as, project);
  const elsewhere = await app.build.project({ owner: project.owner });
  const far = await getIssue(as, elsewhere);
  await as.put(path, { description: `See #${near.iid} and ${elsewhere.full_path}#${far.iid}` });
  await as.put(path, { description: `Again #${near.iid}` });
  t.deepEqual(await getTexts(near), [`mentioned in issue #${issue.iid}`]);
  t.deepEqual(await getTexts(far), [`mentioned in issue ${project.full_path}#${issue.iid}`]);
});
