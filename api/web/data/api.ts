import createClient from 'openapi-fetch';
import type { paths, Schemas } from '#api';
import { csrfToken } from './csrf.js';
import { getProblem, unreachable } from './problem.js';
import { remembered } from './remembered.js';

export type Token = Schemas['PersonalAccessToken'];
export type NewToken = Schemas['NewPersonalAccessToken'];
export type Schedule = Schemas['PipelineScheduleOfInstance'];
export type Run = Schemas['PipelineScheduleRun'];
/** A project as signed-in users see it, unless they request the simple record. */
export type Project = Schemas['ProjectWithPermissions'];
export type DeployToken = Schemas['DeployToken'];
export type NewDeployToken = Schemas['NewDeployToken'];
export type DeployKey = Schemas['DeployKey'];
export type ProtectedBranch = Schemas['ProtectedBranch'];
export type ProtectedTag = Schemas['ProtectedTag'];
export type WaitingPlan = Schemas['ImportPlan'];
export type AuditEvent = Schemas['AuditEvent'];
export type RefusedRequest = Schemas['RefusedRequest'];
export type Queue = Schemas['Queue'];
export type QueueDetail = Schemas['QueueDetail'];
export type QueueSeries = Schemas['QueueSeries'];
export type QueueSchedule = Schemas['QueueSchedule'];
export type QueueJobOverview = Schemas['QueueJobOverview'];
export type QueueJob = Schemas['QueueJob'];
export type QueueJobDetail = Schemas['QueueJobDetail'];
export type QueueJobAttempt = Schemas['QueueJobAttempt'];
/** An issue in a list that includes label details. */
export type ListedIssue = Schemas['IssueWithLabelDetails'];
export type LinkedIssue = Schemas['LinkedIssue'];
export type NewIssue = Schemas['CreateIssueBody'];
export type IssueEdit = Schemas['UpdateIssueBody'];
export type IssuePerson = Schemas['UserSummary'];
/** A merge request in a list that includes label details. */
export type ListedMergeRequest = Schemas['MergeRequestWithLabelDetails'];
export type MergeRequestEdit = Schemas['UpdateMergeRequestBody'];
export type NewMergeRequest = Schemas['CreateMergeRequestBody'];
export type MergeAttributes = Schemas['MergeMergeRequestBody'];
export type Suggestion = Schemas['Suggestion'];
export type Commit = Schemas['Commit'];
export type CommitDetails = Schemas['CommitDetails'];
export type FileDiff = Schemas['FileDiff'];
export type DiscussionBody = Schemas['CreateMergeRequestDiscussionBody'];
export type LinkOfIssues = Schemas['CreateIssueLinkBody'];

const SAFE = new Set(['GET', 'HEAD']);

/** The API as the signed-in person: the browser sends the session's cookie, and changes carry the session's token. */
export const api = createClient<paths>({ baseUrl: '/api/v4', credentials: 'same-origin', fetch: remembered });

api.use({
  async onRequest({ request }) {
    const token = SAFE.has(request.method) ? null : await csrfToken();
    if (token !== null) request.headers.set('X-CSRF-Token', token);
  },
  onError: () => unreachable(),
});

interface Answered<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a successful response. @throws ApiProblem otherwise */
export async function unwrap<T>(answer: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (!response.ok) throw getProblem(response, error);
  return data as T;
}

/** A page of a list by numbers. */
interface ListPage<T> {
  rows: T;
  /** The number of the next page; null where this is the last. */
  next: number | null;
  /** How many rows there are on all pages; null where the API does not count so many. */
  total: number | null;
}

/** @throws ApiProblem */
export async function unwrapPage<T>(answer: Promise<Answered<T>>): Promise<ListPage<T>> {
  const settled = await answer;
  const rows = await unwrap(Promise.resolve(settled));
  const numberIn = (header: string) => {
    const value = settled.response.headers.get(header);
    return value ? Number(value) : null;
  };
  return { rows, next: numberIn('x-next-page'), total: numberIn('x-total') };
}

/** A page of a list by keyset, and where the next one starts; null where this is the last. @throws ApiProblem */
export async function unwrapKeysetPage<T>(
  answer: Promise<Answered<T[]>>,
  perPage: number,
): Promise<{ rows: T[]; next: string | null }> {
  const settled = await answer;
  const rows = await unwrap(Promise.resolve(settled));
  // Every page but the empty one names a next one, which may be empty.
  const link = /<([^>]+)>; rel="next"/.exec(settled.response.headers.get('link') ?? '')?.[1];
  const cursor = link === undefined ? null : new URL(link).searchParams.get('cursor');
  return { rows, next: rows.length < perPage ? null : cursor };
}
