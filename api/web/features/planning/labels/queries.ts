import { queryOptions } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap, unwrapPage } from '../../../data/api.js';
import { PER_PAGE } from '../../../data/containers.js';
import { useListChange } from '../../../data/list-change.js';

const LISTS = ['labels'];

export const labelsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: [...LISTS, id, page],
    queryFn: () =>
      unwrapPage(api.GET('/projects/{id}/labels', { params: { path: { id }, query: { per_page: PER_PAGE, page } } })),
  });

export const useCreateLabel = (id: string) =>
  useListChange(LISTS, (body: Schemas['CreateProjectLabelBody']) =>
    unwrap(api.POST('/projects/{id}/labels', { params: { path: { id } }, body })),
  );

export const useDeleteLabel = (id: string) =>
  useListChange(LISTS, (labelId: number) =>
    unwrap(api.DELETE('/projects/{id}/labels/{label_id}', { params: { path: { id, label_id: String(labelId) } } })),
  );
