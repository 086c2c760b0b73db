import { gql, graphql } from '../../../data/graphql.js';
import { THREADS } from '../../notes/discussions/index.js';
import type { Noteable } from '../../notes/discussions/index.js';
import { SNIPPETS } from './queries.js';

const SNIPPET_THREADS = gql(
  /* GraphQL */ `
    query SnippetThreads($path: ID!, $id: SnippetID!, $first: Int!, $after: String) {
      container: project(fullPath: $path) {
        noteable: snippets(ids: [$id]) {
          nodes {
            id
            ...Threads
          }
        }
      }
    }
  `,
  THREADS,
);

/** Of a snippet of a project; on personal ones nobody comments. */
export const snippetNotes = (path: string, id: number): Noteable => ({
  path,
  iid: id,
  loadThreads: (variables) => graphql(SNIPPET_THREADS, { ...variables, id: `gid://service/ProjectSnippet/${id}` }),
  noun: 'snippet',
  hint: 'Supports Markdown.',
  resolvable: false,
  key: [SNIPPETS, path],
});
