import type { Offering, Plan } from '../../../shared/core/operations/operation.js';
import { tagOf, templateOf } from '../../core/openapi/operations.js';
import type { RestRoute } from '../../core/routes.js';

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
      return [{ area: tagOf(route), method: route.method, path: templateOf(route.path), summary, plan, offerings }];
    });
}
