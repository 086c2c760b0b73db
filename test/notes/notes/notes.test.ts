import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { ids, issueFixture } from '../fixtures.js';

const app = useApp(test);
const NOW = '2030-01-01T00:00:00.000Z';
const BLANK = { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' };
const NOT_FOUND = { message: '404 Not found' };

// Contract: notes-1.12, notes-2.keys, notes-2.author, interface-2.5.note, notes-9.attachment
test('a comment is made, with every key of the contract in its order', async (t) => {
  const { owner, as, issue, project, notes } = await issueFixture(app);
  const { status, body } = await as.post(notes, { body: 'Hello *there*' });
  t.is(status, 201);
  const { id, author, created_at: createdAt, ...rest } = body;
  t.true(Number.isInteger(id));
  // Other tests move the clock meanwhile.
  t.true(createdAt >= NOW && createdAt <= app.clock.now().toISOString());
  t.like(author, { id: owner.id, username: owner.username, state: 'active' });
  const keys = 'id type body attachment author created_at updated_at system noteable_id noteable_type project_id';
  t.deepEqual(
    Object.keys(body),
    `${keys} resolvable confidential internal imported imported_from noteable_iid commands_changes`.split(' '),
  );
  t.deepEqual(rest, {
    type: null,
    body: 'Hello *there*',
    attachment: null,
    updated_at: createdAt,
    system: false,
    noteable_id: issue.id,
    noteable_type: 'Issue',
    project_id: project.id,
    resolvable: false,
    confidential: false,
    internal: false,
    imported: false,
    imported_from: 'none',
    noteable_iid: issue.iid,
    commands_changes: {},
  });
  t.deepEqual((await as.get(`${notes}/${id}`)).body, body);
});

// Contract: notes-1.10, notes-3.4
test('notes are listed the newest first, by id, or as asked; people and service apart', async (t) => {
  const { as, path, notes } = await issueFixture(app);
  const first = (await as.post(notes, { body: 'One' })).body;
  const second = (await as.post(notes, { body: 'Two', created_at: '2020-01-01' })).body;
  await as.put(path, { title: 'Renamed' });
  const bodies = async (query = '') =>
    (await as.get(`${notes}${query}`)).body.map((note: { body: string }) => note.body);
  const systemNote = 'changed title from **{-An issue-}** to **{+Renamed+}**';
  t.deepEqual(await bodies(), [systemNote, 'Two', 'One']);
  t.deepEqual(await bodies('?sort=asc'), ['One', 'Two', systemNote]);
  t.deepEqual(await bodies('?activity_filter=only_comments'), ['Two', 'One']);
  t.deepEqual(await bodies('?activity_filter=only_activity'), [systemNote]);
  app.clock.advance('1 minute');
  await as.put(`${notes}/${first.id}`, { body: 'One again' });
  t.deepEqual(await bodies('?order_by=updated_at&activity_filter=only_comments'), ['One again', 'Two']);
  t.deepEqual(await bodies('?order_by=updated_at&sort=asc&activity_filter=only_comments'), ['Two', 'One again']);
  const page = await as.get(`${notes}?per_page=1&page=2`);
  t.deepEqual(ids(page.body), [second.id]);
  t.is(page.headers.get('x-total'), '3');
  for (const bad of ['order_by=id', 'sort=up', 'activity_filter=some'])
    t.is((await as.get(`${notes}?${bad}`)).status, 400, bad);
});

// Contract: notes-1.anonymous, notes-9.anonymous
test('nobody who is not signed in reads or writes notes, also of a public project', async (t) => {
  const { as, notes, discussions } = await issueFixture(app);
  const { id } = (await as.post(notes, { body: 'x' })).body;
  const unauthorized = { message: '401 Unauthorized' };
  for (const path of [notes, `${notes}/${id}`, discussions]) {
    const { status, body } = await app.anonymous.get(path);
    t.deepEqual([status, body], [401, unauthorized]);
  }
  t.is((await app.anonymous.post(notes, { body: 'x' })).status, 401);
  t.is((await app.anonymous.post(notes)).status, 401);
});

// Contract: notes-4.1.3, notes-4.1.4
test('a body is needed, not blank, and of a million characters at most', async (t) => {
  const { as, notes } = await issueFixture(app);
  const post = async (attributes: object) => {
    const { status, body } = await as.post(notes, attributes);
    return [status, status === 201 ? body.body.length : body];
  };
  t.deepEqual(await post({}), [400, { error: 'body is missing' }]);
  for (const body of ['', ' \n\t']) t.deepEqual(await post({ body }), [400, BLANK]);
  t.is((await post({ body: 'a\0b' }))[0], 400);
  t.deepEqual(await post({ body: '😀'.repeat(1_000_000) }), [201, 2_000_000]);
  t.deepEqual(await post({ body: `${'😀'.repeat(1_000_000)}x` }), [
    400,
    { message: '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}' },
  ]);
});

// Contract: notes-4.1.1
test('the parent is looked for before the body is: 404, then 403, then 400', async (t) => {
  const hidden = await issueFixture(app, { visibility: 'private' });
  const stranger = app.as(await app.build.user());
  t.deepEqual((await stranger.post(hidden.notes, {})).body, { message: '404 Project Not Found' });
  const { project, as, path, notes } = await issueFixture(app);
  t.deepEqual((await as.post(`/projects/${project.id}/issues/99/notes`, {})).body, NOT_FOUND);
  await as.put(path, { discussion_locked: true });
  const rejection = await stranger.post(notes, {});
  t.deepEqual([rejection.status, rejection.body], [403, { message: '403 Forbidden' }]);
  t.is((await as.post(notes, {})).status, 400);
});

// Contract: notes-4.1.2, notes-9.locked
test('where the discussion is locked members alone comment; in an archived project nobody does', async (t) => {
  const { project, as, path, notes, discussions } = await issueFixture(app);
  const [guest, stranger] = [await app.build.member(project, 'guest'), await app.build.user()];
  t.is((await app.as(stranger).post(notes, { body: 'x' })).status, 201);
  await as.put(path, { discussion_locked: true });
  for (const at of [notes, discussions]) {
    t.is((await app.as(stranger).post(at, { body: 'x' })).status, 403);
    t.is((await app.as(guest).post(at, { body: 'x' })).status, 201);
  }
  await as.post(`/projects/${project.id}/archive`);
  t.is((await as.post(notes, { body: 'x' })).status, 403);
  t.is((await as.get(notes)).status, 200);
});

// Contract: notes-4.1.6, interface-5.1.created_at, notes-9.created_at
test('when it was written is for Owners and administrators to say, and passed over of others', async (t) => {
  const { project, as, notes } = await issueFixture(app);
  const developer = app.as(await app.build.member(project, 'developer'));
  const admin = app.as(await app.build.admin());
  const at = async (client: typeof as, created_at: string) => {
    const { status, body } = await client.post(notes, { body: 'x', created_at });
    return status === 201 ? [body.created_at, body.updated_at] : [status, body];
  };
  const then = '2020-05-01T10:00:00.000Z';
  t.deepEqual(await at(as, then), [then, then]);
  t.deepEqual(await at(admin, '2500-01-01'), ['2500-01-01T00:00:00.000Z', '2500-01-01T00:00:00.000Z']);
  t.not((await at(developer, then))[0], then);
  const past = '400 Bad request - Note {:created_at=>["The created date provided is too far in the past."]}';
  t.deepEqual(await at(as, '1969-12-31'), [400, { message: past }]);
  t.deepEqual(await at(developer, 'soon'), [400, { error: 'created_at is invalid' }]);
});

// Contract: notes-4.1.5
test('there are 5,000 comments on one issue at most; what the service tells does not count', async (t) => {
  const { as, issue, project, path, notes } = await issueFixture(app);
  const now = app.clock.now();
  await app.context().query(sql`
    insert into notes (project_id, issue_id, discussion_id, note, author_id, created_at, updated_at)
    select ${project.id}, ${issue.id}, lpad(to_hex(n), 40, '0'), 'x', ${project.owner.id}, ${now}, ${now}
      from generate_series(1, 4999) n`);
  await as.put(path, { title: 'Renamed' });
  t.is((await as.post(notes, { body: 'the last' })).status, 201);
  const { status, body } = await as.post(notes, { body: 'one more' });
  t.deepEqual([status, body.message], [400, '400 Bad request - Note {:base=>["Maximum number of comments exceeded"]}']);
  t.is((await as.get(path)).body.user_notes_count, 5000);
});

// Contract: notes-1.13, notes-4.3.1
test('a note is edited by its author and by Maintainers; what the service told by nobody', async (t) => {
  const { project, as, path, notes } = await issueFixture(app);
  const [author, developer, maintainer] = [
    await app.build.user(),
    await app.build.member(project, 'developer'),
    await app.build.member(project, 'maintainer'),
  ];
  const { id } = (await app.as(author).post(notes, { body: 'Mine' })).body;
  const edit = async (who: typeof author, body: unknown) => {
    const answer = await app.as(who).put(`${notes}/${id}`, { body });
    return [answer.status, answer.status === 200 ? answer.body.body : answer.body];
  };
  t.deepEqual(await edit(developer, 'Theirs'), [403, { message: '403 Forbidden' }]);
  t.deepEqual(await edit(author, 'Mine again'), [200, 'Mine again']);
  t.deepEqual(await edit(maintainer, 'Moderated'), [200, 'Moderated']);
  t.deepEqual(await edit(author, ' '), [400, BLANK]);
  t.is((await as.put(`${notes}/${id}`, { confidential: true })).body.confidential, false);
  await as.put(path, { title: 'Renamed' });
  const [systemNote] = (await as.get(notes)).body;
  t.is((await as.put(`${notes}/${systemNote.id}`, { body: 'x' })).status, 403);
  t.is((await as.delete(`${notes}/${systemNote.id}`)).status, 403);
});

// Contract: notes-1.14, notes-3.8, notes-9.unmodified
test('a note is deleted once, unless it was changed since the client looked', async (t) => {
  const { as, notes, path } = await issueFixture(app);
  const { id } = (await as.post(notes, { body: 'x' })).body;
  const stale = { 'If-Unmodified-Since': 'Tue, 01 Jan 2019 00:00:00 GMT' };
  const answer = await as.with(stale).delete(`${notes}/${id}`);
  t.is(answer.status, 412);
  t.is((await as.delete(`${notes}/${id}`)).status, 204);
  const again = await as.delete(`${notes}/${id}`);
  t.deepEqual([again.status, again.body], [404, NOT_FOUND]);
  t.is((await as.get(path)).body.user_notes_count, 0);
});

// Contract: notes-1.11
test('a note of another issue, of another project or of nothing is not found', async (t) => {
  const [one, other] = [await issueFixture(app), await issueFixture(app)];
  const { id } = (await other.as.post(other.notes, { body: 'x' })).body;
  for (const requestedId of [id, 0, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await one.as.get(`${one.notes}/${requestedId}`);
    t.deepEqual([status, body], [404, NOT_FOUND], String(requestedId));
    t.is((await one.as.delete(`${one.notes}/${requestedId}`)).status, 404);
  }
});

// Contract: notes-4.1.9
test('a comment is counted, moves the issue, and makes its author take part with whom it names', async (t) => {
  const { as, path, notes, project } = await issueFixture(app);
  const [author, mentioned] = [await app.build.user(), await app.build.member(project, 'guest')];
  app.clock.advance('1 hour');
  await app.as(author).post(notes, { body: `See @${mentioned.username}` });
  const { body } = await as.get(path);
  t.is(body.user_notes_count, 1);
  t.is(body.updated_at, app.clock.now().toISOString());
  const participants = (await as.get(`${path}/participants`)).body;
  t.deepEqual(ids(participants).sort(), [project.owner.id, author.id, mentioned.id].sort());
});

// Contract: notes-8.rate
test.serial('more than so many comments in a minute are refused before anything else is looked at', async (t) => {
  const { notes } = await issueFixture(app);
  const author = app.as(await app.build.user());
  await app.set({ notes_create_limit: 2 });
  for (const status of [201, 201, 429]) t.is((await author.post(notes, { body: 'x' })).status, status);
  const rejection = await author.post('/projects/0/issues/0/notes', {});
  t.is(rejection.status, 429);
  t.deepEqual(rejection.body, {
    message: { error: 'This endpoint has been requested too many times. Try again later.' },
  });
  t.regex(rejection.headers.get('retry-after') ?? '', /^\d+$/);
  await app.set({ notes_create_limit: 300 });
});

// Contract: notes.mentioned
test('an issue that a comment names is told so, unless the comment is internal', async (t) => {
  const { as, project, notes, issue } = await issueFixture(app);
  const { iid } = (await as.post(`/projects/${project.id}/issues`, { title: 'Other' })).body;
  const other = `/projects/${project.id}/issues/${iid}/notes`;
  await as.post(notes, { body: `See #${iid}`, internal: true });
  t.deepEqual((await as.get(other)).body, []);
  await as.post(notes, { body: `See #${iid}` });
  t.deepEqual(
    (await as.get(other)).body.map((note: { body: string }) => note.body),
    [`mentioned in issue #${issue.iid}`],
  );
});

// Contract: notes.races
test('200 people who comment at once are all answered, and counted', async (t) => {
  const { project, path, notes, as, discussions } = await issueFixture(app);
  const people = [project.owner, ...(await Promise.all(Array.from({ length: 9 }, () => app.build.user())))];
  const started = Date.now();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => app.as(people[at % 10] as never).post(notes, { body: `Comment ${at}` })),
  );
  t.log(`${Date.now() - started} ms`);
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  t.is((await as.get(path)).body.user_notes_count, 200);
  t.is((await as.get(`${discussions}?per_page=1`)).headers.get('x-total'), '200');
});
