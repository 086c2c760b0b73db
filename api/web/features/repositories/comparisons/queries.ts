import type { Comparison } from '../../../app/routing/paths.js';
import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import { ApiProblem } from '../../../data/problem.js';

const NOT_FOUND = 404;

/** The API does not report which of the two refs is missing. */
function explainError(error: unknown): never {
  const absent = error instanceof ApiProblem && error.status === NOT_FOUND && error.message.includes('Ref');
  if (!absent) throw error;
  const message = "One of the two isn't a branch, tag or commit of this project.";
  throw new ApiProblem(message, NOT_FOUND, error.requestId);
}

/** What one ref has beyond another one. */
export const comparisonQuery = (path: string, { from, to, straight }: Comparison) =>
  queryOptions({
    queryKey: ['comparison', path, from, to, straight],
    queryFn: () =>
      unwrap(
        api.GET('/projects/{id}/repository/compare', {
          params: { path: { id: path }, query: { from, to, straight } },
        }),
      ).catch(explainError),
  });
