import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: snippets-8.graphql
test('GraphQL reads snippets of a project, by ids, author, visibility and type', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const as = app.as(project.owner);
  const given = { title: 'A', content: 'x', file_name: 'a.rb', description: '**b**' };
  const own = (await as.post(`/projects/${project.id}/snippets`, { ...given, visibility: 'private' })).body;
  const open = (await as.post('/snippets', { ...given, visibility: 'public' })).body;
  const query = `query($path: ID!, $author: UserID, $ids: [SnippetID!]) {
    project(fullPath: $path) { snippets { nodes { id title fileName visibilityLevel descriptionHtml author { username }
      project { fullPath } httpUrlToRepo userPermissions { updateSnippet } } } }
    snippets(authorId: $author) { nodes { id } }
    personal: snippets(authorId: $author, type: personal) { nodes { id project { id } } }
    named: snippets(ids: $ids, visibility: public) { nodes { id } }
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
  t.deepEqual(data.named, { nodes: [{ id: personal }] });
  const seen = (await app.anonymous.graphql(query, variables)).body.data;
  t.deepEqual(seen.project.snippets, { nodes: [] });
  t.deepEqual(seen.snippets, { nodes: [{ id: personal }] });
});
