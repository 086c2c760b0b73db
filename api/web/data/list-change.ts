import { useQueryClient } from '@tanstack/react-query';
import { useMutation } from './mutation.js';

/** A change after which the lists whose query keys begin with these words are refetched. */
export function useListChange<In, Out>(lists: readonly string[], change: (variables: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(lists.map((list) => queries.invalidateQueries({ queryKey: [list] }))),
  });
}
