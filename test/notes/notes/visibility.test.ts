import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { ids, issueFixture } from '../fixtures.js';

const app = useApp(test);

// Contract: notes-4.1.7, notes-3.5, notes-3.6, notes-graphql.internal
test('an internal note is there for Planners and above, its author, and author and assignees of the issue alone', async (t) => {
  const { project, as, notes, discussions, path } = await issueFixture(app);
  const people = {
    guest: await app.build.member(project, 'guest'),
    planner: await app.build.member(project, 'planner'),
    assignee: await app.build.user(),
    stranger: await app.build.user(),
  };
  await as.put(path, { assignee_ids: [people.assignee.id] });
  const publicNote = (await as.post(notes, { body: 'for all' })).body;
  const hidden = (await app.as(people.planner).post(notes, { body: 'for some', internal: true })).body;
  t.true(hidden.internal && hidden.confidential);
  const thread = (await as.get(discussions)).body.at(-1);
  const reply = (await as.post(`${discussions}/${thread.id}/notes`, { body: 'also' })).body;
  t.true(reply.internal);
  t.false((await app.as(people.guest).post(notes, { body: 'asked', internal: true })).body.internal);
  const sees = { guest: false, stranger: false, planner: true, assignee: true, owner: true };
  for (const [name, may] of Object.entries(sees)) {
    const client = app.as(name === 'owner' ? project.owner : people[name as keyof typeof people]);
    const listed = await client.get(`${discussions}?per_page=100`);
    const all = listed.body.flatMap((one: { notes: { id: number }[] }) => ids(one.notes));
    t.is(all.includes(hidden.id), may, name);
    t.is(all.includes(reply.id), may, name);
    t.true(all.includes(publicNote.id));
    t.is(listed.headers.get('x-total'), String(listed.body.length), name);
    for (const at of [`${notes}/${hidden.id}`, `${discussions}/${thread.id}`, `${discussions}/${thread.id}/notes`])
      t.is((await client.get(at)).status, may ? 200 : 404, `${name} ${at}`);
    t.is((await client.post(`${discussions}/${thread.id}/notes`, { body: 'x' })).status, may ? 201 : 404, name);
    t.is((await client.get(`${notes}/${hidden.id}/award_emoji`)).status, may ? 200 : 404, name);
    if (!may) t.is((await client.delete(`${notes}/${hidden.id}`)).status, 404);
  }
  // Comments that not all users may read are never counted: this counts the public one and the guest's question.
  t.is((await app.as(people.stranger).get(path)).body.user_notes_count, 2);
  const participants = ids((await app.as(people.guest).get(`${path}/participants`)).body);
  t.false(participants.includes(people.planner.id));
});

// Contract: notes-3.5.system
test('what the service tells of records that the caller may not see is left out of lists and counts', async (t) => {
  const { project, owner, as, notes, discussions } = await issueFixture(app);
  const secret = await app.build.project({ owner, visibility: 'private' });
  const { iid } = (await as.post(`/projects/${secret.id}/issues`, { title: 'Secret' })).body;
  await as.post(`/projects/${secret.id}/issues/${iid}/notes`, { body: `See ${project.full_path}#1` });
  t.is((await as.get(notes)).body.length, 1);
  const stranger = app.as(await app.build.user());
  for (const at of [notes, discussions]) {
    const { body, headers } = await stranger.get(at);
    t.deepEqual(body, []);
    t.is(headers.get('x-total'), '0');
  }
  const [systemNote] = (await as.get(notes)).body;
  t.is((await stranger.get(`${notes}/${systemNote.id}`)).status, 404);
});

// Contract: notes-4.1.2.confidential
test('the notes of a confidential issue are there for whom the issue is', async (t) => {
  const { project, as, notes, discussions } = await issueFixture(app, { confidential: true });
  const { id } = (await as.post(notes, { body: 'x' })).body;
  const stranger = app.as(await app.build.member(project, 'guest'));
  for (const at of [notes, discussions, `${notes}/${id}`]) {
    const { status, body } = await stranger.get(at);
    t.deepEqual([status, body], [404, { message: '404 Not found' }]);
  }
  t.is((await stranger.post(notes, { body: 'x' })).status, 404);
});

// Contract: notes.scope-policy
test('lists, counts and single reads agree for each role and random notes', async (t) => {
  const { project, as, path, notes, discussions } = await issueFixture(app);
  const roles = ['guest', 'planner', 'reporter', 'developer', 'maintainer'] as const;
  const people: BuiltUser[] = [await app.build.user(), await app.build.admin()];
  for (const role of roles) people.push(await app.build.member(project, role));
  await as.put(path, { title: 'Renamed' });
  for (let at = 0; at < 40; at += 1) {
    const author = app.as(people[at % people.length] as BuiltUser);
    await author.post(at % 3 === 0 ? discussions : notes, { body: `${at}`, internal: at % 2 === 0 });
  }
  const every = ids((await as.get(`${discussions}?per_page=100`)).body.flatMap((one: { notes: [] }) => one.notes));
  t.is(every.length, 41);
  for (const person of people) {
    const client = app.as(person);
    const listed = await client.get(`${discussions}?per_page=100`);
    const visibleIds = ids(listed.body.flatMap((one: { notes: [] }) => one.notes));
    t.is(listed.headers.get('x-total'), String(listed.body.length));
    const flat = await client.get(`${notes}?per_page=100`);
    t.is(flat.headers.get('x-total'), String(flat.body.length));
    t.true(ids(flat.body).every((id) => visibleIds.includes(id)));
    const answers = await Promise.all(every.map(async (id) => (await client.get(`${notes}/${id}`)).status));
    t.deepEqual(
      answers,
      every.map((id) => (visibleIds.includes(id) ? 200 : 404)),
    );
  }
});
