import test from 'ava';
import { useApp } from '../../core/app.js';
import { ids } from '../fixtures.js';

const app = useApp(test);

async function commitFixture(attributes: object = {}) {
  const project = await app.build.project({ visibility: 'public', ...attributes } as never);
  const as = app.as(project.owner);
  const sha: string = (await as.get(`/projects/${project.id}/repository/commits/main`)).body.id;
  const at = (name: string) => `/projects/${project.id}/repository/commits/${name}`;
  return { project, as, sha, at };
}

// Contract: notes-7.paths, notes-7.sha, notes-7.serializer, interface-4.5.commits, notes-2.noteable
test('commits are discussed, named by their id in full or short; a note says nothing of the sha', async (t) => {
  const { as, sha, at, project } = await commitFixture();
  const { status, body } = await as.post(`${at(sha.slice(0, 8))}/discussions`, { body: 'Why?' });
  t.is(status, 201);
  const [note] = body.notes;
  t.like(note, {
    noteable_type: 'Commit',
    noteable_id: null,
    noteable_iid: null,
    project_id: project.id,
    resolvable: true,
  });
  t.false('commit_id' in note);
  t.deepEqual((await as.get(`${at(sha)}/discussions`)).body, [body]);
  const reply = await as.post(`${at(sha)}/discussions/${body.id}/notes`, { body: 'Because' });
  t.is(reply.body.type, 'DiscussionNote');
  const path = `${at(sha)}/discussions/${body.id}/notes`;
  t.deepEqual(ids((await as.get(path)).body), [note.id, reply.body.id]);
  t.is((await as.put(`${path}/${reply.body.id}`, { resolved: true })).body.resolved, true);
  t.is((await as.put(`${path}/${reply.body.id}`, { body: 'Since' })).body.body, 'Since');
  t.is((await as.delete(`${path}/${reply.body.id}`)).status, 204);
  const missing = await as.get(`${at('f'.repeat(40))}/discussions`);
  t.deepEqual([missing.status, missing.body], [404, { message: '404 Commit Not Found' }]);
  t.is((await as.put(`${at(sha)}/discussions/${body.id}`, { resolved: true })).status, 405);
});

// Contract: notes-7.comments, notes-4.2.1.commit, notes-9.commit
test('comments of a commit are its notes seen flat; a single one cannot be replied to', async (t) => {
  const { as, sha, at } = await commitFixture();
  const { status, body } = await as.post(`${at(sha)}/comments`, { note: 'Nice' });
  t.is(status, 201);
  t.deepEqual(Object.keys(body), ['note', 'path', 'line', 'line_type', 'author', 'created_at']);
  await as.post(`${at(sha)}/discussions`, { body: 'Why?' });
  const listed = await as.get(`${at(sha)}/comments`);
  t.deepEqual(
    listed.body.map(({ note }: { note: string }) => note),
    ['Nice', 'Why?'],
  );
  t.deepEqual((await as.post(`${at(sha)}/comments`, {})).body, { error: 'note is missing' });
  const [single] = (await as.get(`${at(sha)}/discussions`)).body;
  t.true(single.individual_note);
  t.false(single.notes[0].resolvable);
  const rejection = await as.post(`${at(sha)}/discussions/${single.id}/notes`, { body: 'x' });
  t.deepEqual(
    [rejection.status, rejection.body],
    [400, { message: '400 Bad request - Discussion can not be replied to.' }],
  );
});

// Contract: notes-7.rights
test('a commit is discussed by whoever sees the code', async (t) => {
  const { project, as, sha, at } = await commitFixture({ visibility: 'private' });
  const [guest, reporter] = [await app.build.member(project, 'guest'), await app.build.member(project, 'reporter')];
  await as.post(`${at(sha)}/comments`, { note: 'x' });
  t.is((await app.as(guest).get(`${at(sha)}/discussions`)).status, 404);
  t.is((await app.as(reporter).get(`${at(sha)}/discussions`)).body.length, 1);
  t.is((await app.as(reporter).post(`${at(sha)}/discussions`, { body: 'y' })).status, 201);
  t.is((await app.as(await app.build.user()).get(`${at(sha)}/discussions`)).status, 404);
});
