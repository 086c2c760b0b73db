import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap, unwrapPage } from '../../../data/api.js';
import { PER_PAGE } from '../../../data/containers.js';
import { useListChange } from '../../../data/list-change.js';

/** Whose runners are shown: those of the instance, of a group or of a project. */
export interface RunnerOwner {
  kind: 'instance' | 'group' | 'project';
  /** Id of the project or group; empty for the instance. */
  id: string;
}

/** A runner in a list. */
export type Runner = Schemas['Runner'];
/** A runner with what can be changed of it. */
export type RunnerDetails = Schemas['RunnerDetails'];

const RUNNERS = 'runners';

export const runnersQuery = ({ kind, id }: RunnerOwner, page: number) =>
  queryOptions({
    queryKey: [RUNNERS, kind, id, page],
    queryFn: () => {
      const query = { page, per_page: PER_PAGE };
      if (kind === 'instance') return unwrapPage<Runner[]>(api.GET('/runners/all', { params: { query } }));
      const params = { path: { id }, query };
      return unwrapPage<Runner[]>(
        kind === 'group' ? api.GET('/groups/{id}/runners', { params }) : api.GET('/projects/{id}/runners', { params }),
      );
    },
  });

export const runnerQuery = (id: number) =>
  queryOptions({
    queryKey: [RUNNERS, 'one', id],
    queryFn: () => unwrap(api.GET('/runners/{id}', { params: { path: { id } } })),
  });

export const runnerManagersQuery = (id: number) =>
  queryOptions({
    queryKey: [RUNNERS, 'managers', id],
    queryFn: () => unwrap(api.GET('/runners/{id}/managers', { params: { path: { id } } })),
  });

/** What a runner is created or changed with. */
export interface RunnerAttributes {
  description: string;
  tag_list: string[];
  run_untagged: boolean;
  locked?: boolean;
  paused?: boolean;
  access_level: 'not_protected' | 'ref_protected';
  maximum_timeout: number | null;
  maintenance_note: string;
}

/** A runner that was just created, with the token that nothing shows again. */
export type CreatedRunner = Schemas['RunnerToken'];

const LISTS = [RUNNERS];

export const useCreateRunner = ({ kind, id }: RunnerOwner) =>
  useListChange(LISTS, (attributes: RunnerAttributes) => {
    // A new runner has no timeout of its own unless it gets one.
    const { maximum_timeout: timeout, ...rest } = attributes;
    const body = {
      runner_type: `${kind}_type` as const,
      ...(kind === 'instance' ? {} : { [`${kind}_id`]: Number(id) }),
      ...rest,
      ...(timeout === null ? {} : { maximum_timeout: timeout }),
    };
    return unwrap(api.POST('/user/runners', { body }));
  });

export const useUpdateRunner = () =>
  useListChange(LISTS, ({ id, ...body }: { id: number } & Partial<RunnerAttributes>) =>
    unwrap(api.PUT('/runners/{id}', { params: { path: { id } }, body })),
  );

export const useRemoveRunner = () =>
  useListChange(LISTS, (id: number) => unwrap(api.DELETE('/runners/{id}', { params: { path: { id } } })));

export const useResetRunnerToken = () =>
  useListChange(LISTS, (id: number) =>
    unwrap(api.POST('/runners/{id}/reset_authentication_token', { params: { path: { id } } })),
  );
