import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: award-emoji.notes-of-snippets
test('a comment on a snippet is given emoji, which are read and taken back', async (t) => {
  const project = await app.build.project({ empty: true, visibility: 'public' });
  const owner = app.as(project.owner);
  const snippets = `/projects/${project.id}/snippets`;
  const file = { title: 's', visibility: 'private', files: [{ file_path: 'a.txt', content: 'a' }] };
  const { body: snippet } = await owner.post(snippets, { ...file, visibility: 'public' });
  const { body: note } = await owner.post(`${snippets}/${snippet.id}/notes`, { body: 'Hello' });
  const path = `${snippets}/${snippet.id}/notes/${note.id}/award_emoji`;
  const visitor = app.as(await app.build.user());
  const { status, body } = await visitor.post(path, { name: 'rocket' });
  t.is(status, 201, JSON.stringify(body));
  t.like(body, { name: 'rocket', awardable_id: note.id, awardable_type: 'Note' });
  t.deepEqual((await visitor.get(path)).body, [body]);
  t.is((await app.anonymous.get(path)).status, 403, 'who may not read comments reads no emoji of theirs');
  t.deepEqual((await owner.get(`${path}/${body.id}`)).body, body);
  t.is((await visitor.post(path, { name: 'rocket' })).status, 404, 'once');
  t.is((await app.anonymous.post(path, { name: 'tada' })).status, 401);
  t.is((await owner.delete(`${path}/${body.id}`)).status, 401, 'of another');
  t.is((await visitor.delete(`${path}/${body.id}`)).status, 204);
  t.deepEqual((await owner.get(path)).body, []);
  // Neither through another snippet, nor where the snippet is not seen.
  const { body: hidden } = await owner.post(snippets, file);
  t.is((await owner.get(`${snippets}/${hidden.id}/notes/${note.id}/award_emoji`)).status, 404);
  const { body: secret } = await owner.post(`${snippets}/${hidden.id}/notes`, { body: 'Hello' });
  const elsewhere = `${snippets}/${hidden.id}/notes/${secret.id}/award_emoji`;
  t.is((await visitor.get(elsewhere)).status, 404);
  t.is((await visitor.post(elsewhere, { name: 'rocket' })).status, 404);
});
