import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap, unwrapPage } from '../../../data/api.js';
import { PER_PAGE } from '../../../data/containers.js';
import { useListChange } from '../../../data/list-change.js';

/** Whose variables are shown: those of the instance, of a group or of a project. */
export interface VariableOwner {
  kind: 'instance' | 'group' | 'project';
  /** Id of the project or group; empty for the instance. */
  id: string;
}

/** A variable of jobs. Those of the instance have no scope, and none is hidden. */
export type Variable = Schemas['InstanceVariable'] | Schemas['CiVariable'];

/** The environments whose jobs receive a variable. */
export const getScope = (variable: Variable): string =>
  'environment_scope' in variable ? variable.environment_scope : '*';

/** Whether no answer contains the value of a variable. */
export const isHidden = (variable: Variable): boolean => 'hidden' in variable && variable.hidden;

/** What a variable is created or changed with. */
export interface VariableAttributes {
  key: string;
  value?: string;
  variable_type: 'env_var' | 'file';
  protected: boolean;
  masked?: boolean;
  masked_and_hidden?: boolean;
  raw: boolean;
  description: string;
  environment_scope?: string;
}

const VARIABLES = 'ci_variables';
const LISTS = [VARIABLES];

export const variablesQuery = ({ kind, id }: VariableOwner, page: number) =>
  queryOptions({
    queryKey: [VARIABLES, kind, id, page],
    queryFn: () => {
      const query = { page, per_page: PER_PAGE };
      if (kind === 'instance') return unwrapPage<Variable[]>(api.GET('/admin/ci/variables', { params: { query } }));
      const params = { path: { id }, query };
      return unwrapPage<Variable[]>(
        kind === 'group'
          ? api.GET('/groups/{id}/variables', { params })
          : api.GET('/projects/{id}/variables', { params }),
      );
    },
  });

export const useCreateVariable = ({ kind, id }: VariableOwner) =>
  useListChange(LISTS, ({ value = '', ...rest }: VariableAttributes): Promise<unknown> => {
    const body = { value, ...rest };
    if (kind === 'instance') return unwrap(api.POST('/admin/ci/variables', { body }));
    const params = { path: { id } };
    return kind === 'group'
      ? unwrap(api.POST('/groups/{id}/variables', { params, body }))
      : unwrap(api.POST('/projects/{id}/variables', { params, body }));
  });

/** A variable and what changes of it. */
interface VariableChange extends Omit<VariableAttributes, 'key'> {
  variable: Variable;
}

export const useUpdateVariable = ({ kind, id }: VariableOwner) =>
  useListChange(LISTS, ({ variable, ...changes }: VariableChange): Promise<unknown> => {
    const { key } = variable;
    if (kind === 'instance')
      return unwrap(api.PUT('/admin/ci/variables/{key}', { params: { path: { key } }, body: changes }));
    const params = { path: { id, key } };
    const body = { ...changes, filter: { environment_scope: getScope(variable) } };
    return kind === 'group'
      ? unwrap(api.PUT('/groups/{id}/variables/{key}', { params, body }))
      : unwrap(api.PUT('/projects/{id}/variables/{key}', { params, body }));
  });

export const useDeleteVariable = ({ kind, id }: VariableOwner) =>
  useListChange(LISTS, (variable: Variable): Promise<unknown> => {
    const { key } = variable;
    if (kind === 'instance') return unwrap(api.DELETE('/admin/ci/variables/{key}', { params: { path: { key } } }));
    const params = { path: { id, key }, query: { 'filter[environment_scope]': getScope(variable) } as object };
    return kind === 'group'
      ? unwrap(api.DELETE('/groups/{id}/variables/{key}', { params }))
      : unwrap(api.DELETE('/projects/{id}/variables/{key}', { params }));
  });
