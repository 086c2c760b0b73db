import type { ResolverClass } from '../core/graphql/requests/engine.js';
import { DeploymentOfProjectResolver } from './deployments/deployments.graphql.js';
import { DoraOfGroupResolver, DoraOfProjectResolver, DoraResolver } from './dora/dora.graphql.js';
import { EnvironmentsOfProjectResolver } from './environments/environments.graphql.js';
import { ProtectedEnvironmentsOfEnvironmentResolver } from './protected-environments/protected-environments.graphql.js';

/** What GraphQL serves of this domain. */
export const deploymentsResolvers: readonly ResolverClass[] = [
  DeploymentOfProjectResolver,
  DoraOfGroupResolver,
  DoraOfProjectResolver,
  DoraResolver,
  EnvironmentsOfProjectResolver,
  ProtectedEnvironmentsOfEnvironmentResolver,
];
