import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { readEnvironmentValues } from '../../deployments/environments/environment.rules.js';
import { environmentSlug } from '../../deployments/environments/environment-slug.js';
import { ENVIRONMENT_TIERS, guessTier } from '../../deployments/environments/environment-tier.js';
import { MAX_ENTRIES } from '../../deployments/protected-environments/entry-params.js';
import { countProblems, nameProblems } from '../../deployments/protected-environments/protection-values.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';
import { rowsIn, textOf } from './row-checks.js';

const SLUG = /^[a-z]([a-z0-9-]{0,22}[a-z0-9])?$/;
const ROLES: readonly number[] = [ACCESS_LEVELS.developer, ACCESS_LEVELS.maintainer, ACCESS_LEVELS.admin];
const MAX_APPROVALS = 5;

const isOneOf = (allowed: readonly string[], value: unknown) => allowed.includes(textOf(value));

/** An environment. What was being stopped has nothing here that goes on with it. */
export function environmentRow(row: CleanRow): CleanRow {
  const name = textOf(row.name);
  const { external_url, description, kubernetes_namespace, flux_resource_path } = row as Record<string, string | null>;
  const values = readEnvironmentValues({ name, external_url, description, kubernetes_namespace, flux_resource_path });
  return {
    ...row,
    ...values,
    slug: SLUG.test(textOf(row.slug)) ? row.slug : environmentSlug(name),
    tier: isOneOf(ENVIRONMENT_TIERS, row.tier) ? row.tier : guessTier(name),
    state: row.state === 'stopping' ? 'stopped' : (row.state ?? 'available'),
    auto_stop_setting: isOneOf(['always', 'with_action'], row.auto_stop_setting) ? row.auto_stop_setting : 'always',
  };
}

const roleOf = (level: unknown): number =>
  ROLES.includes(level as number) ? (level as number) : ACCESS_LEVELS.maintainer;
const inherits = (value: unknown): number => (value === 1 ? 1 : 0);
const isWithin = (count: unknown) => typeof count === 'number' && count >= 1 && count <= MAX_APPROVALS;

function requireFew(row: CleanRow, name: string): void {
  if (rowsIn(row[name]).length > MAX_ENTRIES) throw new BadRow(`has more than ${MAX_ENTRIES} entries`, [name]);
}

/**
 * A protected environment. Users and groups of its entries are nobody here: where nobody else may deploy it is the
 * Maintainers', and so is each approval that was theirs, so that less never suffices.
 */
export function protectedEnvironmentRow(row: CleanRow): CleanRow {
  const count = (row.required_approval_count ?? 0) as number;
  const [problem] = [...nameProblems('project', textOf(row.name)), ...countProblems(count)];
  if (problem !== undefined) throw new BadRow(problem);
  requireFew(row, 'deploy_access_levels');
  requireFew(row, 'approval_rules');
  const known = rowsIn(row.deploy_access_levels).filter((one) => ROLES.includes(one.access_level as number));
  const levels = new Map(known.map((one) => [one.access_level, inherits(one.group_inheritance_type)]));
  if (levels.size === 0) levels.set(ACCESS_LEVELS.maintainer, 0);
  return {
    ...row,
    required_approval_count: count,
    deploy_access_levels: [...levels].map(([access_level, group_inheritance_type]) => ({
      access_level,
      group_inheritance_type,
    })),
    approval_rules: rowsIn(row.approval_rules).map((one) => ({
      access_level: roleOf(one.access_level),
      group_inheritance_type: inherits(one.group_inheritance_type),
      required_approvals: isWithin(one.required_approvals) ? one.required_approvals : 1,
    })),
  };
}
