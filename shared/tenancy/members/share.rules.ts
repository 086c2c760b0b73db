import type { GroupRecord } from '../groups/group.entity.js';
import type { Context } from '../../core/context/context.js';
import { Conflict, Invalid, NotFound } from '../../core/values/errors.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import type { Container } from '../containers/container.js';
import { today } from '../namespaces/access.js';

/** The group settings that restrict sharing: of the enclosing group and of its top-level group. */
const getRules = (ctx: Context, namespaceIds: readonly number[]) =>
  ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom(['group_settings as own', 'group_settings as top'])
    .select(['own.share_with_group_lock as locked', 'top.prevent_sharing_groups_outside_hierarchy as within_hierarchy'])
    .where('own.namespace_id', '=', namespaceIds.at(-1) as number)
    .where('top.namespace_id', '=', namespaceIds[0] as number)
    .executeTakeFirst();

/** @throws Invalid for a day on which the share would have ended already */
export function requireFutureEnd(ctx: Context, expiresAt: string | undefined): void {
  if (expiresAt !== undefined && expiresAt <= today(ctx))
    throw new Invalid({ expires_at: ['cannot be a date in the past'] });
}

/**
 * @param container the project or group to share
 * @throws Conflict if the group already has full access there
 * @throws NotFound if the top-level group restricts sharing to its own hierarchy
 * @throws Invalid if the project's group does not allow sharing its projects
 */
export async function requireSharable(
  ctx: Context,
  { kind, namespaceIds }: Container,
  other: GroupRecord,
): Promise<void> {
  const rules = await getRules(ctx, namespaceIds);
  if (kind === 'project' && rules?.locked) throw new Invalid('The project sharing with group is disabled');
  if (rules?.within_hierarchy && other.traversal_ids[0] !== namespaceIds[0]) throw NotFound.unspecified();
  if (!namespaceIds.includes(other.id)) return;
  throw new Conflict(
    kind === 'project'
      ? 'Project cannot be shared with the group it is in or one of its ancestors.'
      : 'Group cannot be shared with itself or one of its ancestors.',
  );
}
