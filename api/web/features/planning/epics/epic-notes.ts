import { gql, graphql } from '../../../data/graphql.js';
import { QUICK_ACTIONS_HINT, THREADS } from '../../notes/discussions/index.js';
import type { Noteable } from '../../notes/discussions/index.js';
import { EPICS } from './queries.js';

const EPIC_THREADS = gql(
  /* GraphQL */ `
    query EpicThreads($path: ID!, $id: ID!, $first: Int!, $after: String) {
      container: group(fullPath: $path) {
        noteable: epic(iid: $id) {
          id
          ...Threads
        }
      }
    }
  `,
  THREADS,
);

/** The comments of one epic. */
export const epicNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  loadThreads: (variables) => graphql(EPIC_THREADS, { ...variables, id: String(iid) }),
  noun: 'epic',
  hint: QUICK_ACTIONS_HINT,
  resolvable: false,
  key: [EPICS, path],
});
