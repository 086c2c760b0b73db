import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapPage } from '../../../data/api.js';
import { gql, graphql, notThere } from '../../../data/graphql.js';
import { walked, WALKED_PER_PAGE } from '../../../data/walked.js';
import type { Container } from '../../../data/containers.js';
import { getHtml } from '../../../data/markdown.js';

/** First word of the keys of everything here; kind and path of the project or group follow. */
export const MILESTONES = 'milestones';

/** Queries that are refetched when milestones, or their issues and merge requests, change. */
export const getLiveQueries = ({ kind, path }: Container) => {
  const issues = ['issues', 'list', 'counts'].map((part) => [MILESTONES, kind, path, part]);
  return {
    [kind === 'project' ? 'milestones' : 'group_milestones']: [[MILESTONES, kind, path]],
    issues,
    confidential_issues: issues,
    merge_requests: [[MILESTONES, kind, path, 'merge requests']],
  };
};

export type Milestone = Schemas['Milestone'];

/** The first is the default if the address sets none. */
export const STATES = ['active', 'closed', 'all'] as const;
export type MilestoneState = (typeof STATES)[number];

const PER_PAGE = 20;

interface MilestoneFilters {
  state: MilestoneState;
  search: string;
  page: number;
}

/** A page of the milestones of a project or group, including those of its ancestor groups. */
export const milestonesQuery = ({ kind, path }: Container, { state, search, page }: MilestoneFilters) =>
  queryOptions({
    queryKey: [MILESTONES, kind, path, 'list', state, search, page],
    queryFn: () => {
      const narrowed = search === '' ? {} : { search };
      const query = { state, include_ancestors: true, page, per_page: PER_PAGE, ...narrowed };
      const params = { params: { path: { id: path }, query } };
      return unwrapPage(
        kind === 'project' ? api.GET('/projects/{id}/milestones', params) : api.GET('/groups/{id}/milestones', params),
      );
    },
  });

const PROJECT_COUNTS = gql(/* GraphQL */ `
  query ProjectMilestoneCounts($path: ID!) {
    of: project(fullPath: $path) {
      active: milestones(includeAncestors: true, state: active) {
        count
      }
      closed: milestones(includeAncestors: true, state: closed) {
        count
      }
      all: milestones(includeAncestors: true) {
        count
      }
    }
  }
`);

const GROUP_COUNTS = gql(/* GraphQL */ `
  query GroupMilestoneCounts($path: ID!) {
    of: group(fullPath: $path) {
      active: milestones(includeAncestors: true, state: active) {
        count
      }
      closed: milestones(includeAncestors: true, state: closed) {
        count
      }
      all: milestones(includeAncestors: true) {
        count
      }
    }
  }
`);

/** How many milestones there are by state, without any search. */
export const milestoneCountsQuery = ({ kind, path }: Container) =>
  queryOptions({
    queryKey: [MILESTONES, kind, path, 'counts'],
    queryFn: async () =>
      (await (kind === 'group' ? graphql(GROUP_COUNTS, { path }) : graphql(PROJECT_COUNTS, { path }))).of,
  });

/**
 * One milestone by its number, with its description as HTML if the user is signed in: the service renders Markdown only
 * for signed-in users.
 */
export const milestoneQuery = ({ kind, path }: Container, iid: number, signedIn: boolean) =>
  queryOptions({
    queryKey: [MILESTONES, kind, path, 'one', iid, signedIn],
    queryFn: async () => {
      const params = { params: { path: { id: path }, query: { 'iids[]': [iid] } } };
      const { rows } = await unwrapPage(
        kind === 'project' ? api.GET('/projects/{id}/milestones', params) : api.GET('/groups/{id}/milestones', params),
      );
      const [milestone] = rows;
      if (!milestone) throw notThere('milestone', rows);
      const text = milestone.description ?? '';
      const html = signedIn && text !== '' ? await getHtml(kind === 'project' ? path : null, text) : null;
      return { ...milestone, html };
    },
  });

export type MilestoneDetails = Awaited<ReturnType<NonNullable<ReturnType<typeof milestoneQuery>['queryFn']>>>;

const workParams = (path: string, id: number, page: number) => ({
  params: { path: { id: path, milestone_id: id }, query: { page, per_page: WALKED_PER_PAGE } },
});

/** The issues that are planned for a milestone. */
export const issuesOfMilestoneQuery = ({ kind, path }: Container, id: number) =>
  queryOptions({
    queryKey: [MILESTONES, kind, path, 'issues', id],
    queryFn: () =>
      walked<Schemas['Issue']>((page) =>
        unwrapPage(
          kind === 'project'
            ? api.GET('/projects/{id}/milestones/{milestone_id}/issues', workParams(path, id, page))
            : api.GET('/groups/{id}/milestones/{milestone_id}/issues', workParams(path, id, page)),
        ),
      ),
  });

/** The merge requests that are planned for a milestone. */
export const requestsOfMilestoneQuery = ({ kind, path }: Container, id: number) =>
  queryOptions({
    queryKey: [MILESTONES, kind, path, 'merge requests', id],
    queryFn: () =>
      walked<Schemas['MergeRequest']>((page) =>
        unwrapPage(
          kind === 'project'
            ? api.GET('/projects/{id}/milestones/{milestone_id}/merge_requests', workParams(path, id, page))
            : api.GET('/groups/{id}/milestones/{milestone_id}/merge_requests', workParams(path, id, page)),
        ),
      ),
  });
