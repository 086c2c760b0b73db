import test from 'ava';
import { sql } from 'kysely';
import { removeUser } from '../../../shared/tenancy/users/remove-user.js';
import { useApp } from '../../core/app.js';
import { ids, issueFixture } from '../fixtures.js';

const app = useApp(test);

// Contract: notes.audit
test('a moderator who edits or deletes the words of another is in the audit log, an author with their own is not', async (t) => {
  const { project, as, issue, notes } = await issueFixture(app);
  const author = await app.build.user();
  const { id } = (await app.as(author).post(notes, { body: 'Mine' })).body;
  await app.as(author).put(`${notes}/${id}`, { body: 'Mine again' });
  await as.put(`${notes}/${id}`, { body: 'Moderated' });
  await as.delete(`${notes}/${id}`);
  const { body } = await as.get(`/projects/${project.id}/audit_events`);
  const messages = body
    .map(({ details }: { details: { custom_message?: string } }) => details.custom_message ?? '')
    .filter((message: string) => message.includes('comment'));
  t.deepEqual(messages.sort(), [
    `Deleted a comment of ${author.username} on issue #${issue.iid}`,
    `Edited a comment of ${author.username} on issue #${issue.iid}`,
  ]);
});

// Contract: notes.users
test("a removed user's notes are the ghost's; with hard_delete they go, and are counted no more", async (t) => {
  const { as, path, notes } = await issueFixture(app);
  const [soft, hard] = [await app.build.user(), await app.build.user()];
  const note = (await app.as(soft).post(notes, { body: 'kept' })).body;
  const gone = (await app.as(hard).post(notes, { body: 'gone' })).body;
  await as.post(`${notes}/${note.id}/award_emoji`, { name: 'tada' });
  await app.as(hard).post(`${notes}/${note.id}/award_emoji`, { name: 'tada' });
  await removeUser(app.context(), soft.id, false);
  await removeUser(app.context(), hard.id, true);
  const [left] = (await as.get(notes)).body;
  t.deepEqual([left.id, left.author.username], [note.id, 'ghost']);
  t.is((await as.get(`${notes}/${gone.id}`)).status, 404);
  t.is((await as.get(path)).body.user_notes_count, 1);
  t.is((await as.get(`${notes}/${note.id}/award_emoji`)).body.length, 1);
});

// Contract: notes.removal
test('notes go with their issue and their project', async (t) => {
  const { as, path, notes, discussions, project } = await issueFixture(app);
  const { id } = (await as.post(notes, { body: 'x' })).body;
  await as.post(discussions, { body: 'y' });
  t.is((await as.delete(path)).status, 204);
  const left = await app.context().query(sql`select n.id from notes n where n.project_id = ${project.id}`);
  t.deepEqual(left, []);
  t.is((await as.get(`${notes}/${id}`)).status, 404);
});

// Contract: notes.awards
test('a note is given emoji like an issue is', async (t) => {
  const { as, owner, notes, path } = await issueFixture(app);
  const { id } = (await as.post(notes, { body: 'x' })).body;
  const awards = `${notes}/${id}/award_emoji`;
  const award = await as.post(awards, { name: 'thumbsup' });
  t.is(award.status, 201);
  t.like(award.body, { name: 'thumbsup', user: { id: owner.id }, awardable_id: id, awardable_type: 'Note' });
  t.deepEqual(ids((await app.as(await app.build.user()).get(awards)).body), [award.body.id]);
  // As the note itself.
  t.is((await app.anonymous.get(awards)).status, 403);
  t.is((await as.post(awards, { name: 'thumbsup' })).status, 404);
  t.is((await as.get(path)).body.upvotes, 0);
  t.is((await as.delete(`${awards}/${award.body.id}`)).status, 204);
});

// Contract: notes.long
test('whom a long comment names is found by a job', async (t) => {
  const { project, as, path, notes } = await issueFixture(app);
  const mentioned = await app.build.member(project, 'guest');
  await as.post(notes, { body: `${'word '.repeat(5000)} @${mentioned.username}` });
  await app.work();
  t.true(ids((await as.get(`${path}/participants`)).body).includes(mentioned.id));
});
