import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { snippetSerializer } from '../../../shared/planning/snippets/snippet.serializer.js';
import type {
  AreaExamples,
  GraphqlPair,
  GraphqlFixture,
  RecordExample,
  RequestExample,
} from '../../core/area-examples.js';

const file = { file_name: 'a.rb', content: 'puts 1' };

const personal: RecordExample = async (sandbox) =>
  (await sandbox.post('/snippets', { title: 'Fight', visibility: 'public', ...file })).id;

const change: RequestExample = { params: { title: () => 'Other' }, edit: { title: 'Other' } };

const asAuthor: RequestExample['caller'] = (sandbox) => sandbox.people.author;

const inFile = { ref: () => 'main', file_path: () => 'a.rb' };

const pairs: GraphqlPair[] = [
  {
    type: 'Snippet',
    serializer: snippetSerializer as unknown as Serializer<never>,
    renamed: { visibility: 'visibilityLevel' },
    restOnly: ['project_id', 'files', 'imported', 'imported_from', 'repository_storage'],
    graphqlOnly: ['descriptionHtml', 'project', 'userPermissions', 'notes', 'discussions', 'commenters', 'blobs'],
  },
];

/** A snippet in a project, as its Maintainer makes it. */
async function fill({ app, user, project }: GraphqlFixture): Promise<void> {
  const attributes = { title: 'Fight', description: 'Of two', visibility: 'private', ...file };
  const snippets = `/projects/${project.id}/snippets`;
  const { id } = (await app.as(user).post(snippets, attributes)).body;
  await app.as(user).post(`${snippets}/${id}/notes`, { body: 'Hello' });
}

export default {
  // Each request reads the files of only one snippet from git.
  graphql: { added: ['Project.snippets'], pairs, fill, alone: ['SnippetBlob'] },
  records: {
    '/projects/:id/snippets/:snippet_id': async (sandbox, { id }) =>
      (await sandbox.post(`/projects/${id}/snippets`, { title: 'Fight', visibility: 'public', ...file })).id,
    '/projects/:id/snippets/:snippet_id/files/:ref': inFile.ref,
    '/projects/:id/snippets/:snippet_id/files/:ref/:file_path': inFile.file_path,
    '/projects/:id/snippets/:snippet_id/award_emoji/:award_id': async ({ app }, { id, snippet_id: of }) => {
      const giver = await app.build.member({ id: Number(id) }, 'guest');
      return (await app.as(giver).post(`/projects/${id}/snippets/${of}/award_emoji`, { name: 'rocket' })).body.id;
    },
    '/snippets/:id': personal,
    '/snippets/:id/files/:ref': inFile.ref,
    '/snippets/:id/files/:ref/:file_path': inFile.file_path,
  },
  requests: {
    ...Object.fromEntries(
      ['/projects/:id/snippets/:snippet_id', '/snippets/:id'].flatMap((one) =>
        [`GET ${one}/raw`, `GET ${one}/files/:ref/:file_path/raw`].map((name) => [
          name,
          { ownForm: 'a file as it is' },
        ]),
      ),
    ),
    'POST /projects/:id/snippets': { params: { content: () => 'puts 1' } },
    'POST /snippets': { params: { content: () => 'puts 1' } },
    'PUT /projects/:id/snippets/:snippet_id': { ...change, caller: asAuthor, notAudited: 'everyday work of Reporters' },
    'DELETE /projects/:id/snippets/:snippet_id': { caller: asAuthor },
    'PUT /snippets/:id': { ...change, caller: asAuthor, notAudited: "a person's own" },
    'DELETE /snippets/:id': { caller: asAuthor },
    'POST /projects/:id/snippets/:snippet_id/award_emoji': { params: { name: () => 'thumbsup' } },
    'DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id': { caller: (sandbox) => sandbox.people.admin },
  },
} satisfies AreaExamples;
