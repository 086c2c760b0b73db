import type { ProtectedTag } from '../../../data/api.js';

export type AccessLevel = ProtectedTag['create_access_levels'][number];

/** How the API names whom an entry is for. */
type GranteeKey = 'user_id' | 'group_id' | 'deploy_key_id';

/** Somebody or something that a rule names beside a role. */
export interface Grantee {
  by: GranteeKey;
  id: number;
  label: string;
}

/** Whom a rule lets do something: everybody from a role on, and those named. */
export interface Admission {
  role: Role;
  grantees: readonly Grantee[];
}

/** Roles that a rule may ask for, as the API counts them. */
export type Role = '40' | '30' | '0';

export const ROLES: readonly { value: Role; label: string }[] = [
  { value: '40', label: 'Maintainers' },
  { value: '30', label: 'Developers and Maintainers' },
  { value: '0', label: 'No one by role' },
];

export const MAINTAINERS: Admission = { role: '40', grantees: [] };

/** What the API takes for those who are named. */
export const granteeEntries = ({ grantees }: Admission): Partial<Record<GranteeKey, number>>[] =>
  grantees.map(({ by, id }) => ({ [by]: id }));

export const roleOf = ({ role }: Admission) => Number(role) as 0 | 30 | 40;

/** "Maintainers, Ada Lovelace": level 0 says nothing beside others, and a rule whose entries all went admits nobody. */
export function admitted(levels: readonly AccessLevel[]): string {
  const some = levels.filter(({ access_level: level }) => level !== 0);
  return some.length === 0 ? 'No one' : some.map(({ access_level_description: label }) => label).join(', ');
}
