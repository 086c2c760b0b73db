import { useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';

const NOT_FOUND = 404;
const BAD_REQUEST = 400;

/** The record at a path. @throws ApiProblem for the field if it does not exist */
async function foundAt<T>(field: string, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== NOT_FOUND) throw error;
    const message = "This group doesn't exist, or you don't have access to it.";
    throw new ApiProblem(message, BAD_REQUEST, error.requestId, { [field]: [message] });
  }
}

/** The group at a path; null for no path. @throws ApiProblem at the field `parent` where there is none */
export async function groupAt(path: string): Promise<{ id: number; full_path: string } | null> {
  if (path === '') return null;
  const query = { with_projects: false };
  return foundAt('parent', unwrap(api.GET('/groups/{id}', { params: { path: { id: path }, query } })));
}

/** The namespace, of a group or user, at a path. @throws ApiProblem at the field `namespace` */
const namespaceAt = (path: string) =>
  foundAt('namespace', unwrap(api.GET('/namespaces/{id}', { params: { path: { id: path } } })));

export type Visibility = 'private' | 'internal' | 'public';

/** The fields of an empty group or project, without its parent. */
export interface NewOne {
  name: string;
  path: string;
  description: string;
  visibility: Visibility;
}

/** Lists that display the new record are refetched. */
function useMaking<In, Out>(make: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: make, onSuccess: () => queries.invalidateQueries() });
}

const present = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Creates an empty project, in the user's personal namespace by default. */
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
