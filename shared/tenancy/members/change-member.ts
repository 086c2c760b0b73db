import { MEMBERS } from './member.entity.js';
import type { MemberRecord } from './member.entity.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { idsWithin } from '../namespaces/below.js';
import { lockContainer } from '../containers/container.js';
import type { Container } from '../containers/container.js';
import { findMember } from './member.finder.js';
import { memberPolicy } from './member.policy.js';
import {
  inheritanceProblem,
  inheritedLevels,
  requireLevel,
  requireMemberValues,
  requireReplaceable,
} from './member.rules.js';

/** Removes a user's direct roles below a group: in its subgroups, and in every project in or below it. */
async function removeBelow(ctx: Context, groupId: number, userId: number): Promise<void> {
  const db = ctx.em.getKysely<TenancyDatabase>();
  const tree = idsWithin(groupId);
  await db.deleteFrom('group_members').where('user_id', '=', userId).where('namespace_id', 'in', tree).execute();
  await db
    .deleteFrom('project_members')
    .where('user_id', '=', userId)
    .where('project_id', 'in', (eb) =>
      eb.selectFrom('projects as p').select('p.id').where('p.namespace_id', 'in', tree),
    )
    .execute();
}

interface MemberChange {
  user_id: number;
  access_level: number;
  expires_at?: string | null | undefined;
  member_role_id?: number | null | undefined;
}

/** @throws NotFound, Forbidden, Invalid (core-resources.md section 4) */
export async function changeMember(ctx: Context, source: Container, input: MemberChange): Promise<MemberRecord> {
  await lockContainer(ctx, source);
  const member = await findMember(ctx, source, input.user_id);
  const expiresOn = input.expires_at === undefined ? member.expires_on : input.expires_at;
  requireMemberValues(ctx, source, input);
  requireLevel(ctx, source, input.access_level, member.access_level);
  // A role with an expiry date counts as lost: nothing checks again when it expires.
  if (input.access_level < member.access_level || expiresOn !== null) await requireReplaceable(ctx, source, member);
  const inherited = await inheritedLevels(ctx, source, [member.id]);
  const problem = inheritanceProblem(inherited.get(member.id), input.access_level);
  if (problem) throw new Invalid({ access_level: [problem] });
  const role = { access_level: input.access_level, expires_on: expiresOn };
  await ctx.em.nativeUpdate(MEMBERS[source.kind], { id: member.member_id }, role);
  const after = await findMember(ctx, source, member.id);
  ctx.record({ type: 'member.updated', container: source.summary, before: member, after });
  return after;
}

interface Removal {
  /** Leaves direct roles below a group as they are. */
  readonly keepBelow: boolean;
  /** Takes what they are to work on from them too. */
  readonly unassign: boolean;
}

/** Removes a direct role, and the user's entries in rules over refs if no access remains. */
export async function removeMember(
  ctx: Context,
  source: Container,
  userId: number,
  { keepBelow, unassign }: Removal,
): Promise<void> {
  const leaving = userId === ctx.caller.id;
  if (!leaving && !memberPolicy.admin_member(ctx.caller, source)) throw new Forbidden();
  await lockContainer(ctx, source);
  const member = await findMember(ctx, source, userId);
  requireUnmodified(ctx, member);
  if (!leaving) requireLevel(ctx, source, member.access_level);
  await requireReplaceable(ctx, source, member);
  await ctx.em.nativeDelete(MEMBERS[source.kind], { id: member.member_id });
  if (source.kind === 'group' && !keepBelow) await removeBelow(ctx, source.id, member.id);
  const { kind, id } = source;
  ctx.record({ type: 'access.reduced', of: { user_id: member.id }, to: { kind, id } });
  ctx.record({ type: 'member.removed', container: source.summary, member, unassign });
}
