import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Schemas } from '#api';
import { api, taken } from '../client/api.js';
import { SCHEDULES } from './queries.js';

export type NewSchedule = Schemas['CreatePipelineScheduleBody'];
export type ScheduleEdit = Schemas['UpdatePipelineScheduleBody'];

const one = (project: string | number, id: number) => ({
  params: { path: { id: String(project), pipeline_schedule_id: id } },
});

/** What can be done to a schedule at once. */
export const ACTIONS = {
  play: (project: string | number, id: number) =>
    taken(api.POST('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/play', one(project, id))),
  pause: (project: string | number, id: number) =>
    taken(
      api.PUT('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', {
        ...one(project, id),
        body: { active: false },
      }),
    ),
  activate: (project: string | number, id: number) =>
    taken(
      api.PUT('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', {
        ...one(project, id),
        body: { active: true },
      }),
    ),
  take: (project: string | number, id: number) =>
    taken(api.POST('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/take_ownership', one(project, id))),
} as const;
export type Action = keyof typeof ACTIONS;

/** After a change everything about schedules is asked for again. */
function useScheduleChange<In, Out>(change: (given: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: [SCHEDULES] }),
  });
}

export const useAction = (path: string, id: number) =>
  useScheduleChange((action: Action) => ACTIONS[action](path, id) as Promise<unknown>);

export const useRemoval = (path: string, id: number) =>
  useScheduleChange(() => taken(api.DELETE('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', one(path, id))));

/** A variable as the form holds it; one without a value keeps that which is stored. */
interface WantedVariable {
  key: string;
  value: string;
  variable_type: 'env_var' | 'file';
}

/** What a form wants of variables: those to set, new or not, and keys of those to remove. */
export interface WantedVariables {
  set: readonly (WantedVariable & { known: boolean })[];
  remove: readonly string[];
}

async function saveVariables(path: string, id: number, { set, remove }: WantedVariables): Promise<void> {
  const base = '/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/variables' as const;
  const { params } = one(path, id);
  for (const { known, key, ...rest } of set) {
    const body = { ...rest };
    if (known) await taken(api.PUT(`${base}/{key}`, { params: { path: { ...params.path, key } }, body }));
    else await taken(api.POST(base, { params, body: { key, ...body } }));
  }
  for (const key of remove) await taken(api.DELETE(`${base}/{key}`, { params: { path: { ...params.path, key } } }));
}

interface Saving {
  body: NewSchedule & ScheduleEdit;
  variables: WantedVariables;
}

/**
 * Makes a schedule, or saves an edit of one; answers its id. The schedule first: it is refused where somebody else was
 * quicker, and nothing else is saved then. Where its variables are refused the next try edits what is made already.
 */
export function useScheduleSaving(path: string, id: number | null) {
  const made = useRef(id);
  return useScheduleChange(async ({ body, variables }: Saving) => {
    if (made.current === null) {
      const { id: madeId } = await taken(
        api.POST('/projects/{id}/pipeline_schedules', { params: { path: { id: path } }, body }),
      );
      made.current = madeId;
    } else {
      const named = one(path, made.current);
      await taken(api.PUT('/projects/{id}/pipeline_schedules/{pipeline_schedule_id}', { ...named, body }));
    }
    await saveVariables(path, made.current, variables);
    return made.current;
  });
}
