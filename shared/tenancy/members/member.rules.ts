import type { MemberRecord } from './member.entity.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { anyOf } from '../../core/database/expressions.js';
import { GroupSettings } from '../groups/group.entity.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import type { Container } from '../containers/container.js';
import { answersFor, today, unexpired } from '../namespaces/access.js';
import { ownLevel } from './member.policy.js';

const PROJECT_LEVELS = [10, 15, 20, 30, 40, 50];
/** Levels as people know them. */
export const LEVEL_NAMES: Record<number, string> = {
  5: 'Minimal Access',
  10: 'Guest',
  15: 'Planner',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};

/** Levels that a member may have: a group also has minimal access. */
const getLevels = (source: Container) => (source.kind === 'group' ? [5, ...PROJECT_LEVELS] : PROJECT_LEVELS);

/** @throws Invalid for a level or a role that does not exist, or an expiry that has come already */
export function requireMemberValues(
  ctx: Context,
  source: Container,
  attributes: {
    access_level: number;
    expires_at?: string | null | undefined;
    member_role_id?: number | null | undefined;
  },
): void {
  const problems: Record<string, string[]> = {};
  if (!getLevels(source).includes(attributes.access_level)) problems.access_level = ['is not included in the list'];
  if (attributes.expires_at && attributes.expires_at <= today(ctx))
    problems.expires_at = ['cannot be a date in the past'];
  if (attributes.member_role_id) problems.member_role = ['not found'];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Callers may neither grant a level above their own nor change a member who has one. @throws Forbidden */
export function requireLevel(ctx: Context, source: Container, ...levels: number[]): void {
  if (levels.some((level) => level > ownLevel(ctx.caller, source))) throw new Forbidden();
}

/** Inherited levels of users in a source, by user; users without an inherited level are absent. */
export async function inheritedLevels(
  ctx: Context,
  source: Container,
  userIds: readonly number[],
): Promise<Map<number, { level: number; group: string }>> {
  const above = source.kind === 'group' ? source.namespaceIds.filter((id) => id !== source.id) : source.namespaceIds;
  if (above.length === 0) return new Map();
  const rows = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('group_members as m')
    .innerJoin('namespaces as n', 'n.id', 'm.namespace_id')
    .distinctOn('m.user_id')
    .select(['m.user_id', 'm.access_level as level', 'n.name as group'])
    .where('m.namespace_id', '=', anyOf(above, 'bigint'))
    .where('m.user_id', '=', anyOf(userIds, 'bigint'))
    .where(unexpired('m', today(ctx)))
    .orderBy('m.user_id')
    .orderBy('m.access_level', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** Problem with a direct level next to an inherited one: a lower direct role would have no effect. */
export function inheritanceProblem(
  inherited: { level: number; group: string } | undefined,
  level: number,
): string | null {
  if (!inherited || level >= inherited.level) return null;
  const name = LEVEL_NAMES[inherited.level] ?? String(inherited.level);
  return `should be greater than or equal to ${name} inherited membership from group ${inherited.group}`;
}

/** @throws Forbidden if the project's group does not allow adding members directly to its projects */
export async function requireUnlocked(ctx: Context, source: Container): Promise<void> {
  if (source.kind === 'group') return;
  const locked = await ctx.em.count(GroupSettings, { namespace_id: source.record.namespace_id, membership_lock: true });
  if (locked > 0) throw new Forbidden();
}

/**
 * Protects Owners who cannot be replaced: the user of a personal namespace, and the last active Owner of a group,
 * counting inherited Owners but not bots.
 * @throws Forbidden
 */
export async function requireReplaceable(ctx: Context, source: Container, member: MemberRecord): Promise<void> {
  if (source.kind === 'project') {
    if (source.record.namespace.owner_id === member.id) throw new Forbidden();
    return;
  }
  if (member.access_level < 50) return;
  const other = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('group_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.id')
    .where('m.namespace_id', '=', anyOf(source.namespaceIds, 'bigint'))
    .where('m.id', '<>', member.member_id)
    .where(answersFor(today(ctx)))
    .limit(1)
    .executeTakeFirst();
  if (!other) throw new Forbidden();
}
