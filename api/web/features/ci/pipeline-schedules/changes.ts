import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { SCHEDULES } from './queries.js';

export type NewSchedule = Schemas['CreatePipelineScheduleBody'];
export type ScheduleEdit = Schemas['UpdatePipelineScheduleBody'];

const one = (project: string | number, id: number) => ({
  params: { path: { id: String(project), pipeline_schedule_id: id } },
});

/** What can be done to a schedule at once. */
export const ACTIONS = {
  play: (project: string | number, id: number) =>
    unwrap(api.POST('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/play', one(project, id))),
  pause: (project: string | number, id: number) =>
    unwrap(
      api.PUT('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', {
        ...one(project, id),
        body: { active: false },
      }),
    ),
  activate: (project: string | number, id: number) =>
    unwrap(
      api.PUT('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', {
        ...one(project, id),
        body: { active: true },
      }),
    ),
  take: (project: string | number, id: number) =>
    unwrap(api.POST('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/take_ownership', one(project, id))),
} as const;
export type Action = keyof typeof ACTIONS;

/** After a change all queries about schedules are refetched. */
function useScheduleChange<In, Out>(change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: [SCHEDULES] }),
  });
}

export const useAction = (path: string, id: number) =>
  useScheduleChange((action: Action) => ACTIONS[action](path, id) as Promise<unknown>);

export const useRemoval = (path: string, id: number) =>
  useScheduleChange(() =>
    unwrap(api.DELETE('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', one(path, id))),
  );

/** Makes a schedule, or saves an edit of one, with its variables and inputs: all of it or nothing. Answers its id. */
export function useScheduleSaving(path: string, id: number | null) {
  return useScheduleChange(async (body: NewSchedule & ScheduleEdit) => {
    const saved =
      id === null
        ? await unwrap(api.POST('/projects/{id}/pipeline_schedules', { params: { path: { id: path } }, body }))
        : await unwrap(api.PUT('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', { ...one(path, id), body }));
    return saved.id;
  });
}
