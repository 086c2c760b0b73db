import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem, rulesInText } from '../../../data/problem.js';
import type { Container } from '../../../data/containers.js';
import { MILESTONES } from './queries.js';

export type NewMilestone = Schemas['CreateProjectMilestoneBody'];
export type MilestoneEdit = Schemas['UpdateProjectMilestoneBody'];

/** @throws ApiProblem for each field: the API reports validation errors of milestones as one text */
function atFields(error: unknown): never {
  const rules = error instanceof ApiProblem ? rulesInText(error.message) : {};
  if (Object.keys(rules).length === 0) throw error;
  const { message, status, requestId } = error as ApiProblem;
  throw new ApiProblem(message, status, requestId, rules);
}

/** After a change all milestone queries are refetched; projects also list the milestones of their groups. */
function useMilestoneChange<In, Out>(change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: In) => change(variables).catch(atFields),
    onSuccess: () => queries.invalidateQueries({ queryKey: [MILESTONES] }),
  });
}

export const useCreateMilestone = ({ kind, path }: Container) =>
  useMilestoneChange((body: NewMilestone) => {
    const params = { path: { id: path } };
    return unwrap(
      kind === 'project'
        ? api.POST('/projects/{id}/milestones', { params, body })
        : api.POST('/groups/{id}/milestones', { params, body }),
    );
  });

/** Changes only the submitted attributes. */
export const useEditMilestone = ({ kind, path }: Container, id: number) =>
  useMilestoneChange((body: MilestoneEdit) => {
    const params = { path: { id: path, milestone_id: id } };
    return unwrap(
      kind === 'project'
        ? api.PUT('/projects/{id}/milestones/{milestone_id}', { params, body })
        : api.PUT('/groups/{id}/milestones/{milestone_id}', { params, body }),
    );
  });

/** The milestone itself is not refetched. */
export function useDeleteMilestone({ kind, path }: Container, id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const params = { path: { id: path, milestone_id: id } };
      const answer: Promise<{ data?: unknown; error?: unknown; response: Response }> =
        kind === 'project'
          ? api.DELETE('/projects/{id}/milestones/{milestone_id}', { params })
          : api.DELETE('/groups/{id}/milestones/{milestone_id}', { params });
      return unwrap(answer);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [MILESTONES], refetchType: 'none' }),
  });
}
