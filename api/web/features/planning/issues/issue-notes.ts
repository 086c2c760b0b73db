import { gql, graphql } from '../../../data/graphql.js';
import { QUICK_ACTIONS_HINT, THREADS } from '../../notes/discussions/index.js';
import type { Noteable } from '../../notes/discussions/index.js';
import { ISSUES } from './queries.js';

const ISSUE_THREADS = gql(
  /* GraphQL */ `
    query IssueThreads($path: ID!, $id: String!, $first: Int!, $after: String) {
      container: project(fullPath: $path) {
        noteable: issue(iid: $id) {
          id
          ...Threads
        }
      }
    }
  `,
  THREADS,
);

/** The comments of one issue. */
export const issueNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  loadThreads: (variables) => graphql(ISSUE_THREADS, { ...variables, id: String(iid) }),
  noun: 'issue',
  hint: QUICK_ACTIONS_HINT,
  resolvable: true,
  key: [ISSUES, path],
});
