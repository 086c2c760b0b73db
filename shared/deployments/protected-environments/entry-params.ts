import { BadParams } from '../../core/values/errors.js';
import { boolean, clearable, integer, list, object, oneOfIntegers, optional } from '../../core/operations/fields.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import type { ContainerKind } from '../../core/operations/container.js';
import type { EnvironmentEntry } from './environment-entries.js';

/** Roles that an entry may name: Developers and Maintainers with those above, administrators (protected-environments.md section 2). */
const LEVELS = [ACCESS_LEVELS.developer, ACCESS_LEVELS.maintainer, ACCESS_LEVELS.admin];

/** Entries of one request, and of one protected environment, of each kind. */
export const MAX_ENTRIES = 1000;

/** The one thing that an entry names. */
export const SELECTORS = ['access_level', 'user_id', 'group_id'] as const;

/** An entry as sent: a null selector is cleared from the entry identified by `id`. */
export type EnvironmentEntryInput = { [K in (typeof SELECTORS)[number]]?: number | null | undefined } & {
  [K in Exclude<keyof EnvironmentEntry, (typeof SELECTORS)[number]>]?: number | undefined;
} & { id?: number | undefined; _destroy?: boolean | undefined };

const who = {
  user_id: clearable(integer()).describe(
    'ID of a user. For a project: a Developer or above. For a group: a Maintainer or above.',
  ),
  group_id: clearable(integer()).describe(
    'ID of a group. For a project: a group that was invited to the project. For a group: the group itself, a group below it, or a group that was invited to it.',
  ),
  access_level: clearable(oneOfIntegers(LEVELS)).describe(
    'Access level of the entry: includes everybody with at least this role; 60 is administrators.',
  ),
  group_inheritance_type: optional(oneOfIntegers([0, 1])).describe(
    'Members of the group to include: 0 (default) for direct members, 1 for inherited members too.',
  ),
};

const approvals = {
  required_approvals: optional(integer()).describe(
    'Number of approvals required from the approvers: 1 (default) to 5.',
  ),
};

const changes = {
  id: optional(integer()).describe('ID of the entry to change; without an ID, a new entry is created.'),
  _destroy: optional(boolean()).describe('If `true`, removes the entry.'),
};

const limited = { max: MAX_ENTRIES };

/** The entries of a new protected environment (protected-environments.md section 3). */
export const newEntryParams = {
  deploy_access_levels: list(object(who), limited)
    .describe('Access levels for deployments: each entry specifies one of `user_id`, `group_id` and `access_level`.')
    .meta({ examples: [[{ access_level: 40 }]] }),
  approval_rules: optional(list(object({ ...who, ...approvals }), limited)).describe(
    'Approval rules of deployments: each rule specifies one of `user_id`, `group_id` and `access_level`.',
  ),
};

/** Changes to entries (protected-environments.md section 6). */
export const entryChangeParams = {
  deploy_access_levels: optional(list(object({ ...who, ...changes }), limited)).describe(
    'Access levels for deployments: new entries, entries to change by `id`, entries to remove by `id` and `_destroy`.',
  ),
  approval_rules: optional(list(object({ ...who, ...approvals, ...changes }), limited)).describe(
    'Approval rules of deployments: new rules, rules to change by `id`, rules to remove by `id` and `_destroy`.',
  ),
};

/**
 * A new approval rule needs a selector; one with an `id` may keep its current selector, and a removed one needs none.
 * @throws BadParams
 */
export function requireApprovers(rules: readonly EnvironmentEntryInput[] | undefined): void {
  const problems = (rules ?? []).flatMap((rule, index) => {
    if (rule.id !== undefined || rule._destroy === true || SELECTORS.some((name) => rule[name] !== undefined))
      return [];
    const names = SELECTORS.map((name) => `approval_rules[${index}][${name}]`);
    return [`${names.join(', ')} are missing, at least one parameter must be provided`];
  });
  if (problems.length > 0) throw new BadParams(problems);
}

/** The tiers that environments have. */
const TIERS = ['production', 'staging', 'testing', 'development', 'other'];

const MAX_NAME = 255;
const MAX_COUNT = 5;

/** Validates the name of a protected environment (protected-environments.md section 4). */
export function nameProblems(kind: ContainerKind, name: string): string[] {
  if (name.trim() === '') return ["Name can't be blank"];
  if (kind === 'group')
    return TIERS.includes(name) ? [] : [`Name must be one of environment tiers: ${TIERS.join(', ')}.`];
  return [...name].length > MAX_NAME ? [`Name is too long (maximum is ${MAX_NAME} characters)`] : [];
}

/** Validates the number of approvals. */
export function countProblems(count: number): string[] {
  if (count < 0) return ['Required approval count must be greater than or equal to 0'];
  return count > MAX_COUNT ? [`Required approval count must be less than or equal to ${MAX_COUNT}`] : [];
}
