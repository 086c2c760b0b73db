import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import type { ListedMergeRequest, Project, Suggestion } from '../../../data/api.js';
import { gql, graphql, notThere } from '../../../data/graphql.js';
import { orderParams } from '../../../app/routing/list-address.js';
import type { MergeRequestListParams } from './filter.js';

/** First word of the keys of everything here; the path of the project is the second. */
export const MERGE_REQUESTS = 'merge requests';

/**
 * Queries that are refetched when merge requests of a project, their comments, or the pipelines of their heads change.
 * File changes are excluded, so that readers do not lose their position.
 */
export const getLiveQueries = (path: string) => ({
  merge_requests: ['list', 'request', 'commits', 'project', 'threads', 'suggestions'].map((part) => [
    MERGE_REQUESTS,
    path,
    part,
  ]),
  pipelines: [[MERGE_REQUESTS, path, 'request']],
});

const NOT_FOUND = 404;
const PER_PAGE = 20;
const COMMITS_PER_PAGE = 50;
/** Branches that a form offers; others can be typed. */
const BRANCHES = 100;

/** Lists of names are separated by commas in the address. */
function forApi({ labels, assignee_username: assignees, ...rest }: MergeRequestListParams['filter']) {
  return {
    ...rest,
    ...(labels ? { 'labels[]': labels.split(',').map((title) => title.trim()) } : {}),
    ...(assignees ? { 'assignee_username[]': assignees.split(',').map((name) => name.trim()) } : {}),
  };
}

/** Whether the merge request contains label details, as in lists that request them. */
const hasLabelDetails = (request: { id: number; labels?: readonly unknown[] }): request is ListedMergeRequest =>
  request.labels?.every((label) => typeof label === 'object') === true;

/** A page of a project's merge requests. */
export const mergeRequestsQuery = (path: string, { filter, state, order, page }: MergeRequestListParams) =>
  queryOptions({
    queryKey: [MERGE_REQUESTS, path, 'list', filter, state, order, page],
    queryFn: async () => {
      const { rows, next } = await unwrapPage(
        api.GET('/projects/{id}/merge_requests', {
          params: {
            path: { id: path },
            query: {
              ...forApi(filter),
              ...orderParams(order),
              state,
              with_labels_details: true,
              per_page: PER_PAGE,
              page,
            },
          },
        }),
      );
      return { rows: rows.filter(hasLabelDetails), next };
    },
  });

const PROJECT = gql(/* GraphQL */ `
  query MergeRequestsProject($path: ID!) {
    project(fullPath: $path) {
      nameWithNamespace
      userPermissions {
        pushCode
      }
      labels(first: 100, includeAncestorGroups: true, archived: false) {
        nodes {
          title
        }
      }
      milestones(first: 100, includeAncestors: true, state: active) {
        nodes {
          title
        }
      }
      opened: mergeRequests(state: opened) {
        count
      }
      merged: mergeRequests(state: merged) {
        count
      }
      closed: mergeRequests(state: closed) {
        count
      }
      all: mergeRequests {
        count
      }
    }
  }
`);

/** The project's data for the list: its name, the number of merge requests by state, and filter options. */
export const listedProjectQuery = (path: string) =>
  queryOptions({
    queryKey: [MERGE_REQUESTS, path, 'project'],
    queryFn: async () => {
      const data = await graphql(PROJECT, { path });
      const { project } = data;
      if (!project) throw notThere('project', data);
      return project;
    },
  });

const REQUEST = gql(/* GraphQL */ `
  query MergeRequestExtras($path: ID!, $iid: String!) {
    project(fullPath: $path) {
      nameWithNamespace
      mergeRequest(iid: $iid) {
        descriptionHtml
        approved
        approvalsRequired
        userPermissions {
          updateMergeRequest
          adminMergeRequest
          setMergeRequestMetadata
        }
        approvedBy(first: 20) {
          nodes {
            id
            name
          }
        }
        labels(first: 100) {
          nodes {
            title
            color
            description
          }
        }
      }
    }
  }
`);

async function loadRequestExtras(path: string, iid: number) {
  const data = await graphql(REQUEST, { path, iid: String(iid) });
  const { project } = data;
  if (!project?.mergeRequest) throw notThere('merge request', data);
  return { ...project.mergeRequest, projectName: project.nameWithNamespace };
}

const requestParams = (path: string, iid: number) => ({ path: { id: path, merge_request_iid: iid } });

/** One merge request, with its description as HTML and who approved it. */
export const mergeRequestQuery = (path: string, iid: number) =>
  queryOptions({
    queryKey: [MERGE_REQUESTS, path, 'request', iid],
    queryFn: async () => {
      const [request, extras] = await Promise.all([
        unwrap(
          api.GET('/projects/{id}/merge_requests/{merge_request_iid}', {
            params: {
              ...requestParams(path, iid),
              query: { include_diverged_commits_count: true, include_rebase_in_progress: true },
            },
          }),
        ),
        loadRequestExtras(path, iid),
      ]);
      return { ...request, extras };
    },
  });

export type MergeRequestDetails = Awaited<ReturnType<NonNullable<ReturnType<typeof mergeRequestQuery>['queryFn']>>>;

/** Whether the person may push to the branch that a merge request is from. */
export const mayPushToSourceQuery = (path: string, { iid, source_branch: branch, ...request }: MergeRequestDetails) =>
  queryOptions({
    queryKey: [MERGE_REQUESTS, path, 'source', iid],
    queryFn: async () => {
      const branchParams = { id: String(request.source_project_id), branch };
      const answer = api.GET('/projects/{id}/repository/branches/{branch}', { params: { path: branchParams } });
      // A branch, or its project, that is gone or not to be seen.
      if ((await answer).response.status === NOT_FOUND) return false;
      return (await unwrap(answer)).can_push;
    },
  });

/** The data for the form of a new merge request: the project, and the most recently changed branches. */
export const newRequestQuery = (path: string) =>
  queryOptions({
    queryKey: [MERGE_REQUESTS, path, 'new'],
    queryFn: async () => {
      const [project, branches] = await Promise.all([
        unwrap(api.GET('/projects/{id}', { params: { path: { id: path }, query: {} } })) as Promise<Project>,
        unwrap(
          api.GET('/projects/{id}/repository/branches', {
            params: { path: { id: path }, query: { sort: 'updated_desc', per_page: BRANCHES } },
          }),
        ),
      ]);
      return { project, branches: branches.map(({ name }) => name) };
    },
  });

/** A page of the commits of a merge request, the newest first. */
export const requestCommitsQuery = (path: string, iid: number, page: number) =>
  queryOptions({
    queryKey: [MERGE_REQUESTS, path, 'commits', iid, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/merge_requests/{merge_request_iid}/commits', {
          params: { ...requestParams(path, iid), query: { page, per_page: COMMITS_PER_PAGE } },
        }),
      ),
  });

/** A page of the files that a merge request changes. */
export const requestDiffsQuery = (path: string, iid: number, page: number) =>
  queryOptions({
    queryKey: [MERGE_REQUESTS, path, 'diffs', iid, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/merge_requests/{merge_request_iid}/diffs', {
          params: { ...requestParams(path, iid), query: { page, per_page: PER_PAGE } },
        }),
      ),
  });

const THREADS_PER_PAGE = 100;

/** A page of threads in REST, the only API that returns suggestions. */
const threadsPage = (path: string, iid: number, page: number) =>
  unwrapPage(
    api.GET('/projects/{id}/merge_requests/{merge_request_iid}/discussions', {
      params: { ...requestParams(path, iid), query: { page, per_page: THREADS_PER_PAGE } },
    }),
  );

/** The suggestions in the notes of a merge request, by the id of the note. */
export const suggestionsQuery = (path: string, iid: number) =>
  queryOptions({
    queryKey: [MERGE_REQUESTS, path, 'suggestions', iid],
    queryFn: async () => {
      const found = new Map<string, Suggestion[]>();
      for (let page: number | null = 1; page !== null;) {
        const threads: Awaited<ReturnType<typeof threadsPage>> = await threadsPage(path, iid, page);
        for (const { id, suggestions = [] } of threads.rows.flatMap(({ notes }) => notes))
          if (suggestions.length > 0) found.set(String(id), suggestions);
        page = threads.next;
      }
      return found;
    },
  });
