import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { EPICS } from './queries.js';

type EpicEdit = Schemas['UpdateEpicBody'];
type NewEpic = Schemas['CreateEpicBody'];

/** After a change all epic queries are refetched: ancestor groups may list the epic too. */
function useEpicChange<In, Out>(change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: [EPICS] }),
  });
}

export const useCreateEpic = (path: string) =>
  useEpicChange((body: NewEpic) => unwrap(api.POST('/groups/{id}/epics', { params: { path: { id: path } }, body })));

/** Changes only the submitted attributes. */
export const useEditEpic = (path: string, iid: number) =>
  useEpicChange((body: EpicEdit) =>
    unwrap(api.PUT('/groups/{id}/epics/{epic_iid}', { params: { path: { id: path, epic_iid: iid } }, body })),
  );
