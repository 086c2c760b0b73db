import type { ResolverClass } from '../core/graphql/engine.js';

/** What GraphQL serves of this domain. */
export const planningResolvers: readonly ResolverClass[] = [];
