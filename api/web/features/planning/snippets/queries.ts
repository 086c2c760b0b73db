import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { gql, graphql, notThere } from '../../../data/graphql.js';
import { getHtml } from '../../../data/markdown.js';
import { MARKDOWN } from '../../repositories/repository-files/index.js';

/** First word of the keys of everything here; the path of the project follows, or nothing for personal ones. */
export const SNIPPETS = 'snippets';

/** Queries that are refetched when a snippet of a project receives a comment. */
export const getLiveQueries = (project: string) => {
  const threads = [[SNIPPETS, project, 'threads']];
  return { snippet_notes: threads, private_snippet_notes: threads };
};

export type Snippet = Schemas['Snippet'];

const PER_PAGE = 20;

/** Where snippets lie, in keys. */
const getKey = (project: string | null) => [SNIPPETS, project ?? ''];

/** A page of the snippets of a project; for null, of the user's own snippets in all projects and personal ones. */
export const snippetsQuery = (project: string | null, page: number) =>
  queryOptions({
    queryKey: [...getKey(project), 'list', page],
    queryFn: () => {
      const query = { page, per_page: PER_PAGE };
      return unwrapPage<Snippet[]>(
        project === null
          ? api.GET('/snippets', { params: { query } })
          : api.GET('/projects/{id}/snippets', { params: { path: { id: project }, query } }),
      );
    },
  });

/** A file of a snippet; without text if it is binary, or over 1 MiB. */
export interface SnippetBlob {
  path: string;
  size: number;
  rawPlainData: string | null;
}

const EXTRAS = gql(/* GraphQL */ `
  query SnippetExtras($id: SnippetID!) {
    snippets(ids: [$id]) {
      nodes {
        descriptionHtml
        userPermissions {
          updateSnippet
          adminSnippet
        }
        blobs(first: 100) {
          nodes {
            path
            size
            rawPlainData
          }
        }
      }
    }
  }
`);

async function loadSnippetExtras(id: number) {
  // A global id of either kind names it.
  const data = await graphql(EXTRAS, { id: `gid://service/PersonalSnippet/${id}` });
  const [found] = data.snippets?.nodes ?? [];
  if (!found) throw notThere('snippet', data);
  return found;
}

const getRecord = (project: string | null, id: number): Promise<Snippet> =>
  unwrap(
    project === null
      ? api.GET('/snippets/{id}', { params: { path: { id } } })
      : api.GET('/projects/{id}/snippets/{snippet_id}', { params: { path: { id: project, snippet_id: id } } }),
  );

/** Files without a name get an empty one. */
const getFiles = (blobs: readonly (Omit<SnippetBlob, 'path'> & { path: string | null })[]): SnippetBlob[] =>
  blobs.map((blob) => ({ ...blob, path: blob.path ?? '' }));

/**
 * The files of a snippet; Markdown also rendered if the user is signed in: the service renders only for signed-in
 * users.
 */
const renderFiles = (project: string | null, blobs: readonly SnippetBlob[], signedIn: boolean) =>
  Promise.all(
    blobs.map(async (blob) => {
      const text = blob.rawPlainData;
      const reads = signedIn && text !== null && text !== '' && MARKDOWN.test(blob.path);
      return { ...blob, html: reads ? await getHtml(project, text) : null };
    }),
  );

/** One snippet with its files, its description as HTML, and the caller's permissions. */
export const snippetQuery = (project: string | null, id: number, signedIn: boolean) =>
  queryOptions({
    queryKey: [...getKey(project), 'one', id, signedIn],
    queryFn: async () => {
      const [snippet, extras] = await Promise.all([getRecord(project, id), loadSnippetExtras(id)]);
      return { ...snippet, extras, blobs: await renderFiles(project, getFiles(extras.blobs?.nodes ?? []), signedIn) };
    },
  });

export type SnippetDetails = Awaited<ReturnType<NonNullable<ReturnType<typeof snippetQuery>['queryFn']>>>;
