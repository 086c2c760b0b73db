import type { Kysely } from 'kysely';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { boolean, object, integer, list, optional, oneOfIntegers } from '../../core/operations/fields.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { anyOf, constant, unnestedRows } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { groupHasProject, projectAccess, today } from '../../tenancy/namespaces/access.js';
import { ACTION_LABELS, ENTRY_TYPES, roleEntry } from './access-levels.js';
import type { AccessEntry, AccessEntryRecord, RefAction } from './access-levels.js';
import { entryTable, inForce } from './ref-rights.js';
import type { RuleKind } from './ref-rights.js';

const who = (levels: readonly number[]) => ({
  user_id: optional(integer()).describe('ID of a user of the project.'),
  group_id: optional(integer()).describe('ID of a group that the project is shared with.'),
  deploy_key_id: optional(integer()).describe('ID of a deploy key of the project that has write access.'),
  access_level: optional(oneOfIntegers(levels)).describe(
    'Minimum access level of the users that the entry is for; 0 for nobody.',
  ),
});

/** `allowed_to_create` and its like: `{user_id}`, `{group_id}`, `{deploy_key_id}` or `{access_level}`. */
export const entriesParam = (levels: readonly number[]) => optional(list(object(who(levels))));

/** The same for edits: with `id` an entry is changed, with `_destroy` removed. */
export const entryChangesParam = (levels: readonly number[]) =>
  optional(
    list(
      object({
        ...who(levels),
        id: optional(integer()).describe('ID of the entry to change.'),
        _destroy: optional(boolean()).describe('If `true`, removes the entry.'),
      }),
    ),
  );

export type AccessEntryInput = { [K in keyof AccessEntry]?: number | undefined };

/**
 * The passed entries that the instance's plan supports; the others are ignored (contract/README.md "Plans and
 * offerings"). Below Premium, tags accept only roles and deploy keys, and branches only the plain `…_access_level`.
 */
export function entriesOfPlan<E extends AccessEntryInput>(
  ctx: Context,
  kind: RuleKind,
  entryInputs: readonly E[] | undefined,
): readonly E[] | undefined {
  if (entryInputs === undefined || ctx.hasPlan('premium')) return entryInputs;
  if (kind === 'branch') return undefined;
  const roleEntries = entryInputs.filter((entry) => entry.user_id === undefined && entry.group_id === undefined);
  return roleEntries.length > 0 ? roleEntries : undefined;
}

/** The one thing that an entry names: the most particular, should it name several. Null when it names none. */
export function getAccessEntry(input: AccessEntryInput): AccessEntry | null {
  const none: AccessEntry = { access_level: null, user_id: null, group_id: null, deploy_key_id: null };
  for (const key of ['user_id', 'group_id', 'deploy_key_id', 'access_level'] as const) {
    const value = input[key];
    if (value !== undefined) return { ...none, [key]: value };
  }
  return null;
}

const sameEntry = (a: AccessEntry, b: AccessEntry) =>
  a.access_level === b.access_level &&
  a.user_id === b.user_id &&
  a.group_id === b.group_id &&
  a.deploy_key_id === b.deploy_key_id;

/** Removes duplicate entries, preserving their order. */
export function distinctEntries(entries: readonly AccessEntry[]): AccessEntry[] {
  return entries.filter((entry, index) => entries.findIndex((other) => sameEntry(other, entry)) === index);
}

/** Error for an entry that refers to no role, user, group or key. */
export const namesNobody = (action: RefAction): string =>
  `${ACTION_LABELS[action]} must name a user, a group, a deploy key or an access level`;

/** Entries of a new rule, and problems with them. */
export interface Resolved {
  entries: AccessEntry[];
  problems: string[];
}

/**
 * The entries of a new rule: the explicit role first, then the list; the default (Maintainer) only if neither is
 * submitted (protected-tags.md section 3).
 */
export function newEntries(
  level: number | undefined,
  entryInputs: readonly AccessEntryInput[] | undefined,
  action: RefAction,
  fallback: number | null = ACCESS_LEVELS.maintainer,
): Resolved {
  const listed = (entryInputs ?? []).map(getAccessEntry);
  const entries = [...(level === undefined ? [] : [roleEntry(level)]), ...listed.filter((entry) => entry !== null)];
  if (level === undefined && listed.length === 0 && fallback !== null) entries.push(roleEntry(fallback));
  const problems = listed.includes(null) ? [namesNobody(action)] : [];
  return { entries: distinctEntries(entries), problems };
}

/**
 * The users, groups and deploy keys of the entries that belong to the project, with one statement; keys must have push
 * access.
 */
async function belonging(ctx: Context, project: ProjectRecord, entries: readonly AccessEntry[]) {
  const ids = (key: 'user_id' | 'group_id' | 'deploy_key_id') => entries.flatMap((entry) => entry[key] ?? []);
  const db = ctx.em.getKysely<RepositoriesDatabase>();
  const kind = (name: 'user' | 'group' | 'key') => constant(name).as('kind');
  const users = db
    .selectFrom('users as u')
    .crossJoin('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select([kind('user'), 'u.id'])
    .where('p.id', '=', project.id)
    .where('u.id', '=', anyOf(ids('user_id'), 'bigint'))
    .where((eb) => eb(projectAccess(eb.ref('u.id'), today(ctx)), '>', eb.lit(0)));
  const groups = db
    .selectFrom('namespaces as g')
    .crossJoin('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select([kind('group'), 'g.id'])
    .where('p.id', '=', project.id)
    .where('g.kind', '=', constant('group'))
    .where('g.id', '=', anyOf(ids('group_id'), 'bigint'))
    .where((eb) => groupHasProject(eb.ref('g.id'), today(ctx)));
  const keys = db
    .selectFrom('deploy_keys_projects as d')
    .select([kind('key'), 'd.deploy_key_id as id'])
    .where('d.project_id', '=', project.id)
    .where('d.deploy_key_id', '=', anyOf(ids('deploy_key_id'), 'bigint'))
    .where('d.can_push', '=', constant(true));
  const rows = await users.unionAll(groups).unionAll(keys).execute();
  return new Set(rows.map((row) => `${row.kind} ${row.id}`));
}

/**
 * Problems with the users, groups and keys of entries (protected-tags.md section 3). Keys can only push and create
 * tags.
 */
export async function memberProblems(
  ctx: Context,
  project: ProjectRecord,
  entries: readonly AccessEntry[],
  action: RefAction,
): Promise<string[]> {
  const granteeEntries = entries.filter((entry) => entry.access_level === null);
  if (granteeEntries.length === 0) return [];
  const members = await belonging(ctx, project, granteeEntries);
  const problems = granteeEntries.flatMap((entry) => {
    if (entry.user_id !== null)
      return members.has(`user ${entry.user_id}`) ? [] : ['user is not a member of the project'];
    if (entry.group_id !== null)
      return members.has(`group ${entry.group_id}`) ? [] : ['group does not have access to the project'];
    if (action !== 'push' && action !== 'create') return [`deploy key cannot ${action}`];
    return members.has(`key ${entry.deploy_key_id}`) ? [] : ['deploy key is not enabled for this project'];
  });
  return [...new Set(problems)].map((problem) => `${ACTION_LABELS[action]} ${problem}`);
}

/** Stores entries of a rule, in their order. */
export async function insertEntries(
  ctx: Context,
  kind: RuleKind,
  rule: { id: number; project_id: number },
  entries: readonly (AccessEntry & { action: RefAction })[],
): Promise<void> {
  if (entries.length === 0) return;
  const { table, parent } = entryTable(kind);
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .insertInto(table)
    .columns(['project_id', parent, 'action', 'access_level', 'user_id', 'group_id', 'deploy_key_id'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(entries, { ...ENTRY_TYPES, action: 'text' }).withPositionAs('e'))
        .select([
          eb.val(rule.project_id).as('project_id'),
          eb.val(rule.id).as(parent),
          'e.action',
          'e.access_level',
          'e.user_id',
          'e.group_id',
          'e.deploy_key_id',
        ])
        .orderBy('e.position'),
    )
    .execute();
}

function prepareEntries(kind: RuleKind, premium: boolean) {
  const { table, parent } = entryTable(kind);
  return prepareQuery((db: Kysely<RepositoriesDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
    db
      .selectFrom(`${table} as l`)
      .leftJoin('users as u', 'u.id', 'l.user_id')
      .leftJoin('namespaces as g', 'g.id', 'l.group_id')
      .leftJoin('deploy_keys as k', 'k.id', 'l.deploy_key_id')
      .select([
        ...(['l.id', 'l.action', 'l.access_level', 'l.user_id', 'l.group_id', 'l.deploy_key_id'] as const),
        `l.${parent} as rule_id`,
        'u.name as user_name',
        'g.name as group_name',
        'k.title as deploy_key_title',
      ])
      .where(`l.${parent}`, '=', anyOf(ids, 'bigint'))
      .where(inForce(premium))
      .orderBy('l.id'),
  );
}

/** Queries by the kind of rules, and by whether the plan supports entries for users and groups. */
const findEntries = {
  branch: { premium: prepareEntries('branch', true), free: prepareEntries('branch', false) },
  tag: { premium: prepareEntries('tag', true), free: prepareEntries('tag', false) },
};

/**
 * Entries of many rules that are effective under the instance's plan, with the names of their users, groups and keys,
 * by id.
 */
export async function loadEntries(
  ctx: Context,
  kind: RuleKind,
  ruleIds: readonly number[],
): Promise<Map<number, AccessEntryRecord[]>> {
  const rows = await findEntries[kind][ctx.hasPlan('premium') ? 'premium' : 'free'](ctx, { ids: ruleIds });
  return Map.groupBy(rows, (row) => row.rule_id) as Map<number, AccessEntryRecord[]>;
}
