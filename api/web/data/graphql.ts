import type { GraphqlDocuments } from '#graphql';
import { askWithRequestId } from './session.js';
import { ApiProblem } from './problem.js';

interface Answer<T> {
  data?: T | null;
  errors?: readonly { message: string }[];
}

const BAD_REQUEST = 400;
const FORBIDDEN = 403;
const NOT_FOUND = 404;

/** Request ids of the responses. */
const requests = new WeakMap<object, string | null>();

/** A query or mutation, with the types that graphql-codegen derives from its text. */
export type GraphqlDocument<Data extends object, Variables extends object> = string & {
  readonly __types?: (variables: Variables) => Data;
};

/** The answer to a document. */
export type DataOf<Document> = Document extends GraphqlDocument<infer Data, infer _Variables> ? Data : never;

type Documents = GraphqlDocuments;

/** A template literal without the indentation that it has in its source. */
const dedent = (text: string): string => text.replaceAll(/^\n( *)/.exec(text)?.[0] ?? '\n', '\n').trim();

/** A document of the pages. @param fragments that it uses */
export const gql = <const Text extends keyof Documents>(text: Text, ...fragments: readonly string[]) =>
  [text, ...fragments].map(dedent).join('\n') as GraphqlDocument<Documents[Text]['data'], Documents[Text]['variables']>;

/**
 * Queries the API by GraphQL, for data that REST does not return: permissions of the caller, and rendered texts.
 * @throws ApiProblem also if the response contains an error
 */
export async function graphql<Data extends object, Variables extends object>(
  query: GraphqlDocument<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { answer, requestId } = await askWithRequestId<Answer<Data>>('POST', '/api/graphql', { query, variables });
  const { data, errors = [] } = answer;
  const [first] = errors;
  if (first || !data) throw new ApiProblem(first?.message ?? 'No response.', BAD_REQUEST, requestId);
  requests.set(data, requestId);
  return data;
}

/** The problem of an answer in which a record is null: absent or hidden, which its request id leads to. */
export const notThere = (what: string, data: object): ApiProblem =>
  new ApiProblem(`This ${what} doesn't exist, or you don't have access to it.`, NOT_FOUND, requests.get(data) ?? null);

/** The problem of an answer in which a part of a project is null. */
export const switchedOff = (what: string, data: object): ApiProblem =>
  new ApiProblem(
    `${what} are turned off in this project, or only available to its members.`,
    FORBIDDEN,
    requests.get(data) ?? null,
  );
