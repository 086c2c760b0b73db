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
 * TanStack's `useMutation`, but its callbacks are also called if the component that started it is unmounted by then, as
 * long as the address is the same: a row disappears when its record is deleted, or through another user's change.
 * Errors that no component can display any longer are displayed above the page.
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
          // Errors other than responses are aborts caused by leaving the page.
          if (!isMounted.current && error instanceof ApiProblem) loseProblem(error);
        },
      );
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
}
