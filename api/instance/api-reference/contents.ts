import { introspectionFromSchema } from 'graphql';
import type { GraphQLSchema, IntrospectionQuery } from 'graphql';
import type { RestRoute } from '../../core/routes.js';
import { graphqlDeprecations, restDeprecations } from './deprecations.js';
import type { Deprecation } from './deprecations.js';
import { limitGroups } from './limits.js';
import type { LimitGroup } from './limits.js';
import { plannedOperations } from './plans.js';
import type { PlannedOperation } from './plans.js';
import { SCHEDULE } from './removal-schedule.js';

/** What the pages of deprecations, limits, versions and plans show. */
interface Facts {
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

export const factContents = (routes: readonly RestRoute[], schema: GraphQLSchema): Facts => ({
  schedule: SCHEDULE,
  deprecations: [...restDeprecations(routes), ...graphqlDeprecations(schema)],
  limits: limitGroups(),
  plans: plannedOperations(routes),
});
