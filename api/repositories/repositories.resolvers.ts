import type { ResolverClass } from '../core/graphql/requests/engine.js';
import { BranchRulesOfProjectResolver } from './protected-refs/branch-rules.graphql.js';

/** What GraphQL serves of this domain. */
export const repositoriesResolvers: readonly ResolverClass[] = [BranchRulesOfProjectResolver];
