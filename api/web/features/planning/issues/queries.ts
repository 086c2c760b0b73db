import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import type { ListedIssue } from '../../../data/api.js';
import { gql, graphql, notThere } from '../../../data/graphql.js';
import type { DataOf } from '../../../data/graphql.js';
import { orderParams } from '../../../app/routing/list-address.js';
import type { IssueListParams } from './filter.js';

/** First word of the keys of everything here; the path of the project is the second. */
export const ISSUES = 'issues';

/** Queries that are refetched when issues of a project or their comments change. */
export const getLiveQueries = (path: string) => {
  const keys = [[ISSUES, path]];
  return { issues: keys, confidential_issues: keys, internal_notes: keys };
};

const PER_PAGE = 20;

/** A page of a project's issues. */
export const issuesQuery = (path: string, { filter, state, order, page }: IssueListParams) =>
  queryOptions({
    queryKey: [ISSUES, path, 'list', filter, state, order, page],
    queryFn: async () => {
      const { rows, next } = await unwrapPage(
        api.GET('/projects/{id}/issues', {
          params: {
            path: { id: path },
            query: {
              ...forApi(filter),
              ...orderParams(order),
              ...(state === 'all' ? {} : { state }),
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

/** Whether the issue contains label details, as in lists that request them. */
export const hasLabelDetails = (issue: { labels: readonly unknown[] }): issue is ListedIssue =>
  issue.labels.every((label) => typeof label === 'object');

/** Lists of names are separated by commas in the address. */
function forApi({ labels, assignee_username: assignees, ...rest }: IssueListParams['filter']) {
  return {
    ...rest,
    ...(labels ? { 'labels[]': labels.split(',').map((title) => title.trim()) } : {}),
    ...(assignees ? { 'assignee_username[]': assignees.split(',').map((name) => name.trim()) } : {}),
  };
}

/** How many issues a filter finds, by state. */
export const countsQuery = (path: string, filter: IssueListParams['filter']) =>
  queryOptions({
    queryKey: [ISSUES, path, 'counts', filter],
    queryFn: () =>
      unwrap(api.GET('/projects/{id}/issues_statistics', { params: { path: { id: path }, query: forApi(filter) } })),
  });

const PROJECT = gql(/* GraphQL */ `
  query IssuesProject($path: ID!) {
    project(fullPath: $path) {
      nameWithNamespace
      archived
      markedForDeletionOn
      issuesEnabled
      labels(first: 100, includeAncestorGroups: true, archived: false) {
        nodes {
          title
        }
      }
      milestones(first: 100, includeAncestors: true, state: active) {
        nodes {
          id
          title
        }
      }
    }
  }
`);

/** The data of a project that forms and filters of its issues offer. */
export type IssuesProject = NonNullable<DataOf<typeof PROJECT>['project']>;

/** The project itself, with its first labels and open milestones. */
export const projectQuery = (path: string) =>
  queryOptions({
    queryKey: [ISSUES, path, 'project'],
    queryFn: async () => {
      const data = await graphql(PROJECT, { path });
      const { project } = data;
      if (!project) throw notThere('project', data);
      return project;
    },
  });

/**
 * Whether the user is a member of the project: the API ignores labels and similar attributes of new issues by other
 * users.
 */
export const memberQuery = (path: string) =>
  queryOptions({
    queryKey: [ISSUES, path, 'member'],
    queryFn: async () => {
      const project = await unwrap(api.GET('/projects/{id}', { params: { path: { id: path }, query: {} } }));
      const { permissions } = project as {
        permissions?: { project_access: object | null; group_access: object | null };
      };
      return Boolean(permissions?.project_access ?? permissions?.group_access);
    },
  });

const ISSUE = gql(/* GraphQL */ `
  query IssueExtras($path: ID!, $iid: String!) {
    project(fullPath: $path) {
      nameWithNamespace
      issue(iid: $iid) {
        descriptionHtml
        userPermissions {
          updateIssue
          setIssueMetadata
          moveIssue
          destroyIssue
        }
        labels(first: 100) {
          nodes {
            title
            color
            description
          }
        }
        movedTo {
          reference(full: true)
        }
        closedAsDuplicateOf {
          reference(full: true)
        }
      }
    }
  }
`);

async function loadIssueExtras(path: string, iid: number) {
  const data = await graphql(ISSUE, { path, iid: String(iid) });
  const { project } = data;
  if (!project?.issue) throw notThere('issue', data);
  return { ...project.issue, projectName: project.nameWithNamespace };
}

/** One issue, with its description as HTML and the caller's permissions. */
export const issueQuery = (path: string, iid: number) =>
  queryOptions({
    queryKey: [ISSUES, path, 'issue', iid],
    queryFn: async () => {
      const [issue, extras] = await Promise.all([
        unwrap(api.GET('/projects/{id}/issues/{issue_iid}', { params: { path: { id: path, issue_iid: iid } } })),
        loadIssueExtras(path, iid),
      ]);
      return { ...issue, extras };
    },
  });

export type IssueDetails = Awaited<ReturnType<NonNullable<ReturnType<typeof issueQuery>['queryFn']>>>;

/** The issues that an issue is linked with. */
export const linksQuery = (path: string, iid: number) =>
  queryOptions({
    queryKey: [ISSUES, path, 'links', iid],
    queryFn: () =>
      unwrap(api.GET('/projects/{id}/issues/{issue_iid}/links', { params: { path: { id: path, issue_iid: iid } } })),
  });
