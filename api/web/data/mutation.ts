// oxlint-disable-next-line no-restricted-imports -- the one place that may
import { useMutation as useObservedMutation } from '@tanstack/react-query';
import type { UseMutationOptions, UseMutationResult } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { loseProblem } from './lost-problem.js';
import { ApiProblem } from './problem.js';

/** What follows one try. */
interface Then<Data> {
  onSuccess?: (data: Data) => void;
  onError?: (error: Error) => void;
}

type Mutation<Data, Variables> = Omit<UseMutationResult<Data, Error, Variables>, 'mutate' | 'mutateAsync'> & {
  mutate: (variables: Variables, then?: Then<Data>) => void;
};

/**
 * TanStack's `useMutation`, but what follows is called as well where the part of the page that asked for it is gone by
 * then, for as long as the address is the same: a row goes with what deletes it, or by a change of somebody else.
 * A failure that no part can show any more is shown above the page.
 */
export function useMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): Mutation<Data, Variables> {
  const { mutateAsync, ...mutation } = useObservedMutation(options);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const mutate = useCallback(
    (variables: Variables, { onSuccess, onError }: Then<Data> = {}) => {
      const { pathname } = window.location;
      const concerns = () => isMounted.current || window.location.pathname === pathname;
      mutateAsync(variables).then(
        (data) => {
          if (concerns()) onSuccess?.(data);
        },
        (error: Error) => {
          if (concerns()) onError?.(error);
          // What is no answer was stopped by who left.
          if (!isMounted.current && error instanceof ApiProblem) loseProblem(error);
        },
      );
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
}
