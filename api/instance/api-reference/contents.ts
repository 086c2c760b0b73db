import { introspectionFromSchema } from 'graphql';
import type { GraphQLSchema, IntrospectionQuery } from 'graphql';
import type { RestRoute } from '../../core/routes.js';
import type { Offering, Plan } from '../../../shared/core/operations/operation.js';
import { getOperationTag, getPathTemplate } from '../../core/openapi/operations.js';
import { graphqlDeprecations, restDeprecations } from './deprecations.js';
import type { Deprecation } from './deprecations.js';
import { limitGroups } from './limits.js';
import type { LimitGroup } from './limits.js';
import { SCHEDULE } from './removal-schedule.js';

/** An operation that not every instance has. */
export interface PlannedOperation {
  area: string;
  method: string;
  path: string;
  summary: string;
  plan: Plan;
  /** Empty for all. */
  offerings: readonly Offering[];
}

/** Operations that need more than the Free plan, or are not offered everywhere, by their declarations. */
export function plannedOperations(routes: readonly RestRoute[]): PlannedOperation[] {
  return routes
    .filter(({ options }) => !options.alias)
    .flatMap((route): PlannedOperation[] => {
      const { plan = 'free', offerings = [], summary } = route.operation;
      if (plan === 'free' && offerings.length === 0) return [];
      return [
        {
          area: getOperationTag(route),
          method: route.method,
          path: getPathTemplate(route.path),
          summary,
          plan,
          offerings,
        },
      ];
    });
}

/** The contents of the pages about deprecations, limits, versions and plans. */
interface ReferenceContents {
  /** The next releases, the first to come first. */
  schedule: readonly string[];
  deprecations: Deprecation[];
  limits: LimitGroup[];
  plans: PlannedOperation[];
}

/** The whole schema as an introspection answers it, deprecated inputs included. */
export const schemaContents = (schema: GraphQLSchema): { data: IntrospectionQuery } => ({
  data: introspectionFromSchema(schema, { inputValueDeprecation: true }),
});

export const referenceContents = (routes: readonly RestRoute[], schema: GraphQLSchema): ReferenceContents => ({
  schedule: SCHEDULE,
  deprecations: [...restDeprecations(routes), ...graphqlDeprecations(schema)],
  limits: limitGroups(),
  plans: plannedOperations(routes),
});
