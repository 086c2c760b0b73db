import test from 'ava';
import { useApp } from '../../core/app.js';
import { issueFixture } from '../fixtures.js';

const app = useApp(test);

/** A snippet of a project, as its tables hold it. */
async function snippetFixture(visibility: 'private' | 'internal' | 'public' = 'public') {
  const project = await app.build.project({ visibility: 'public' });
  const { pool } = app.services.db;
  const { rows } = await pool.query<{ id: string }>(
    `insert into snippets (project_id, author_id, title, visibility, created_at, updated_at)
     values ($1, $2, 'A snippet', $3, now(), now()) returning id`,
    [project.id, project.owner.id, visibility],
  );
  const id = Number(rows[0]?.id);
  await pool.query(
    `insert into content_repositories (snippet_id, branch, created_at, updated_at) values ($1, 'main', now(), now())`,
    [id],
  );
  const path = `/projects/${project.id}/snippets/${id}`;
  const as = app.as(project.owner);
  return { project, id, as, notes: `${path}/notes`, discussions: `${path}/discussions` };
}

// Contract: notes-1.snippets, notes-9.snippet-reply
test('snippets are commented on; a single comment is not replied to, a thread is, and neither is resolved', async (t) => {
  const { as, notes, discussions, id, project } = await snippetFixture();
  const single = (await as.post(notes, { body: 'Hello\n/close' })).body;
  t.like(single, { noteable_type: 'Snippet', noteable_id: id, noteable_iid: null, project_id: project.id });
  t.is(single.body, 'Hello\n/close');
  const [thread] = (await as.get(discussions)).body;
  const rejection = await as.post(`${discussions}/${thread.id}/notes`, { body: 'No' });
  t.deepEqual([rejection.status, rejection.body.message], [400, '400 Bad request - Discussion can not be replied to.']);
  const started = (await as.post(discussions, { body: 'Why?' })).body;
  const reply = await as.post(`${discussions}/${started.id}/notes`, { body: 'Because' });
  t.deepEqual([reply.status, reply.body.type, reply.body.resolvable], [201, 'DiscussionNote', false]);
  const internal = await as.post(notes, { body: 'psst', internal: true });
  t.is(internal.body.message, '400 Bad request - Note {:confidential=>["can not be set for this resource"]}');
  const { rows } = await app.services.db.pool.query('select user_notes_count as count from snippets where id = $1', [
    id,
  ]);
  t.is(rows[0].count, 3);
});

// Contract: notes-1.snippets.hidden
test('what is said about a snippet is for who reads it: in lists, and among events', async (t) => {
  const { as, notes, discussions, project } = await snippetFixture('private');
  await as.post(notes, { body: 'secret' });
  const stranger = app.as(await app.build.user());
  t.is((await stranger.get(notes)).status, 404);
  t.is((await stranger.post(discussions, { body: 'me too' })).status, 404);
  t.is((await app.anonymous.get(notes)).status, 401);
  const commented = `/projects/${project.id}/events?action=commented`;
  const visible = (await stranger.get(commented)).body;
  t.deepEqual(visible, []);
  const [event] = (await as.get(commented)).body;
  t.like(event, { target_type: 'Note', target_title: 'A snippet' });
  t.is(event.note.noteable_type, 'Snippet');
  const elsewhere = await issueFixture(app);
  t.is((await elsewhere.as.get(notes.replace(String(project.id), String(elsewhere.project.id)))).status, 404);
});
