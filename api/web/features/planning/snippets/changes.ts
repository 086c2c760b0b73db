import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';
import { SNIPPETS } from './queries.js';

export type NewSnippet = Schemas['CreateProjectSnippetBody'];
export type SnippetEdit = Schemas['UpdateSnippetBody'];

/** Refusals are sentences; some begin with the field that they are about. */
const ABOUT = [
  [/^Title /, 'title'],
  [/^Description /, 'description'],
] as const;

/** @throws ApiProblem at the field, where the API's sentence is about one */
function atFields(error: unknown): never {
  const said = error instanceof ApiProblem ? error.fields.error?.join(', ') : undefined;
  if (said === undefined) throw error;
  const { status, requestId } = error as ApiProblem;
  const [, field] = ABOUT.find(([start]) => start.test(said)) ?? [];
  throw new ApiProblem(said, status, requestId, field ? { [field]: [said] } : {});
}

/** After a change all snippet queries are refetched. */
function useSnippetChange<In, Out>(change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: In) => change(variables).catch(atFields),
    onSuccess: () => queries.invalidateQueries({ queryKey: [SNIPPETS] }),
  });
}

export const useCreateSnippet = (project: string | null) =>
  useSnippetChange((body: NewSnippet) =>
    unwrap<Schemas['Snippet']>(
      project === null
        ? api.POST('/snippets', { body })
        : api.POST('/projects/{id}/snippets', { params: { path: { id: project } }, body }),
    ),
  );

/** Changes only the submitted attributes. */
export const useEditSnippet = (project: string | null, id: number) =>
  useSnippetChange((body: SnippetEdit) =>
    unwrap<Schemas['Snippet']>(
      project === null
        ? api.PUT('/snippets/{id}', { params: { path: { id } }, body })
        : api.PUT('/projects/{id}/snippets/{snippet_id}', { params: { path: { id: project, snippet_id: id } }, body }),
    ),
  );

/** The snippet itself is not refetched. */
export function useDeleteSnippet(project: string | null, id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const answer: Promise<{ data?: unknown; error?: unknown; response: Response }> =
        project === null
          ? api.DELETE('/snippets/{id}', { params: { path: { id } } })
          : api.DELETE('/projects/{id}/snippets/{snippet_id}', { params: { path: { id: project, snippet_id: id } } });
      return unwrap(answer);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [SNIPPETS], refetchType: 'none' }),
  });
}
