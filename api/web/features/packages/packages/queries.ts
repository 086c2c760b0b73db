import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';

export type ListedPackage = Schemas['Package'];
export type PackageFile = Schemas['PackageFile'];

const PACKAGES = 'packages';
const PER_PAGE = 20;

/** The packages of a project, the newest first, narrowed by a part of their name. */
export const packagesQuery = (path: string, name: string, page: number) =>
  queryOptions({
    queryKey: [PACKAGES, path, 'list', name, page],
    queryFn: () =>
      unwrapPage<ListedPackage[]>(
        api.GET('/projects/{id}/packages', {
          params: {
            path: { id: path },
            query: {
              page,
              per_page: PER_PAGE,
              order_by: 'created_at',
              sort: 'desc',
              ...(name === '' ? {} : { package_name: name }),
            },
          },
        }),
      ),
  });

const of = (path: string, id: number) => ({ params: { path: { id: path, package_id: id } } });

/** One package, with its other versions. */
export const packageQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [PACKAGES, path, 'one', id],
    queryFn: () => unwrap(api.GET('/projects/{id}/packages/{package_id}', of(path, id))),
  });

/** The files of a package. */
export const packageFilesQuery = (path: string, id: number, page: number) =>
  queryOptions({
    queryKey: [PACKAGES, path, 'files', id, page],
    queryFn: () =>
      unwrapPage<PackageFile[]>(
        api.GET('/projects/{id}/packages/{package_id}/package_files', {
          params: { path: { id: path, package_id: id }, query: { page, per_page: PER_PAGE } },
        }),
      ),
  });

/** Deletes a package with its files. Deleted data is not refetched. */
export function useDeletePackage(path: string, id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (): Promise<unknown> => unwrap(api.DELETE('/projects/{id}/packages/{package_id}', of(path, id))),
    onSuccess: () => queries.invalidateQueries({ queryKey: [PACKAGES, path], refetchType: 'none' }),
  });
}
