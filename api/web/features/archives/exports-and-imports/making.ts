import { useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';

const NOT_FOUND = 404;
const BAD_REQUEST = 400;

/** What a path leads to. @throws ApiProblem at the field where there is nothing */
async function foundAt<T>(field: string, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== NOT_FOUND) throw error;
    const message = 'There is no such group, or you may not see it.';
    throw new ApiProblem(message, BAD_REQUEST, error.requestId, { [field]: [message] });
  }
}

/** The group at a path; null for no path. @throws ApiProblem at the field `parent` where there is none */
export async function groupAt(path: string): Promise<{ id: number; full_path: string } | null> {
  if (path === '') return null;
  const query = { with_projects: false };
  return foundAt('parent', unwrap(api.GET('/groups/{id}', { params: { path: { id: path }, query } })));
}

/** The group or person whose projects lie at a path. @throws ApiProblem at the field `namespace` */
const namespaceAt = (path: string) =>
  foundAt('namespace', unwrap(api.GET('/namespaces/{id}', { params: { path: { id: path } } })));

export type Visibility = 'private' | 'internal' | 'public';

/** An empty group or project, but for where it lies. */
export interface NewOne {
  name: string;
  path: string;
  description: string;
  visibility: Visibility;
}

/** What lists show besides is asked for again. */
function useMaking<In, Out>(make: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: make, onSuccess: () => queries.invalidateQueries() });
}

const present = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Makes an empty project, in the person's own namespace where none is named. */
export const useMakeProject = () =>
  useMaking(
    async ({ name, visibility, readme, namespace, ...rest }: NewOne & { namespace: string; readme: boolean }) => {
      const parent = namespace === '' ? {} : { namespace_id: (await namespaceAt(namespace)).id };
      const body = { name, visibility, initialize_with_readme: readme, ...present(rest), ...parent };
      return unwrap(api.POST('/projects', { body }));
    },
  );

/** Makes an empty group, or one in another. */
export const useMakeGroup = () =>
  useMaking(async ({ name, path, visibility, description, parent }: NewOne & { parent: string }) => {
    const above = await groupAt(parent);
    const body = { name, path, visibility, ...present({ description }), ...(above ? { parent_id: above.id } : {}) };
    return unwrap(api.POST('/groups', { body }));
  });
