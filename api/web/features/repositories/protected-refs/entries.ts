import type { ProtectedTag } from '../../../data/api.js';

export type AccessLevel = ProtectedTag['create_access_levels'][number];

/** The API's field for the grantee of an entry. */
type GranteeKey = 'user_id' | 'group_id' | 'deploy_key_id';

/** A user, group or deploy key that a rule grants access to, in addition to a role. */
export interface Grantee {
  by: GranteeKey;
  id: number;
  label: string;
}

/** The grantees of a rule: all users with at least a certain role, and individual ones. */
export interface Admission {
  role: Role;
  grantees: readonly Grantee[];
}

/** A new rule as filled in: its name, who is granted each right, and the other fields. */
export interface RefRuleAttributes<Name extends string> {
  name: string;
  admissions: Readonly<Record<Name, Admission>>;
  values: FormData;
}

/** Roles that a rule may require, as the API's access levels. */
export type Role = '40' | '30' | '0';

export const ROLES: readonly { value: Role; label: string }[] = [
  { value: '40', label: 'Maintainers' },
  { value: '30', label: 'Developers + Maintainers' },
  { value: '0', label: 'No one' },
];

export const MAINTAINERS: Admission = { role: '40', grantees: [] };

/** The individual grantees in the API's format. */
export const granteeEntries = ({ grantees }: Admission): Partial<Record<GranteeKey, number>>[] =>
  grantees.map(({ by, id }) => ({ [by]: id }));

export const getRole = ({ role }: Admission) => Number(role) as 0 | 30 | 40;

/**
 * "Maintainers, Ada Lovelace": level 0 is redundant next to other entries, and a rule whose entries have all been
 * deleted grants access to no one.
 */
export function admitted(levels: readonly AccessLevel[]): string {
  const some = levels.filter(({ access_level: level }) => level !== 0);
  return some.length === 0 ? 'No one' : some.map(({ access_level_description: label }) => label).join(', ');
}
