import { ACCESS_LEVELS } from '../../core/operations/policy.js';

/** An action that a rule allows on the refs that it protects. */
export type RefAction = 'push' | 'merge' | 'unprotect' | 'create';

/** The subject of an entry: a role (0 is none), a user, a group or a deploy key. */
export interface AccessEntry {
  access_level: number | null;
  user_id: number | null;
  group_id: number | null;
  deploy_key_id: number | null;
}

/** Columns for the subject of an entry. */
export const ENTRY_COLUMNS = ['access_level', 'user_id', 'group_id', 'deploy_key_id'] as const;

/** The same with their types in the database. */
export const ENTRY_TYPES = {
  access_level: 'int',
  user_id: 'bigint',
  group_id: 'bigint',
  deploy_key_id: 'bigint',
} as const;

/** An entry as stored, with the names that describe it. */
export interface AccessEntryRecord extends AccessEntry {
  id: number;
  action: RefAction;
  user_name: string | null;
  group_name: string | null;
  deploy_key_title: string | null;
}

/** What problems call the entries of an action. */
export const ACTION_LABELS: Readonly<Record<RefAction, string>> = {
  push: 'Push access levels',
  merge: 'Merge access levels',
  unprotect: 'Unprotect access levels',
  create: 'Create access levels',
};

export const UNPROTECT_LEVELS = [ACCESS_LEVELS.developer, ACCESS_LEVELS.maintainer, ACCESS_LEVELS.admin] as const;

const DESCRIPTIONS: Record<number, string> = {
  [ACCESS_LEVELS.no_access]: 'No one',
  [ACCESS_LEVELS.developer]: 'Developers + Maintainers',
  [ACCESS_LEVELS.maintainer]: 'Maintainers',
  [ACCESS_LEVELS.admin]: 'Instance admins',
};

/** The people of a role, as entries of protected branches, tags and environments describe them. */
export const describeLevel = (level: number): string => DESCRIPTIONS[level] ?? '';

/** Description of an entry's subject (protected-tags.md section 2). */
export function describeEntry(entry: AccessEntryRecord): string {
  const name = entry.user_name ?? entry.group_name ?? entry.deploy_key_title;
  return name ?? describeLevel(entry.access_level ?? ACCESS_LEVELS.maintainer);
}

export const roleEntry = (access_level: number): AccessEntry => ({
  access_level,
  user_id: null,
  group_id: null,
  deploy_key_id: null,
});
