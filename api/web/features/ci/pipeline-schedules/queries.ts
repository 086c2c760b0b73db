import type { ScheduleScope } from '../../../app/routing/paths.js';
import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapKeysetPage, unwrap } from '../../../data/api.js';
import type { Schedule } from '../../../data/api.js';
import { gql, graphql, notThere } from '../../../data/graphql.js';
import { serverNow } from '../../../ui/now.js';
import type { ScheduleFilters } from './filter.js';

/** First word of the keys of everything here. */
export const SCHEDULES = 'schedules';

/**
 * Queries of the pages of schedules that are refetched: all when schedules change, their pipelines and the jobs of
 * their runs when pipelines change.
 */
export const LIVE_QUERIES = {
  pipeline_schedules: [[SCHEDULES]],
  pipelines: [
    [SCHEDULES, 'pipelines'],
    [SCHEDULES, 'ledger'],
  ],
} as const;

/** The event stream parameters of the container. */
export const followedParams = ({ kind, path }: ScheduleScope): Record<string, string> =>
  kind === 'all' ? {} : { [kind]: path };

/** The first page fills the screen soon; those after it are for who goes on and on. */
const PER_PAGE = 50;
const PER_LATER_PAGE = 100;

/** Parameters that narrow what crosses projects to one container. */
export function getScope({ kind, path }: ScheduleScope) {
  if (kind === 'all') return {};
  return kind === 'group' ? { group_id: path } : { project_id: path };
}

type RecentRuns = Schemas['RecentPipelineScheduleRuns'];
export type RecentRun = RecentRuns['runs'][number];
export type ListedSchedule = Schedule & { recent: RecentRun[] };

const getRecent = (ids: readonly number[]): Promise<RecentRuns[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : unwrap(api.GET('/pipeline_schedules/recent_runs', { params: { query: { 'ids[]': [...ids] } } }));

/** Prefix of the query keys of a list's pages. */
export const listKey = (of: ScheduleScope, { search, owner, state, last }: ScheduleFilters) =>
  [SCHEDULES, 'list', of, search, owner, state, last] as const;

/** A page of schedules with their newest runs, those first that run next. */
export async function loadPage(of: ScheduleScope, filters: ScheduleFilters, cursor: string | null) {
  const { search, owner, state, last } = filters;
  const perPage = cursor === null ? PER_PAGE : PER_LATER_PAGE;
  const { rows, next } = await unwrapKeysetPage(
    api.GET('/pipeline_schedules', {
      params: {
        query: {
          ...getScope(of),
          ...(search ? { search } : {}),
          ...(owner ? { owner } : {}),
          ...(state === 'all' ? {} : { active: state === 'active' }),
          ...(last === '' ? {} : { 'last_run_status[]': [last] }),
          pagination: 'keyset',
          per_page: perPage,
          ...(cursor === null ? {} : { cursor }),
        },
      },
    }),
    perPage,
  );
  const recent = new Map(
    (await getRecent(rows.map(({ id }) => id))).map(({ pipeline_schedule_id: id, runs }) => [id, runs]),
  );
  return { rows: rows.map((row): ListedSchedule => ({ ...row, recent: recent.get(row.id) ?? [] })), next };
}

/** The caller's permissions for a schedule. */
export interface Permissions {
  playPipelineSchedule: boolean;
  updatePipelineSchedule: boolean;
  adminPipelineSchedule: boolean;
}

const PERMISSIONS = gql(/* GraphQL */ `
  query SchedulePermissions($path: ID!, $ids: [ID!]) {
    project(fullPath: $path) {
      nameWithNamespace
      userPermissions {
        adminProject
        createPipelineSchedule
      }
      pipelineSchedules(ids: $ids) {
        nodes {
          userPermissions {
            playPipelineSchedule
            updatePipelineSchedule
            adminPipelineSchedule
          }
        }
      }
    }
  }
`);

const MAY_CREATE = gql(/* GraphQL */ `
  query MayCreateSchedules($path: ID!) {
    project(fullPath: $path) {
      userPermissions {
        createPipelineSchedule
      }
    }
  }
`);

/** Whether the caller may make schedules in a project. */
export const mayCreateQuery = (path: string) =>
  queryOptions({
    queryKey: ['may-create-schedules', path],
    queryFn: async () => {
      const { project } = await graphql(MAY_CREATE, { path });
      return project?.userPermissions.createPipelineSchedule ?? false;
    },
  });

/** The authors whose changes of schedules are visible to the user in the project's audit log. */
type VisibleChanges = 'everybody' | 'own' | null;

interface ProjectOfSchedule {
  project: string;
  changes: VisibleChanges;
}

async function getPermissions(path: string, id: number): Promise<Permissions & ProjectOfSchedule> {
  const data = await graphql(PERMISSIONS, { path, ids: [String(id)] });
  const { project } = data;
  const [node] = project?.pipelineSchedules?.nodes ?? [];
  if (!project || !node) throw notThere('schedule', data);
  const { adminProject: all, createPipelineSchedule: some } = project.userPermissions;
  return {
    ...node.userPermissions,
    project: project.nameWithNamespace,
    changes: all ? 'everybody' : some ? 'own' : null,
  };
}

export type ScheduleDetails = Schemas['PipelineSchedule'];

const one = (path: string, id: number) => ({ path: { id: path, pipeline_schedule_id: id } });

/** One schedule with its inputs and, for users with access to them, its variables. */
export const scheduleQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [SCHEDULES, 'one', path, id],
    queryFn: async () => {
      const [schedule, may] = await Promise.all([
        unwrap(api.GET('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', { params: one(path, id) })),
        getPermissions(path, id),
      ]);
      return { schedule, may };
    },
  });

export type NextRun = Schemas['PipelineScheduleNextRun'];

const NEXT = 10;
/** Timers of browsers know no longer time than 24 days; an hour is long enough. */
const LONGEST_MS = 3_600_000;
const SOON_MS = 2_000;

/** Time until the first of the next runs has passed, by the service's clock: then the list has to be refetched. */
function untilFirst({ state: { data } }: { state: { data: readonly NextRun[] | undefined } }): number | false {
  const [first] = data ?? [];
  if (!first) return false;
  return Math.min(LONGEST_MS, Math.max(SOON_MS, Date.parse(first.at) - serverNow() + SOON_MS));
}

export const nextRunsQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [SCHEDULES, 'next', path, id],
    queryFn: () =>
      unwrap(
        api.GET('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/next_runs', {
          params: { ...one(path, id), query: { count: NEXT } },
        }),
      ),
    refetchInterval: untilFirst,
  });

/** When a schedule with these values would run. */
export const previewQuery = (cron: string, zone: string) =>
  queryOptions({
    queryKey: [SCHEDULES, 'preview', cron, zone],
    queryFn: () =>
      unwrap(
        api.GET('/pipeline_schedules/next_runs', { params: { query: { cron, cron_timezone: zone, count: NEXT } } }),
      ),
    staleTime: 30_000,
    refetchInterval: untilFirst,
    retry: false,
  });

export const pipelinesQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [SCHEDULES, 'pipelines', path, id],
    queryFn: () =>
      unwrap(
        api.GET('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/pipelines', {
          params: { ...one(path, id), query: { sort: 'desc', per_page: 10 } },
        }),
      ),
  });

const CHANGES_PER_PAGE = 10;

/** The newest changes of a schedule that the caller may see, with who made them. */
export const changesQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [SCHEDULES, 'log', path, id],
    queryFn: () =>
      unwrap(
        api.GET('/projects/{id}/audit_events', {
          params: {
            path: { id: path },
            query: { target_type: 'PipelineSchedule', target_id: id, per_page: CHANGES_PER_PAGE },
          },
        }),
      ),
    // A refusal stays one.
    retry: false,
  });
