import { ApolloServer } from '@apollo/server';
import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLError, GraphQLSchema } from 'graphql';
import type { Entry } from './prepare.js';
import type { GraphqlRequest } from '../request.js';

/** Keeps errors as they were raised: what callers see of them is ours to say, and not the library's form of them. */
const keepErrors: ApolloServerPlugin<GraphqlRequest> = {
  requestDidStart: () =>
    Promise.resolve({
      didEncounterErrors({ contextValue, errors }) {
        contextValue.raised.push(...errors);
        return Promise.resolve();
      },
    }),
};

const servers = new WeakMap<GraphQLSchema, Promise<ApolloServer<GraphqlRequest>>>();

/**
 * The server that runs queries on a schema. It never sees HTTP: its statuses, its CSRF rule and its batches are not
 * the contract's (graphql.md section 1.2). Queries are validated before they reach it, within limits of our own.
 */
async function startServer(schema: GraphQLSchema): Promise<ApolloServer<GraphqlRequest>> {
  const server = new ApolloServer<GraphqlRequest>({
    schema,
    introspection: true,
    dangerouslyDisableValidation: true,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    plugins: [keepErrors],
    // Its own messages are dropped: relevant errors are logged when they are presented.
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  await server.start();
  return server;
}

export interface Executed {
  data?: unknown;
  errors: readonly GraphQLError[];
}

/** Runs one checked query on a schema. */
export async function executeQuery(schema: GraphQLSchema, query: Entry, request: GraphqlRequest): Promise<Executed> {
  let server = servers.get(schema);
  if (!server) servers.set(schema, (server = startServer(schema)));
  const { body } = await (
    await server
  ).executeOperation(
    { query: query.query, operationName: query.operationName ?? undefined, variables: query.variables },
    { contextValue: request },
  );
  if (body.kind !== 'single') throw new Error('Incremental delivery is not offered.');
  const { data } = body.singleResult;
  return { ...(data === undefined ? {} : { data }), errors: request.raised };
}
