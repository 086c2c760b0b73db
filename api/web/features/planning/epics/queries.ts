import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { gql, graphql, notThere } from '../../../data/graphql.js';
import { walked, WALKED_PER_PAGE } from '../../../data/walked.js';
import { orderParams } from '../../../app/routing/list-address.js';
import { listed } from '../../../app/forms/LabelsField.js';
import type { ListParams } from '../../../app/routing/list-address.js';

/** The filters of the list; their names are parameters of both the address and the API. */
const FILTERS = ['search', 'labels', 'author_username'] as const;

export const STATES = ['opened', 'closed', 'all'] as const;
export type EpicState = (typeof STATES)[number];

/** Orders with their labels; the first is the default. */
export const ORDERS = {
  'created_at-desc': 'Newest first',
  'created_at-asc': 'Oldest first',
  'updated_at-desc': 'Recently updated',
  'updated_at-asc': 'Least recently updated',
  'start_date-asc': 'Start date, earliest first',
  'due_date-asc': 'Due date, earliest first',
  'title-asc': 'Title',
} as const;

/** What addresses of the list can say. */
export const LIST_OPTIONS = { filters: FILTERS, states: STATES, orders: ORDERS };

export type EpicListParams = ListParams<(typeof FILTERS)[number], EpicState, keyof typeof ORDERS>;

/** First word of the keys of everything here; the path of the group is the second. */
export const EPICS = 'epics';

/** Queries that are refetched when epics of a group, their issues or their comments change. */
export const getLiveQueries = (path: string) => {
  const keys = [[EPICS, path]];
  return { epics: keys, confidential_epics: keys, issues: [[EPICS, path, 'issues']] };
};

export type Epic = Schemas['Epic'];

const PER_PAGE = 20;

/** A page of the epics of a group and of the groups below it. */
export const epicsQuery = (path: string, { filter, state, order, page }: EpicListParams) =>
  queryOptions({
    queryKey: [EPICS, path, 'list', filter, state, order, page],
    queryFn: () => {
      const { labels, ...rest } = filter;
      const query = {
        ...rest,
        ...(labels ? { 'labels[]': listed(labels) } : {}),
        ...orderParams(order),
        state,
        page,
        per_page: PER_PAGE,
      };
      return unwrapPage(api.GET('/groups/{id}/epics', { params: { path: { id: path }, query } }));
    },
  });

const GROUP = gql(/* GraphQL */ `
  query EpicsGroup($path: ID!) {
    group(fullPath: $path) {
      fullName
      labels(first: 100, includeAncestorGroups: true) {
        nodes {
          title
        }
      }
      opened: epics(state: opened) {
        count
      }
      closed: epics(state: closed) {
        count
      }
      all: epics {
        count
      }
    }
  }
`);

/** The group's data for the list: its name, the number of epics by state, and filter options. */
export const epicsGroupQuery = (path: string) =>
  queryOptions({
    queryKey: [EPICS, path, 'group'],
    queryFn: async () => {
      const data = await graphql(GROUP, { path });
      if (!data.group) throw notThere('group', data);
      return data.group;
    },
  });

const EPIC = gql(/* GraphQL */ `
  query EpicExtras($path: ID!, $iid: ID!) {
    group(fullPath: $path) {
      epic(iid: $iid) {
        descriptionHtml
        userPermissions {
          updateEpic
        }
        labels(first: 100) {
          nodes {
            title
            color
            description
          }
        }
        parent {
          title
          webUrl
          reference(full: true)
        }
      }
    }
  }
`);

async function loadEpicExtras(path: string, iid: number) {
  const data = await graphql(EPIC, { path, iid: String(iid) });
  if (!data.group?.epic) throw notThere('epic', data);
  return data.group.epic;
}

const epicParams = (path: string, iid: number) => ({ path: { id: path, epic_iid: iid } });

/** One epic, with its description as HTML and the caller's permissions. */
export const epicQuery = (path: string, iid: number) =>
  queryOptions({
    queryKey: [EPICS, path, 'epic', iid],
    queryFn: async () => {
      // What REST refuses it refuses with a reason.
      const epic = await unwrap(api.GET('/groups/{id}/epics/{epic_iid}', { params: epicParams(path, iid) }));
      return { ...epic, extras: await loadEpicExtras(path, iid) };
    },
  });

export type EpicDetails = Awaited<ReturnType<NonNullable<ReturnType<typeof epicQuery>['queryFn']>>>;

/** The issues of an epic. */
export const issuesOfEpicQuery = (path: string, iid: number) =>
  queryOptions({
    queryKey: [EPICS, path, 'issues', iid],
    queryFn: () =>
      walked((page) =>
        unwrapPage(
          api.GET('/groups/{id}/epics/{epic_iid}/issues', {
            params: { ...epicParams(path, iid), query: { page, per_page: WALKED_PER_PAGE } },
          }),
        ),
      ),
  });

/** The open epics that may become the parent of a group's epic: those of the group and its ancestors. */
export const parentsQuery = (path: string) =>
  queryOptions({
    queryKey: [EPICS, path, 'parents'],
    queryFn: () => {
      const reach = { include_descendant_groups: false, include_ancestor_groups: true };
      const query = { ...reach, state: 'opened', order_by: 'title', sort: 'asc', per_page: WALKED_PER_PAGE } as const;
      return walked((page) =>
        unwrapPage(api.GET('/groups/{id}/epics', { params: { path: { id: path }, query: { ...query, page } } })),
      );
    },
  });

/** The epics below an epic, of the group and those below it. The API has no list of them, so they are chosen here. */
export const childrenQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [EPICS, path, 'children', id],
    queryFn: async () => {
      const found = await walked((page) =>
        unwrapPage(
          api.GET('/groups/{id}/epics', {
            params: { path: { id: path }, query: { page, per_page: WALKED_PER_PAGE } },
          }),
        ),
      );
      return { ...found, rows: found.rows.filter(({ parent_id: parent }) => parent === id) };
    },
  });
