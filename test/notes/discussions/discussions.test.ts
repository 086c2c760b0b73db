import test from 'ava';
import { useApp } from '../../core/app.js';
import { ids, issueFixture } from '../fixtures.js';

const app = useApp(test);
const NO_THREAD = { message: '404 Discussion Not Found' };
const UNKNOWN = 'a'.repeat(40);

const getBodies = (thread: { notes: { body: string }[] }) => thread.notes.map(({ body }) => body);

// Contract: notes-1.3, notes-1.2, interface-2.5.discussion, notes-3.1, interface-4.5.create
test('a thread is started, with an id of 40 hexadecimal digits', async (t) => {
  const { as, discussions } = await issueFixture(app);
  const { status, body } = await as.post(discussions, { body: 'Why?' });
  t.is(status, 201);
  t.deepEqual(Object.keys(body), ['id', 'individual_note', 'notes']);
  t.regex(body.id, /^[0-9a-f]{40}$/);
  t.is(body.individual_note, false);
  const [note] = body.notes;
  t.like(note, {
    type: 'DiscussionNote',
    body: 'Why?',
    resolvable: true,
    resolved: false,
    resolved_by: null,
    resolved_at: null,
  });
  t.deepEqual((await as.get(`${discussions}/${body.id}`)).body, body);
});

// Contract: notes-1.1, notes-3.3, notes-9.per_page, interface-4.5.list
test('threads are listed by their first notes; a page holds whole threads', async (t) => {
  const { as, discussions, notes } = await issueFixture(app);
  const first = (await as.post(discussions, { body: '1' })).body;
  await as.post(notes, { body: '2' });
  await as.post(discussions, { body: '0', created_at: '2020-01-01' });
  for (const body of ['1a', '1b', '1c', '1d']) await as.post(`${discussions}/${first.id}/notes`, { body });
  const all = await as.get(discussions);
  t.deepEqual(all.body.map(getBodies), [['0'], ['1', '1a', '1b', '1c', '1d'], ['2']]);
  t.deepEqual(
    all.body.map(({ individual_note: single }: { individual_note: boolean }) => single),
    [false, false, true],
  );
  const page = await as.get(`${discussions}?per_page=1&page=2`);
  t.deepEqual(page.body.map(getBodies), [['1', '1a', '1b', '1c', '1d']]);
  t.deepEqual([page.headers.get('x-total'), page.headers.get('x-total-pages')], ['3', '3']);
});

// Contract: notes-1.4, notes-1.6
test('the notes of a thread are listed whole, and read one by one whatever thread the path names', async (t) => {
  const { as, discussions } = await issueFixture(app);
  const { id, notes } = (await as.post(discussions, { body: 'x' })).body;
  const reply = (await as.post(`${discussions}/${id}/notes`, { body: 'y' })).body;
  t.deepEqual(ids((await as.get(`${discussions}/${id}/notes?per_page=1`)).body), [notes[0].id, reply.id]);
  t.is((await as.get(`${discussions}/${UNKNOWN}/notes/${reply.id}`)).body.body, 'y');
  const missing = await as.get(`${discussions}/${UNKNOWN}/notes`);
  t.deepEqual([missing.status, missing.body], [404, { message: '404 Notes Not Found' }]);
});

// Contract: notes-3.2
test('an unknown or malformed id of a thread is 404, as one of another issue is', async (t) => {
  const [here, there] = [await issueFixture(app), await issueFixture(app)];
  const { id } = (await there.as.post(there.discussions, { body: 'x' })).body;
  for (const requestedId of [id, UNKNOWN, 'a'.repeat(39), 'a'.repeat(41), 'A'.repeat(40), 'x'])
    for (const answer of [
      await here.as.get(`${here.discussions}/${requestedId}`),
      await here.as.put(`${here.discussions}/${requestedId}`, { resolved: true }),
      await here.as.post(`${here.discussions}/${requestedId}/notes`, { body: 'x' }),
    ])
      t.deepEqual([answer.status, answer.body], [404, NO_THREAD], requestedId);
});

// Contract: notes-1.5, notes-4.2.1, notes-4.2.2, notes-9.convert, interface-4.5.reply
test('a reply turns a single comment into a thread, which keeps its id; note_id is not listened to', async (t) => {
  const { as, discussions, notes, path } = await issueFixture(app);
  const { id: noteId } = (await as.post(notes, { body: 'x' })).body;
  const [single] = (await as.get(discussions)).body;
  t.true(single.individual_note);
  const reply = await as.post(`${discussions}/${single.id}/notes`, { body: 'y', note_id: 1 });
  t.is(reply.status, 201);
  t.is(reply.body.type, 'DiscussionNote');
  const thread = (await as.get(`${discussions}/${single.id}`)).body;
  t.deepEqual([thread.id, thread.individual_note], [single.id, false]);
  t.deepEqual(ids(thread.notes), [noteId, reply.body.id]);
  t.is(thread.notes[0].type, 'DiscussionNote');
  await as.put(path, { title: 'Renamed' });
  const discussion = (await as.get(discussions)).body.at(-1);
  await as.post(`${discussions}/${discussion.id}/notes`, { body: 'z' });
  t.deepEqual(getBodies((await as.get(`${discussions}/${discussion.id}`)).body).slice(1), ['z']);
  t.false((await as.get(`${discussions}/${discussion.id}`)).body.notes[0].resolvable);
});

// Contract: notes-9.listed, interface-2.5.types, decision-5
test('what belongs to threads is not in the list of notes, and is found by its id', async (t) => {
  const { as, discussions, notes } = await issueFixture(app);
  const { id: plain } = (await as.post(notes, { body: 'plain' })).body;
  const thread = (await as.post(discussions, { body: 'thread' })).body;
  t.deepEqual(ids((await as.get(notes)).body), [plain]);
  const { id } = thread.notes[0];
  t.is((await as.get(`${notes}/${id}`)).body.type, 'DiscussionNote');
  t.is((await as.put(`${notes}/${id}`, { body: 'edited' })).body.body, 'edited');
  t.is((await as.delete(`${notes}/${id}`)).status, 204);
});

// Contract: notes-1.7, notes-4.3.2, notes-4.3.3, notes-9.both, interface-4.5.modify
test('of body and resolved exactly one is given', async (t) => {
  const { as, discussions, notes } = await issueFixture(app);
  const {
    id,
    notes: [note],
  } = (await as.post(discussions, { body: 'x' })).body;
  const at = `${discussions}/${id}/notes/${note.id}`;
  const put = async (attributes: object) => {
    const { status, body } = await as.put(at, attributes);
    return [status, body];
  };
  t.deepEqual(await put({}), [400, { error: 'body, resolved are missing, exactly one parameter must be provided' }]);
  t.deepEqual(await put({ body: 'y', resolved: true }), [400, { error: 'body, resolved are mutually exclusive' }]);
  t.is((await as.put(at, { body: 'y' })).body.body, 'y');
  t.is((await as.put(at, { resolved: true })).body.resolved, true);
  t.is((await as.put(at, { body: '' })).status, 400);
  const plain = (await as.post(notes, { body: 'x' })).body;
  const rejection = await as.put(`${discussions}/${id}/notes/${plain.id}`, { resolved: true });
  t.deepEqual([rejection.status, rejection.body], [400, { message: '400 Bad request - Note is not resolvable' }]);
  const stranger = app.as(await app.build.user());
  t.is((await stranger.put(`${discussions}/${id}/notes/${plain.id}`, { resolved: true })).status, 403);
});

// Contract: notes-1.9, notes-5.3, notes-5.4, notes-9.twice, notes-5.1
test('a thread is resolved by Developers and by the author of the issue; each note by its own author too', async (t) => {
  const { project, as, discussions } = await issueFixture(app);
  const [developer, reporter, author] = [
    await app.build.member(project, 'developer'),
    await app.build.member(project, 'reporter'),
    await app.build.user(),
  ];
  const { id } = (await app.as(author).post(discussions, { body: 'x' })).body;
  const reply = (await as.post(`${discussions}/${id}/notes`, { body: 'y' })).body;
  const at = `${discussions}/${id}`;
  for (const [who, status] of [
    [reporter, 403],
    [author, 403],
    [developer, 200],
  ] as const)
    t.is((await app.as(who).put(at, { resolved: true })).status, status);
  const { notes } = (await as.get(at)).body;
  t.deepEqual(
    notes.map((note: { resolved: boolean; resolved_by: { id: number } }) => [note.resolved, note.resolved_by.id]),
    [
      [true, developer.id],
      [true, developer.id],
    ],
  );
  for (let twice = 0; twice < 2; twice += 1)
    t.is((await as.put(at, { resolved: false })).body.notes[1].resolved, false);
  t.is((await app.as(author).put(`${at}/notes/${notes[0].id}`, { resolved: true })).body.resolved, true);
  t.is((await app.as(author).put(`${at}/notes/${reply.id}`, { resolved: true })).status, 403);
  t.deepEqual((await as.put(at, {})).body, { error: 'resolved is missing' });
  t.deepEqual((await as.put(at, { resolved: 'maybe' })).body, { error: 'resolved is invalid' });
});

// Contract: notes-4.2.4, notes-5.2
test('a reply to a resolved thread is resolved by who replies', async (t) => {
  const { project, as, discussions } = await issueFixture(app);
  const guest = await app.build.member(project, 'guest');
  const { id } = (await as.post(discussions, { body: 'x' })).body;
  await as.put(`${discussions}/${id}`, { resolved: true });
  const { body } = await app.as(guest).post(`${discussions}/${id}/notes`, { body: 'y' });
  t.is(body.resolved, true);
  t.is(body.resolved_by.id, guest.id);
});

// Contract: notes-4.3.4, notes-1.8, interface-4.5.delete
test('deleting the first note leaves the thread with its id, deleting the last one ends it', async (t) => {
  const { as, discussions } = await issueFixture(app);
  const {
    id,
    notes: [first],
  } = (await as.post(discussions, { body: 'x' })).body;
  const reply = (await as.post(`${discussions}/${id}/notes`, { body: 'y' })).body;
  t.is((await as.delete(`${discussions}/${id}/notes/${first.id}`)).status, 204);
  t.deepEqual(ids((await as.get(`${discussions}/${id}`)).body.notes), [reply.id]);
  t.is((await as.delete(`${discussions}/${id}/notes/${reply.id}`)).status, 204);
  t.is((await as.get(`${discussions}/${id}`)).status, 404);
  t.deepEqual((await as.get(discussions)).body, []);
});

// Contract: notes.moved
test('an issue that is moved takes its threads along', async (t) => {
  const { as, path, discussions, notes, owner } = await issueFixture(app);
  const target = await app.build.project({ owner });
  const { id } = (await as.post(discussions, { body: 'x' })).body;
  await as.post(`${discussions}/${id}/notes`, { body: 'y' });
  const plain = (await as.post(notes, { body: 'z' })).body;
  await as.post(`${notes}/${plain.id}/award_emoji`, { name: 'tada' });
  await as.put(`${discussions}/${id}`, { resolved: true });
  const moved = (await as.post(`${path}/move`, { to_project_id: target.id })).body;
  const at = `/projects/${target.id}/issues/${moved.iid}`;
  const threads = (await as.get(`${at}/discussions`)).body;
  t.deepEqual(threads.map(getBodies).slice(0, 2), [['x', 'y'], ['z']]);
  t.true(threads[0].notes[0].resolved);
  t.not(threads[0].id, id);
  t.is((await as.get(at)).body.user_notes_count, 3);
  t.is((await as.get(`${at}/notes/${threads[1].notes[0].id}/award_emoji`)).body.length, 1);
  t.is((await as.get(discussions)).body[0].id, id);
});
