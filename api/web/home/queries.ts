import { queryOptions } from '@tanstack/react-query';
import { api, taken } from '../client/api.js';
import type { Project, Run, Schedule } from '../client/api.js';

/** Projects that home shows, and looks for schedules in: each costs a request. */
const PROJECTS = 8;
/** Schedules that home shows, the next to run first; each costs a request for its last run. */
const SCHEDULES = 10;
/** How often what runs by itself is looked at again, while the page is seen. */
const REFRESH_MS = 15_000;

export interface ScheduleOfProject extends Schedule {
  project: Project;
}

export const projectsQuery = queryOptions({
  queryKey: ['home', 'projects'],
  queryFn: () =>
    taken(
      api.GET('/projects', {
        params: { query: { membership: true, simple: true, order_by: 'last_activity_at', per_page: PROJECTS } },
      }),
    ),
});

/** Those that run next first; those that do not run last. */
function soonestFirst(one: Schedule, other: Schedule): number {
  const at = ({ active, next_run_at }: Schedule) => (active && next_run_at ? Date.parse(next_run_at) : Infinity);
  return at(one) === at(other) ? one.id - other.id : at(one) - at(other);
}

async function schedulesOf(project: Project): Promise<ScheduleOfProject[]> {
  const { data, response } = await api.GET('/projects/{id}/pipeline_schedules', {
    params: { path: { id: String(project.id) }, query: { per_page: 50 } },
  });
  // Whoever may not see a project's schedules sees those of the others.
  if (response.status === 403 || response.status === 404) return [];
  return (data ?? []).map((schedule) => ({ ...schedule, project }));
}

export const schedulesQuery = (projects: readonly Project[]) =>
  queryOptions({
    queryKey: ['home', 'schedules', projects.map(({ id }) => id)],
    queryFn: async () => {
      const all = (await Promise.all(projects.map(schedulesOf))).flat().sort(soonestFirst);
      return { shown: all.slice(0, SCHEDULES), more: Math.max(0, all.length - SCHEDULES) };
    },
    refetchInterval: REFRESH_MS,
  });

export const lastRunQuery = (schedule: ScheduleOfProject) =>
  queryOptions({
    queryKey: ['home', 'last-run', schedule.id],
    queryFn: async (): Promise<Run | null> => {
      const path = { id: String(schedule.project.id), pipeline_schedule_id: schedule.id };
      const runs = await taken(
        api.GET('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/runs', {
          params: { path, query: { per_page: 1 } },
        }),
      );
      return runs[0] ?? null;
    },
    refetchInterval: REFRESH_MS,
  });
