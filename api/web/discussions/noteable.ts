import { ISSUES } from '../issues/queries.js';
import { MERGE_REQUESTS } from '../merge-requests/queries.js';

/** What is spoken about on a page. */
export interface Noteable {
  /** Full path of its project. */
  path: string;
  iid: number;
  /** Its field in a project of the GraphQL API. */
  field: 'issue' | 'mergeRequest';
  /** In sentences. */
  word: string;
  /** Beginning of the keys of all queries that a comment may change: commands change more than the thread. */
  key: readonly string[];
}

export const issueNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  field: 'issue',
  word: 'issue',
  key: [ISSUES, path],
});

export const mergeRequestNotes = (path: string, iid: number): Noteable => ({
  path,
  iid,
  field: 'mergeRequest',
  word: 'merge request',
  key: [MERGE_REQUESTS, path],
});
