import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { boolean, object, list, optional, oneOfIntegers } from '../../core/operations/fields.js';

/** Levels that a rule over tags, and one over branches, may admit (protected-tags.md section 2). */
export const TAG_LEVELS = [ACCESS_LEVELS.no_access, ACCESS_LEVELS.developer, ACCESS_LEVELS.maintainer] as const;
export const BRANCH_LEVELS = [...TAG_LEVELS, ACCESS_LEVELS.admin] as const;

interface Admitted {
  access_level: number;
}

/** Default branch protection of new projects, as configured by a group for its direct projects. */
export interface DefaultBranchProtection {
  allowed_to_push: Admitted[];
  allowed_to_merge: Admitted[];
  allow_force_push: boolean;
  /** Developers may push the first commit to an empty project, regardless of `allowed_to_push`. */
  developer_can_initial_push: boolean;
}

const { developer, maintainer } = ACCESS_LEVELS;

function protection(push: number, merge: number, more: Partial<DefaultBranchProtection> = {}): DefaultBranchProtection {
  return {
    allowed_to_push: [{ access_level: push }],
    allowed_to_merge: [{ access_level: merge }],
    allow_force_push: false,
    developer_can_initial_push: false,
    ...more,
  };
}

/** Maintainers only: the default for groups without a setting, and in personal namespaces. */
const FULL = protection(maintainer, maintainer);
/** The index of {@link FULL} in {@link BY_LEVEL}. */
const FULL_LEVEL = 2;

/** Protections equivalent to the levels of the older `default_branch_protection`. */
const BY_LEVEL: readonly DefaultBranchProtection[] = [
  protection(developer, developer, { allow_force_push: true }),
  protection(developer, developer),
  FULL,
  protection(maintainer, developer, { allow_force_push: true }),
  protection(maintainer, maintainer, { developer_can_initial_push: true }),
];

const admitted = () => list(object({ access_level: oneOfIntegers(BRANCH_LEVELS) }));

/** Parameters of groups: the hash, which goes before the older number. */
export const branchProtectionParams = {
  default_branch_protection: optional(oneOfIntegers(BY_LEVEL.map((_, level) => level))).describe(
    'Deprecated: protection of default branches, 0 for none, 1 partial, 2 full, 3 against pushes, 4 full after the first push.',
  ),
  default_branch_protection_defaults: optional(
    object({
      allowed_to_push: admitted().optional(),
      allowed_to_merge: admitted().optional(),
      allow_force_push: optional(boolean()).describe('If `true`, those who can push can also force push.'),
      developer_can_initial_push: optional(boolean()).describe(
        'If `true`, Developers can push the first commit of an empty project.',
      ),
    }),
  ).describe('Protection settings of the default branches of new projects.'),
};

interface ProtectionInput {
  default_branch_protection?: number | undefined;
  default_branch_protection_defaults?:
    | { [K in keyof DefaultBranchProtection]?: DefaultBranchProtection[K] | undefined }
    | undefined;
}

/**
 * The submitted protection applied over the previous one; undefined if none was submitted. Keys missing in a hash keep
 * their value.
 */
export function readBranchProtection(
  input: ProtectionInput,
  before: DefaultBranchProtection | null,
): DefaultBranchProtection | undefined {
  const { default_branch_protection: level, default_branch_protection_defaults: sent } = input;
  const base = level === undefined ? before : BY_LEVEL[level];
  if (!sent) return level === undefined ? undefined : (base ?? FULL);
  const changes = Object.entries(sent).filter(([, value]) => value !== undefined);
  return { ...(base ?? FULL), ...(Object.fromEntries(changes) as Partial<DefaultBranchProtection>) };
}

/** The effective protection of a group, which may not have configured any. */
export const getBranchProtection = (stored: DefaultBranchProtection | null | undefined): DefaultBranchProtection =>
  stored ?? FULL;

const levels = (entries: readonly Admitted[]) => entries.map(({ access_level }) => access_level).join();

/** Whether two say the same. */
function same(one: DefaultBranchProtection, other: DefaultBranchProtection): boolean {
  return (
    levels(one.allowed_to_push) === levels(other.allowed_to_push) &&
    levels(one.allowed_to_merge) === levels(other.allowed_to_merge) &&
    one.allow_force_push === other.allow_force_push &&
    one.developer_can_initial_push === other.developer_can_initial_push
  );
}

/** The equivalent level of the older setting; full protection if no level matches exactly. */
export function protectionLevel(branchProtection: DefaultBranchProtection): number {
  const level = BY_LEVEL.findIndex((candidate) => same(candidate, branchProtection));
  return level === -1 ? FULL_LEVEL : level;
}

/** Whether new default branches get a rule at all: one that lets Developers do everything would say nothing. */
export const protectsAtAll = (branchProtection: DefaultBranchProtection): boolean =>
  protectionLevel(branchProtection) !== 0;

/** The role that makes the first commit of an empty project, before there is a rule: Developers where they may push. */
export function firstPushRole(branchProtection: DefaultBranchProtection): 'developer' | 'maintainer' {
  const developers = branchProtection.allowed_to_push.some(({ access_level }) => access_level === developer);
  return developers || branchProtection.developer_can_initial_push ? 'developer' : 'maintainer';
}
