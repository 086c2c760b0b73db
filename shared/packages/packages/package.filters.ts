import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { boolean, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { byId } from '../../core/database/list.js';
import type { OrderStep } from '../../core/database/list.js';
import { likeLiteral } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { PackagesDatabase } from '../packages.entities.js';
import type { ListedPackage } from './package.entity.js';

/** Types that the public product has. Those that are not served here match nothing. */
const TYPES = [
  'maven',
  'npm',
  'conan',
  'nuget',
  'pypi',
  'composer',
  'generic',
  'golang',
  'debian',
  'rubygems',
  'helm',
  'terraform_module',
  'rpm',
  'ml_model',
  'cargo',
] as const;

const STATUSES = ['default', 'hidden', 'processing', 'error', 'pending_destruction', 'deprecated'] as const;

const ORDERS = ['created_at', 'name', 'version', 'type'] as const;
type Order = (typeof ORDERS)[number] | 'project_path';

const common = {
  sort: withDefault(oneOf(['asc', 'desc']), 'asc').describe('Direction of the order.'),
  package_type: optional(oneOf(TYPES)).describe('Filter by type of the package.'),
  package_name: optional(text()).describe('Filter by text in the name of the package.'),
  package_version: optional(text()).describe('Filter by version of the package.'),
  include_versionless: optional(boolean()).describe(
    'If `true`, includes packages without a version; this service has none.',
  ),
  status: optional(oneOf(STATUSES)).describe(
    'Filter by status of the package; by default, packages that are not hidden.',
  ),
};

/** Filters and order of a project's packages. */
export const packageFilters = {
  order_by: withDefault(oneOf(ORDERS), 'created_at').describe('Column to order by.'),
  ...common,
};

/** Filters and order of a group's packages. */
export const groupPackageFilters = {
  exclude_subgroups: withDefault(boolean(), false).describe(
    "If `true`, returns only packages of the group's own projects.",
  ),
  order_by: withDefault(oneOf([...ORDERS, 'project_path']), 'created_at').describe('Column to order by.'),
  ...common,
};

interface Filters {
  package_type?: string | undefined;
  package_name?: string | undefined;
  package_version?: string | undefined;
  status?: string | undefined;
}

/** Builds conditions on packages `k` and routes `r` of their projects. */
export const onPackages = expressionBuilder<Aliased<PackagesDatabase, { k: 'packages'; r: 'routes' }>, 'k' | 'r'>();

/** Conditions on `k`. */
export function packageConditions(input: Filters): Expression<SqlBool>[] {
  const where = [onPackages('k.status', '=', input.status ?? 'default')];
  if (input.package_type !== undefined) where.push(onPackages('k.package_type', '=', input.package_type));
  if (input.package_version !== undefined) where.push(onPackages('k.version', '=', input.package_version));
  if (input.package_name !== undefined)
    where.push(onPackages('k.name', 'ilike', `%${likeLiteral(input.package_name)}%`));
  return where;
}

type Step<T> = Pick<OrderStep<T>, 'expression' | 'type' | 'value'>;

const STEPS: Record<Order, Step<ListedPackage>> = {
  created_at: { expression: onPackages.ref('k.created_at'), type: 'instant', value: (row) => row.created_at },
  name: { expression: onPackages.ref('k.name'), type: 'text', value: (row) => row.name },
  version: { expression: onPackages.ref('k.version'), type: 'text', value: (row) => row.version },
  type: { expression: onPackages.ref('k.package_type'), type: 'text', value: (row) => row.package_type },
  project_path: { expression: onPackages.ref('r.path'), type: 'text', value: (row) => row.project.full_path },
};

/** The requested order, with the id as a tiebreaker. */
export function packageOrder<T extends ListedPackage>(column: Order, direction: 'asc' | 'desc'): OrderStep<T>[] {
  return [{ key: column, direction, ...(STEPS[column] as Step<T>) }, byId<T>('k', direction)];
}
