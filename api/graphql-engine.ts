// oxlint-disable-next-line import/no-unassigned-import -- decorators keep what they know in it: before all others
import 'reflect-metadata';
import { QueryComplexityResolver } from './core/graphql/complexity.graphql.js';
import { buildGraphqlSchema, GraphqlEngine } from './core/graphql/requests/engine.js';
import { apiDomains } from './domains.js';

const resolvers = await Promise.all(apiDomains.map((domain) => domain.resolvers?.() ?? Promise.resolve([])));

/** The engine over all domains. Loaded when first needed: decorators and schema take a while. */
export const graphqlEngine = new GraphqlEngine(buildGraphqlSchema([QueryComplexityResolver, ...resolvers.flat()]));
