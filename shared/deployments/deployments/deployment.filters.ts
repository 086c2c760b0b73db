import type { Expression, SqlBool } from 'kysely';
import { Invalid } from '../../core/values/errors.js';
import { instant, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { byId } from '../../core/database/list.js';
import type { OrderStep } from '../../core/database/list.js';
import type { DeploymentRecord } from './deployment.entity.js';
import { onDeployments } from './deployment.finder.js';
import { DEPLOYMENT_STATUSES } from './deployment-statuses.js';

const ORDERS = ['id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref'] as const;
const DIRECTIONS = ['asc', 'desc'] as const;

/** Filters and order of lists of deployments (delivery-resources.md section 2). */
export const deploymentFilterParams = {
  order_by: withDefault(oneOf(ORDERS), 'id').describe('Column to order by.'),
  sort: withDefault(oneOf(DIRECTIONS), 'asc').describe('Direction of the order.'),
  updated_after: optional(instant()).describe(
    'Return deployments updated at or after this time; orders by update time.',
  ),
  updated_before: optional(instant()).describe(
    'Return deployments updated at or before this time; orders by update time.',
  ),
  finished_after: optional(instant()).describe(
    'Return successful deployments that finished at or after this time, ordered by finish time.',
  ),
  finished_before: optional(instant()).describe(
    'Return successful deployments that finished at or before this time, ordered by finish time.',
  ),
  environment: optional(text()).describe('Filter by name of the environment.'),
  status: optional(oneOf(DEPLOYMENT_STATUSES)).describe('Filter by status of the deployment.'),
};

interface Filters {
  order_by: (typeof ORDERS)[number];
  sort: 'asc' | 'desc';
  updated_after?: Date | undefined;
  updated_before?: Date | undefined;
  finished_after?: Date | undefined;
  finished_before?: Date | undefined;
  environment?: string | undefined;
  status?: string | undefined;
}

const createFilterError = (why: string) => new Invalid(`400 Bad request - ${why}`);

/**
 * Rejects unsupported combinations of filters with the public API's messages: each supported one is a single index
 * scan.
 * @throws Invalid
 */
export function requireTogether(input: Filters): void {
  const byUpdate = Boolean(input.updated_after ?? input.updated_before);
  const byEnd = Boolean(input.finished_after ?? input.finished_before);
  if (byUpdate && byEnd)
    throw createFilterError('Both `updated_at` filter and `finished_at` filter can not be specified');
  if (byEnd !== (input.order_by === 'finished_at'))
    throw createFilterError('`finished_at` filter and `finished_at` sorting must be paired');
  if (byEnd && input.status !== 'success')
    throw createFilterError('`finished_at` filter must be combined with `success` status filter.');
}

/** Deployments of a project as the filters say, as conditions on `d`. */
export function deploymentConditions(
  projectId: number,
  input: Omit<Filters, 'order_by' | 'sort'>,
): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (input.updated_after) where.push(onDeployments('d.updated_at', '>=', input.updated_after));
  if (input.updated_before) where.push(onDeployments('d.updated_at', '<=', input.updated_before));
  if (input.finished_after) where.push(onDeployments('d.finished_at', '>=', input.finished_after));
  if (input.finished_before) where.push(onDeployments('d.finished_at', '<=', input.finished_before));
  if (input.environment !== undefined) {
    const environmentId = onDeployments
      .selectFrom('environments as named')
      .select('named.id')
      .where('named.project_id', '=', projectId)
      .where('named.name', '=', input.environment);
    where.push(onDeployments('d.environment_id', '=', environmentId));
  }
  if (input.status !== undefined) where.push(onDeployments('d.status', '=', input.status));
  return where;
}

const TYPES = {
  iid: 'integer',
  created_at: 'instant',
  updated_at: 'instant',
  finished_at: 'instant',
  ref: 'text',
} as const;

/** The requested order; by update time if filtered by update time. */
export function deploymentOrder(input: Filters): OrderStep<DeploymentRecord>[] {
  const column = (input.updated_after ?? input.updated_before) ? 'updated_at' : input.order_by;
  const last = byId<DeploymentRecord>('d', input.sort);
  if (column === 'id') return [last];
  const expression = onDeployments.ref(`d.${column}`);
  return [{ key: column, expression, direction: input.sort, type: TYPES[column], value: (row) => row[column] }, last];
}
