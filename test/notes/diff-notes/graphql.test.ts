import test from 'ava';
import { useApp } from '../../core/app.js';
import { epicIn } from '../../planning/epics/epic-steps.js';
import { changedFile } from './diff-steps.js';

const app = useApp(test);
const gid = (type: string, id: number | string) => `gid://service/${type}/${id}`;
const NOTE = `errors quickActionsStatus { commandsOnly } note { id body url position {
  diffRefs { headSha baseSha startSha } filePath oldPath newPath oldLine newLine positionType height width x y }
  discussion { id } userPermissions { repositionNote } }`;

const mutation = (name: string) => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return `mutation ($input: ${type}!) { ${name}(input: $input) { ${NOTE} } }`;
};

// Contract: notes-graphql.diff
test('threads are started on lines and pictures of a merge request, and moved on these', async (t) => {
  const { project, id, refs } = await changedFile(app);
  const ask = async (name: string, input: object) =>
    (await app.as(project.owner).graphql(mutation(name), { input })).body;
  const { head_sha: headSha, base_sha: baseSha, start_sha: startSha } = await refs();
  const noteableId = gid('MergeRequest', id);
  const position = { headSha, baseSha, startSha, paths: { oldPath: 'code.txt', newPath: 'code.txt' } };
  const line = (await ask('createDiffNote', { noteableId, body: 'Why?', position: { ...position, newLine: 16 } })).data
    .createDiffNote;
  t.deepEqual(line.errors, []);
  t.like(line.note.position, { filePath: 'code.txt', newLine: 16, oldLine: null, positionType: 'text', x: null });
  t.deepEqual(line.note.position.diffRefs, { headSha, baseSha, startSha });
  t.regex(line.note.id, /DiffNote/);
  t.regex(line.note.discussion.id, /DiffDiscussion\/[0-9a-f]{40}$/);
  const outside = (await ask('createDiffNote', { noteableId, body: 'x', position: { ...position, newLine: 1 } })).data;
  t.is(outside.createDiffNote.note, null);
  t.is(outside.createDiffNote.errors.length, 2);
  const point = { ...position, x: 1, y: 2, width: 30, height: 40 };
  const picture = (await ask('createImageDiffNote', { noteableId, body: 'Here', position: point })).data
    .createImageDiffNote;
  t.like(picture.note.position, { positionType: 'image', x: 1, y: 2, width: 30, height: 40 });
  t.true(picture.note.userPermissions.repositionNote);
  const moved = (await ask('repositionImageDiffNote', { id: picture.note.id, position: { x: 7 } })).data
    .repositionImageDiffNote;
  t.like(moved.note.position, { x: 7, y: 2 });
  const both = { id: picture.note.id, body: 'There', position: { y: 9 } };
  const changed = (await ask('updateImageDiffNote', both)).data.updateImageDiffNote;
  t.like(changed.note.position, { x: 7, y: 9 });
  t.is(changed.note.body, 'There');
  const noPicture = (await ask('repositionImageDiffNote', { id: line.note.id, position: { x: 7 } })).data;
  t.deepEqual(noPicture.repositionImageDiffNote.errors, ['Note is not on a picture']);
});

test('a snippet of a project shows its notes, threads and commenters, a personal one has none', async (t) => {
  const project = await app.build.project();
  const as = app.as(project.owner);
  const attributes = { title: 'Fight', visibility: 'private', file_name: 'a.rb', content: 'puts 1' };
  const { id } = (await as.post(`/projects/${project.id}/snippets`, attributes)).body;
  const personal = (await as.post('/snippets', attributes)).body.id;
  const input = { noteableId: gid('ProjectSnippet', id), body: 'Hello' };
  t.deepEqual((await as.graphql(mutation('createNote'), { input })).body.data.createNote.errors, []);
  const query = `{ snippets(ids: ["${gid('ProjectSnippet', id)}", "${gid('PersonalSnippet', personal)}"]) { nodes {
    notes { nodes { body discussion { noteable { ... on Snippet { id } } } } }
    discussions { nodes { resolvable } } commenters { nodes { username } } } } }`;
  const { body } = await as.graphql(query);
  t.deepEqual(body.data?.snippets.nodes, [
    { notes: null, discussions: null, commenters: null },
    {
      notes: { nodes: [{ body: 'Hello', discussion: { noteable: { id: gid('ProjectSnippet', id) } } }] },
      discussions: { nodes: [{ resolvable: false }] },
      commenters: { nodes: [{ username: project.owner.username }] },
    },
  ]);
});

// Contract: notes-graphql.epics
test('an epic shows its notes, threads and commenters, and is commented on', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const epic = await epicIn(app, { id: group.id, owner });
  const input = { noteableId: gid('Epic', epic.id), body: 'Hello' };
  const payload = (await app.as(owner).graphql(mutation('createNote'), { input })).body.data.createNote;
  t.regex(payload.note.url, new RegExp(`/groups/${group.full_path}/-/epics/${epic.iid}#note_`));
  const query = `{ epic(id: "${gid('Epic', epic.id)}") { notes { nodes { body discussion { noteable { __typename } } } }
    discussions { nodes { resolvable } } commenters { nodes { username } } } }`;
  const { body } = await app.as(owner).graphql(query);
  t.deepEqual(body.data?.epic, {
    notes: { nodes: [{ body: 'Hello', discussion: { noteable: { __typename: 'Epic' } } }] },
    discussions: { nodes: [{ resolvable: false }] },
    commenters: { nodes: [{ username: owner.username }] },
  });
});
