import type { GraphqlEngine } from './core/graphql/requests/engine.js';

/**
 * The GraphQL engine of this process. It is loaded by the first request, or by a process that is ready and has time
 * for it: its modules and schema take several times as long as all of REST.
 */
export async function loadGraphql(): Promise<GraphqlEngine> {
  const { graphqlEngine } = await import('./graphql-engine.js');
  return graphqlEngine;
}
