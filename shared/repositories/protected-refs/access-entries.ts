import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context.js';
import { boolean, object, integer, list, optional, oneOfIntegers } from '../../core/fields.js';
import { ACCESS_LEVELS } from '../../core/policy.js';
import { raw, sql } from '../../core/sql.js';
import { groupHasProject, projectAccess, today } from '../../tenancy/access/access.js';
import { ACTION_WORDS, roleEntry } from './access-levels.js';
import type { AccessEntry, AccessEntryRecord, RefAction } from './access-levels.js';
import { inForce } from './ref-rights.js';

/** The two tables of entries, and the column that names the rule they belong to. */
export const ENTRY_TABLES = {
  branch: { table: raw('protected_branch_access_levels'), parent: raw('protected_branch_id') },
  tag: { table: raw('protected_tag_access_levels'), parent: raw('protected_tag_id') },
} as const;
export type RuleKind = keyof typeof ENTRY_TABLES;

const who = (levels: readonly number[]) => ({
  user_id: optional(integer()).describe('A user of the project.'),
  group_id: optional(integer()).describe('A group that the project is shared with.'),
  deploy_key_id: optional(integer()).describe('A deploy key of the project that may write.'),
  access_level: optional(oneOfIntegers(levels)).describe('Everybody with at least this role; 0 is nobody.'),
});

/** `allowed_to_create` and its like: `{user_id}`, `{group_id}`, `{deploy_key_id}` or `{access_level}`. */
export const entriesParam = (levels: readonly number[]) => optional(list(object(who(levels))));

/** The same for edits: with `id` an entry is changed, with `_destroy` removed. */
export const entryChangesParam = (levels: readonly number[]) =>
  optional(
    list(
      object({
        ...who(levels),
        id: optional(integer()).describe('The entry to change.'),
        _destroy: optional(boolean()).describe('Remove the entry.'),
      }),
    ),
  );

export type GivenEntry = { [K in keyof AccessEntry]?: number | undefined };

/**
 * Those of the given entries that the instance's plan has; the others are ignored (README "Plans and offerings").
 * Below Premium, tags are for roles and deploy keys alone, and branches for the plain `…_access_level`.
 */
export function entriesOfPlan<E extends GivenEntry>(
  ctx: Context,
  kind: RuleKind,
  given: readonly E[] | undefined,
): readonly E[] | undefined {
  if (given === undefined || ctx.hasPlan('premium')) return given;
  if (kind === 'branch') return undefined;
  const kept = given.filter((entry) => entry.user_id === undefined && entry.group_id === undefined);
  return kept.length > 0 ? kept : undefined;
}

/** The one thing that an entry names: the most particular, should it name several. Null when it names none. */
export function entryOf(given: GivenEntry): AccessEntry | null {
  const none: AccessEntry = { access_level: null, user_id: null, group_id: null, deploy_key_id: null };
  for (const key of ['user_id', 'group_id', 'deploy_key_id', 'access_level'] as const) {
    const value = given[key];
    if (value !== undefined) return { ...none, [key]: value };
  }
  return null;
}

const sameEntry = (a: AccessEntry, b: AccessEntry) =>
  a.access_level === b.access_level &&
  a.user_id === b.user_id &&
  a.group_id === b.group_id &&
  a.deploy_key_id === b.deploy_key_id;

/** Each entry once, in the order given. */
export function distinctEntries(entries: readonly AccessEntry[]): AccessEntry[] {
  return entries.filter((entry, index) => entries.findIndex((other) => sameEntry(other, entry)) === index);
}

/** That an entry names nobody at all. */
export const namesNobody = (action: RefAction): string =>
  `${ACTION_WORDS[action]} must name a user, a group, a deploy key or an access level`;

/** What a new rule admits, and what is wrong with that. */
export interface Resolved {
  entries: AccessEntry[];
  problems: string[];
}

/**
 * The entries of a new rule: the explicit role first, then the list; the default (Maintainer) only when neither is
 * given (protected-tags.md section 3).
 */
export function newEntries(
  level: number | undefined,
  given: readonly GivenEntry[] | undefined,
  action: RefAction,
  fallback: number | null = ACCESS_LEVELS.maintainer,
): Resolved {
  const listed = (given ?? []).map(entryOf);
  const entries = [...(level === undefined ? [] : [roleEntry(level)]), ...listed.filter((entry) => entry !== null)];
  if (level === undefined && listed.length === 0 && fallback !== null) entries.push(roleEntry(fallback));
  const problems = listed.includes(null) ? [namesNobody(action)] : [];
  return { entries: distinctEntries(entries), problems };
}

/** Which users, groups and deploy keys of the entries belong to the project, by one statement; a key must be able to push. */
async function belonging(ctx: Context, project: ProjectRecord, entries: readonly AccessEntry[]) {
  const ids = (key: 'user_id' | 'group_id' | 'deploy_key_id') => entries.flatMap((entry) => entry[key] ?? []);
  const rows = await ctx.query<{ kind: 'user' | 'group' | 'key'; id: number }>(sql`
    select 'user' as "kind", u.id as "id" from users u, projects p join namespaces n on n.id = p.namespace_id
     where p.id = ${project.id} and u.id = any(${ids('user_id')}::bigint[])
       and ${projectAccess(raw('u.id'), today(ctx))} > 0
    union all
    select 'group', g.id from namespaces g, projects p join namespaces n on n.id = p.namespace_id
     where p.id = ${project.id} and g.kind = 'group' and g.id = any(${ids('group_id')}::bigint[])
       and ${groupHasProject(raw('g.id'), today(ctx))}
    union all
    select 'key', d.deploy_key_id from deploy_keys_projects d
     where d.project_id = ${project.id} and d.deploy_key_id = any(${ids('deploy_key_id')}::bigint[]) and d.can_push`);
  return new Set(rows.map((row) => `${row.kind} ${row.id}`));
}

/** What is wrong with the people and keys that entries name (protected-tags.md section 3). Keys only push and create tags. */
export async function memberProblems(
  ctx: Context,
  project: ProjectRecord,
  entries: readonly AccessEntry[],
  action: RefAction,
): Promise<string[]> {
  const named = entries.filter((entry) => entry.access_level === null);
  if (named.length === 0) return [];
  const known = await belonging(ctx, project, named);
  const problems = named.flatMap((entry) => {
    if (entry.user_id !== null)
      return known.has(`user ${entry.user_id}`) ? [] : ['user is not a member of the project'];
    if (entry.group_id !== null)
      return known.has(`group ${entry.group_id}`) ? [] : ['group does not have access to the project'];
    if (action !== 'push' && action !== 'create') return [`deploy key cannot ${action}`];
    return known.has(`key ${entry.deploy_key_id}`) ? [] : ['deploy key is not enabled for this project'];
  });
  return [...new Set(problems)].map((problem) => `${ACTION_WORDS[action]} ${problem}`);
}

/** Stores entries of a rule, in their order. */
export async function insertEntries(
  ctx: Context,
  kind: RuleKind,
  rule: { id: number; project_id: number },
  entries: readonly (AccessEntry & { action: RefAction })[],
): Promise<void> {
  if (entries.length === 0) return;
  const { table, parent } = ENTRY_TABLES[kind];
  const column = <V>(read: (entry: AccessEntry & { action: RefAction }) => V) => entries.map(read);
  await ctx.query(sql`
    insert into ${table} (project_id, ${parent}, action, access_level, user_id, group_id, deploy_key_id)
    select ${rule.project_id}, ${rule.id}, e.action, e.access_level, e.user_id, e.group_id, e.deploy_key_id
      from unnest(${column((entry) => entry.action)}::text[], ${column((entry) => entry.access_level)}::int[],
                  ${column((entry) => entry.user_id)}::bigint[], ${column((entry) => entry.group_id)}::bigint[],
                  ${column((entry) => entry.deploy_key_id)}::bigint[])
           with ordinality as e (action, access_level, user_id, group_id, deploy_key_id, position)
     order by e.position`);
}

/** The entries of many rules that count on the instance's plan, with the names of whom they name, by id. */
export async function loadEntries(
  ctx: Context,
  kind: RuleKind,
  ruleIds: readonly number[],
): Promise<Map<number, AccessEntryRecord[]>> {
  const { table, parent } = ENTRY_TABLES[kind];
  const rows = await ctx.query<AccessEntryRecord & { rule_id: number }>(sql`
    select l.id as "id", l.${parent} as "rule_id", l.action as "action", l.access_level as "access_level",
           l.user_id as "user_id", l.group_id as "group_id", l.deploy_key_id as "deploy_key_id",
           u.name as "user_name", g.name as "group_name", k.title as "deploy_key_title"
      from ${table} l left join users u on u.id = l.user_id left join namespaces g on g.id = l.group_id
      left join deploy_keys k on k.id = l.deploy_key_id
     where l.${parent} = any(${ruleIds}::bigint[]) and ${inForce(ctx)} order by l.id`);
  return Map.groupBy(rows, (row) => row.rule_id) as Map<number, AccessEntryRecord[]>;
}
