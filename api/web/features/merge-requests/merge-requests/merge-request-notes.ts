import { gql, graphql } from '../../../data/graphql.js';
import { QUICK_ACTIONS_HINT, THREADS } from '../../notes/discussions/index.js';
import type { Noteable } from '../../notes/discussions/index.js';
import { MERGE_REQUESTS } from './queries.js';

const MERGE_REQUEST_THREADS = gql(
  /* GraphQL */ `
    query MergeRequestThreads($path: ID!, $id: String!, $first: Int!, $after: String) {
      container: project(fullPath: $path) {
        noteable: mergeRequest(iid: $id) {
          id
          ...Threads
        }
      }
    }
  `,
  THREADS,
);

/** The comments of one merge request. */
export const mergeRequestNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  loadThreads: (variables) => graphql(MERGE_REQUEST_THREADS, { ...variables, id: String(iid) }),
  noun: 'merge request',
  hint: QUICK_ACTIONS_HINT,
  resolvable: true,
  key: [MERGE_REQUESTS, path],
});
