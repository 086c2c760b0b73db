import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: snippets-8.graphql
test('GraphQL reads snippets of a project, by ids, author, visibility and type', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const as = app.as(project.owner);
  const attributes = { title: 'A', content: 'x', file_name: 'a.rb', description: '**b**' };
  const own = (await as.post(`/projects/${project.id}/snippets`, { ...attributes, visibility: 'private' })).body;
  const open = (await as.post('/snippets', { ...attributes, visibility: 'public' })).body;
  const query = `query($path: ID!, $author: UserID, $ids: [SnippetID!]) {
    project(fullPath: $path) { snippets { nodes { id title fileName visibilityLevel descriptionHtml author { username }
      project { fullPath } httpUrlToRepo userPermissions { updateSnippet } } } }
    snippets(authorId: $author) { nodes { id } }
    personal: snippets(authorId: $author, type: personal) { nodes { id project { id } } }
    byId: snippets(ids: $ids, visibility: public) { nodes { id } }
  }`;
  const [ofProject, personal] = [`gid://service/ProjectSnippet/${own.id}`, `gid://service/PersonalSnippet/${open.id}`];
  const variables = {
    path: project.full_path,
    author: `gid://service/User/${project.owner.id}`,
    ids: [ofProject, personal],
  };
  const { data, errors } = (await as.graphql(query, variables)).body;
  t.is(errors, undefined);
  t.like(data.project.snippets.nodes[0], {
    id: ofProject,
    title: 'A',
    fileName: 'a.rb',
    visibilityLevel: 'private',
    author: { username: project.owner.username },
    project: { fullPath: project.full_path },
    httpUrlToRepo: own.http_url_to_repo,
    userPermissions: { updateSnippet: true },
  });
  t.regex(data.project.snippets.nodes[0].descriptionHtml, /<strong>b<\/strong>/);
  t.deepEqual(data.snippets, { nodes: [{ id: personal }, { id: ofProject }] });
  t.deepEqual(data.personal, { nodes: [{ id: personal, project: null }] });
  t.deepEqual(data.byId, { nodes: [{ id: personal }] });
  const visible = (await app.anonymous.graphql(query, variables)).body.data;
  t.deepEqual(visible.project.snippets, { nodes: [] });
  t.deepEqual(visible.snippets, { nodes: [{ id: personal }] });
});

const FIELDS = `errors snippet { id title visibilityLevel description project { id }
  blobs { nodes { name path rawPath size binary renderedAsText rawPlainData plainData } } }`;
const mutation = (name: string, fields = FIELDS) =>
  `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${fields} } }`;
const NOT_AVAILABLE =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";

// Contract: snippets-8.graphql-mutations, snippets-8.graphql-blobs
test('GraphQL makes snippets with their files, edits them and deletes them', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const as = app.as(project.owner);
  const run = async (name: string, input: object, client = as) => {
    const { body } = await client.graphql(mutation(name), { input });
    return body.errors ? body.errors[0].message : body.data[name];
  };
  const blobActions = [
    { action: 'create', filePath: 'folder/a.html', content: '<b>' },
    { action: 'create', filePath: '', content: 'x' },
  ];
  const attributes = { title: 'A', visibilityLevel: 'public', blobActions };
  const created = await run('createSnippet', { ...attributes, projectPath: project.full_path });
  t.deepEqual(created.errors, []);
  const { id } = created.snippet;
  t.regex(id, /ProjectSnippet/);
  const path = `/${project.full_path}/-/snippets/${id.split('/').at(-1)}/raw/main`;
  const text = { size: 3, binary: false, renderedAsText: true, rawPlainData: '<b>', plainData: '&lt;b&gt;' };
  t.deepEqual(created.snippet.blobs.nodes[0], {
    name: 'a.html',
    path: 'folder/a.html',
    rawPath: `${path}/folder/a.html`,
    ...text,
  });
  t.is(created.snippet.blobs.nodes[1].path, 'snippetfile2.txt');
  const edited = await run('updateSnippet', {
    id,
    title: 'B',
    visibilityLevel: 'private',
    blobActions: [
      { action: 'update', filePath: 'folder/a.html', content: 'new' },
      { action: 'move', filePath: 'b.txt', previousPath: 'snippetfile2.txt' },
    ],
  });
  t.like(edited.snippet, { title: 'B', visibilityLevel: 'private' });
  t.deepEqual(
    edited.snippet.blobs.nodes.map((blob: Record<string, unknown>) => [blob.path, blob.rawPlainData]),
    [
      ['b.txt', 'x'],
      ['folder/a.html', 'new'],
    ],
  );
  const rejection = await run('updateSnippet', { id, title: ' ' });
  t.deepEqual([rejection.errors, rejection.snippet.title], [["Title can't be blank"], 'B']);
  const outside = [{ action: 'create', filePath: '../a', content: 'x' }];
  t.deepEqual((await run('createSnippet', { ...attributes, blobActions: outside })).errors, [
    'file_path should be a valid file path',
  ]);
  const absent = [{ action: 'update', filePath: 'a', content: 'x' }];
  t.deepEqual(await run('createSnippet', { ...attributes, blobActions: absent }), {
    errors: ['Snippet actions have invalid data'],
    snippet: null,
  });
  const stranger = app.as(await app.build.user());
  t.is(await run('updateSnippet', { id, title: 'C' }, stranger), NOT_AVAILABLE);
  t.is(await run('destroySnippet', { id }, stranger), NOT_AVAILABLE);
  t.is(await run('createSnippet', { ...attributes, projectPath: project.full_path }, stranger), NOT_AVAILABLE);
  t.deepEqual(await run('destroySnippet', { id }), { errors: [], snippet: null });
  t.is(await run('destroySnippet', { id }), NOT_AVAILABLE);
  const own = await run('createSnippet', { ...attributes, visibilityLevel: 'private' }, stranger);
  t.regex(own.snippet.id, /PersonalSnippet/);
  t.is(own.snippet.project, null);
});

// Contract: snippets-8.graphql-blobs
test('files are shown of one snippet in a request, large ones without their text', async (t) => {
  const author = await app.build.user();
  const as = app.as(author);
  const files = [
    { file_path: 'a.txt', content: 'a' },
    { file_path: 'c.txt', content: 'c'.repeat(1024 * 1024 + 1) },
  ];
  const ids: string[] = [];
  for (const title of ['A', 'B']) {
    const { status, text, body } = await as.post('/snippets', { title, visibility: 'private', files });
    t.is(status, 201, text);
    ids.push(`gid://service/PersonalSnippet/${body.id}`);
  }
  const query = `query ($ids: [SnippetID!], $paths: [String!]) { snippets(ids: $ids) { nodes {
    blobs(paths: $paths) { nodes { path size binary renderedAsText rawPlainData } } } } }`;
  const ask = async (variables: object) => (await as.graphql(query, variables as never)).body;
  const one = (await ask({ ids: ids.slice(0, 1) })).data.snippets.nodes[0].blobs.nodes;
  t.deepEqual(one, [
    { path: 'a.txt', size: 1, binary: false, renderedAsText: true, rawPlainData: 'a' },
    { path: 'c.txt', size: 1024 * 1024 + 1, binary: false, renderedAsText: false, rawPlainData: null },
  ]);
  const chosen = (await ask({ ids: ids.slice(0, 1), paths: ['a.txt', 'none'] })).data.snippets.nodes[0].blobs.nodes;
  t.deepEqual(
    chosen.map(({ path }: { path: string }) => path),
    ['a.txt'],
  );
  t.is((await ask({ ids })).errors[0].message, '"blobs" field can be requested only for 1 Snippet(s) at a time.');
});
