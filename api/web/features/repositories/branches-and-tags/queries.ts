import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { useListChange } from '../../../data/list-change.js';

export type Branch = Schemas['Branch'];
export type Tag = Schemas['Tag'];

const PER_PAGE = 20;
const REFS = 'branches and tags';

/** Queries that are refetched when branches or tags of a project change. */
export const getLiveQueries = (path: string) => ({ repositories: [[REFS, path]] });

export const branchesQuery = (path: string, search: string, page: number) =>
  queryOptions({
    queryKey: [REFS, path, 'branches', search, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/repository/branches', {
          params: { path: { id: path }, query: { page, per_page: PER_PAGE, ...(search === '' ? {} : { search }) } },
        }),
      ),
  });

export const tagsQuery = (path: string, search: string, page: number) =>
  queryOptions({
    queryKey: [REFS, path, 'tags', search, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/repository/tags', {
          params: { path: { id: path }, query: { page, per_page: PER_PAGE, ...(search === '' ? {} : { search }) } },
        }),
      ),
  });

export interface RefAttributes {
  name: string;
  /** Branch, tag or commit that it begins at. */
  ref: string;
  /** Makes a tag annotated; empty for none. */
  message: string;
}

export const useCreateRef = (path: string, kind: 'branch' | 'tag') =>
  useListChange([REFS], ({ name, ref, message }: RefAttributes): Promise<unknown> => {
    const params = { path: { id: path } };
    return kind === 'branch'
      ? unwrap(api.POST('/projects/{id}/repository/branches', { params, body: { branch: name, ref } }))
      : unwrap(
          api.POST('/projects/{id}/repository/tags', {
            params,
            body: { tag_name: name, ref, ...(message === '' ? {} : { message }) },
          }),
        );
  });

export const useDeleteRef = (path: string, kind: 'branch' | 'tag') =>
  useListChange([REFS], (name: string): Promise<unknown> => {
    return kind === 'branch'
      ? unwrap(
          api.DELETE('/projects/{id}/repository/branches/{branch}', { params: { path: { id: path, branch: name } } }),
        )
      : unwrap(
          api.DELETE('/projects/{id}/repository/tags/{tag_name}', { params: { path: { id: path, tag_name: name } } }),
        );
  });

/** Branches and tags whose names hold a text, as they are offered while somebody writes. */
export const refsQuery = (path: string, search: string) =>
  queryOptions({
    queryKey: ['refs', path, search],
    queryFn: async () => {
      const params = { path: { id: path }, query: { ...(search === '' ? {} : { search }), per_page: 20 } };
      const [branches, tags] = await Promise.all([
        unwrap(api.GET('/projects/{id}/repository/branches', { params })),
        unwrap(api.GET('/projects/{id}/repository/tags', { params })),
      ]);
      return [
        ...branches.map((branch) => ({ name: branch.name, tag: false, standard: branch.default })),
        ...tags.map(({ name }) => ({ name, tag: true, standard: false })),
      ];
    },
    staleTime: 30_000,
  });
