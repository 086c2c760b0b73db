import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { epicIn } from '../../planning/epics/epic-steps.js';
import { mergeRequestIn } from '../../merge-requests/merge-request-steps.js';
import { ids, issueFixture } from '../fixtures.js';

const app = useApp(test);

/** An epic of a group, with where its notes and threads are. */
async function epicFixture(attributes: Record<string, unknown> = {}, visibility = 'public') {
  const owner = await app.build.user();
  const group = await app.build.group({ owner, visibility } as never);
  const epic = await epicIn(app, { id: group.id, owner }, attributes);
  const path = `/groups/${group.id}/epics/${epic.id}`;
  return { owner, group, epic, as: app.as(owner), path, notes: `${path}/notes`, discussions: `${path}/discussions` };
}

const getBodies = (notes: readonly { body: string }[]) => notes.map(({ body }) => body);

// Contract: notes-1.epics
test('epics are commented on by their global ids, in threads that cannot be resolved', async (t) => {
  const { as, notes, discussions, epic, group } = await epicFixture();
  const single = (await as.post(notes, { body: 'Hello' })).body;
  t.like(single, {
    type: null,
    noteable_type: 'Epic',
    noteable_id: epic.id,
    noteable_iid: null,
    project_id: null,
    resolvable: false,
  });
  const [thread] = (await as.get(discussions)).body;
  const reply = await as.post(`${discussions}/${thread.id}/notes`, { body: 'Welcome' });
  t.deepEqual([reply.status, reply.body.type, reply.body.resolvable], [201, 'DiscussionNote', false]);
  t.is((await as.get(`${discussions}/${thread.id}`)).body.individual_note, false);
  const resolved = await as.put(`${discussions}/${thread.id}/notes/${reply.body.id}`, { resolved: true });
  t.deepEqual([resolved.status, resolved.body.message], [400, '400 Bad request - Note is not resolvable']);
  t.is((await as.put(`${discussions}/${thread.id}`, { resolved: true })).status, 405);
  t.is((await as.put(`${notes}/${single.id}`, { body: 'Hi' })).body.body, 'Hi');
  t.is((await as.delete(`${notes}/${single.id}`)).status, 204);
  t.is((await as.get(`${notes}/${single.id}`)).status, 404);
  // The iid of the epic is no id of it.
  t.is((await as.get(`/groups/${group.id}/epics/${epic.id + 1_000_000}/notes`)).status, 404);
});

// Contract: notes-1.epics.hidden
test('internal notes of epics, and notes of confidential epics, are for Planners and above', async (t) => {
  const { as, notes, group, epic } = await epicFixture();
  const stranger: BuiltUser = await app.build.user();
  await as.post(notes, { body: 'open' });
  const secret = (await as.post(notes, { body: 'secret', internal: true })).body;
  t.true(secret.internal);
  const listed = await app.as(stranger).get(notes);
  t.deepEqual([getBodies(listed.body), listed.headers.get('x-total')], [['open'], '1']);
  t.is((await app.as(stranger).get(`${notes}/${secret.id}`)).status, 404);
  t.is((await app.as(stranger).post(notes, { body: 'me too' })).status, 201);
  t.is((await app.anonymous.get(notes)).status, 401);
  await as.put(`/groups/${group.id}/epics/${epic.iid}`, { confidential: true });
  t.is((await app.as(stranger).get(notes)).status, 404);
  t.is((await app.as(stranger).post(notes, { body: 'again' })).status, 404);
});

// Contract: notes-8.epics
test('the service tells of changes of epics, and labels tell themselves by events', async (t) => {
  const { as, notes, group, epic, path } = await epicFixture();
  await as.put(`/groups/${group.id}/epics/${epic.iid}`, {
    title: 'Engines',
    description: 'All of them',
    confidential: true,
    add_labels: 'bug',
  });
  const listedNotes = (await as.get(`${notes}?activity_filter=only_activity&sort=asc`)).body;
  t.deepEqual(getBodies(listedNotes), [
    'changed title from **{-Epic-}** to **{+Engines+}**',
    'changed the description',
    'made the epic confidential',
  ]);
  const [event] = (await as.get(`${path}/resource_label_events`)).body;
  t.like(event, { action: 'add', resource_type: 'Epic', resource_id: epic.id });
});

// Contract: notes.awards-of-epics
test('notes of epics and merge requests are given emoji', async (t) => {
  const { as, notes, group, epic } = await epicFixture();
  const note = (await as.post(notes, { body: 'Hello' })).body;
  const project = await app.build.project({ visibility: 'public' });
  const { iid } = await mergeRequestIn(app, project);
  const request = `/projects/${project.id}/merge_requests/${iid}`;
  const said = (await app.as(project.owner).post(`${request}/notes`, { body: 'Hello' })).body;
  const stranger = app.as(await app.build.user());
  for (const awards of [
    `/groups/${group.id}/epics/${epic.iid}/notes/${note.id}/award_emoji`,
    `${request}/notes/${said.id}/award_emoji`,
  ]) {
    const award = await stranger.post(awards, { name: 'rocket' });
    t.is(award.status, 201, JSON.stringify(award.body));
    t.like(award.body, { name: 'rocket', awardable_type: 'Note' });
    t.is((await stranger.post(awards, { name: 'rocket' })).status, 404);
    t.deepEqual(ids((await as.get(awards)).body), [award.body.id]);
    t.is((await stranger.delete(`${awards}/${award.body.id}`)).status, 204);
  }
});

// Contract: notes-8.mentioned-everywhere
test('an issue is told what mentions it: merge requests and epics, and notes on them, to those who see these', async (t) => {
  const { as, project, issue, notes } = await issueFixture(app);
  const reference = `${project.full_path}#${issue.iid}`;
  const request = await mergeRequestIn(app, project, { description: `For #${issue.iid}` });
  const other = await mergeRequestIn(app, project);
  await as.post(`/projects/${project.id}/merge_requests/${other.iid}/notes`, { body: `See #${issue.iid}` });
  await as.post(`/projects/${project.id}/merge_requests/${other.iid}/notes`, { body: `See #${issue.iid} again` });
  const group = await app.build.group({ owner: project.owner, visibility: 'private' } as never);
  const epic = await epicIn(app, { id: group.id, owner: project.owner }, { description: `About ${reference}` });
  const later = await epicIn(app, { id: group.id, owner: project.owner });
  await as.post(`/groups/${group.id}/epics/${later.id}/notes`, { body: `And ${reference}` });
  const listedNotes = (await as.get(`${notes}?sort=asc`)).body;
  t.deepEqual(getBodies(listedNotes), [
    `mentioned in merge request !${request.iid}`,
    `mentioned in merge request !${other.iid}`,
    `mentioned in epic ${group.full_path}&${epic.iid}`,
    `mentioned in epic ${group.full_path}&${later.iid}`,
  ]);
  const stranger = app.as(await app.build.user());
  t.is((await stranger.get(notes)).headers.get('x-total'), '2');
  await as.put(`/projects/${project.id}`, { merge_requests_access_level: 'private' });
  t.is((await stranger.get(notes)).headers.get('x-total'), '0');
});

// Contract: notes-8.merge-requests
test('the service tells of changes of merge requests', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const { iid } = await mergeRequestIn(app, project);
  const as = app.as(project.owner);
  const path = `/projects/${project.id}/merge_requests/${iid}`;
  await as.put(path, { title: 'Draft: Engine', discussion_locked: true, assignee_id: project.owner.id });
  const approver = await app.build.member(project, 'developer');
  await as.put(path, { reviewer_ids: [approver.id] });
  await app.as(approver).post(`${path}/approve`);
  t.deepEqual(getBodies((await as.get(`${path}/notes?sort=asc`)).body), [
    'changed title from **{-Engine-}** to **{+Draft: Engine+}**',
    'marked this merge request as **draft**',
    'locked the discussion in this merge request',
    `assigned to @${project.owner.username}`,
    `requested review from @${approver.username}`,
    'approved this merge request',
  ]);
});
