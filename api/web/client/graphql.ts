import { ask } from '../session/session.js';
import { ApiProblem } from './problem.js';

interface Answer<T> {
  data?: T | null;
  errors?: readonly { message: string }[];
}

const BAD_REQUEST = 400;

/**
 * Asks the API by GraphQL, for what REST does not tell: rights of the caller, and texts as HTML.
 * @throws ApiProblem also where the answer holds an error
 */
export async function graphql<T>(query: string, variables: Record<string, unknown>): Promise<T> {
  const { data, errors = [] } = await ask<Answer<T>>('POST', '/api/graphql', { query, variables });
  const [first] = errors;
  if (first || !data) throw new ApiProblem(first?.message ?? 'There was no answer.', BAD_REQUEST, null);
  return data;
}
