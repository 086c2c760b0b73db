import type { ResolverClass } from './graphql/requests/engine.js';
import type { RestRoute } from './routes.js';

/** What the API serves of a domain. Its registry names it, and `api/domains.ts` the domains. */
export interface ApiDomain {
  /** Routes by area; the areas' names are tags in the API's description. */
  readonly areas: Readonly<Record<string, readonly RestRoute[]>>;
  /** What GraphQL serves: loaded when it is first needed. */
  readonly resolvers?: () => Promise<readonly ResolverClass[]>;
}
