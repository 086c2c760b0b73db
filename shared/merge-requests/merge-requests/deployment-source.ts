import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { load } from '../../core/context/loads.js';

/** Filters by deployment. */
export interface DeploymentFilters {
  readonly deployed_after?: Date | undefined;
  readonly deployed_before?: Date | undefined;
  /** Name of an environment. */
  readonly environment?: string | undefined;
}

/** Deployment data of merge requests, provided by a higher domain. */
interface DeploymentSource {
  /** Whether merge request `i` was deployed to an environment according to the filters. */
  readonly deployed: (filters: DeploymentFilters) => Expression<SqlBool>;
  /** When each of some was first deployed to production; those that were not are left out. */
  readonly firstToProduction: (ctx: Context, ids: readonly number[]) => Promise<Map<number, Date>>;
}

let source: DeploymentSource | undefined;

/** Provides merge requests with their deployments. Called when the registry of the higher domain is created. */
export function setDeploymentSource(newSource: DeploymentSource): void {
  source = newSource;
}

/** Conditions on merge requests `i` by their deployments; empty without filters. */
export function deployedConditions(filters: DeploymentFilters): Expression<SqlBool>[] {
  if (
    filters.deployed_after === undefined &&
    filters.deployed_before === undefined &&
    filters.environment === undefined
  )
    return [];
  return [source ? source.deployed(filters) : constant(false)];
}

/** When each was first deployed to production. */
export const firstDeployments = load(
  (request: Readonly<{ id: number }>) => request.id,
  async (ctx, requests): Promise<Map<number, Date>> =>
    source
      ? source.firstToProduction(
          ctx,
          requests.map(({ id }) => id),
        )
      : new Map<number, Date>(),
);
