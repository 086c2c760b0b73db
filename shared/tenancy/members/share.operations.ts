import type { z } from 'zod';
import { containerTable } from '../../core/operations/container.js';
import type { ContainerRef, ContainerType } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { Conflict, NotFound } from '../../core/values/errors.js';
import { day, integer, optional, oneOfIntegers } from '../../core/operations/fields.js';
import { authorize, can, operation } from '../../core/operations/operation.js';
import { roleIn } from '../../core/operations/policy.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { forContainers, groupContainer, holdContainer, projectContainer } from '../containers/container.js';
import type { Container } from '../containers/container.js';
import { containerPolicy } from '../containers/container.policy.js';
import { findGroup } from '../groups/group.finder.js';
import { today } from '../namespaces/access.js';
import { requireLevel } from './member.rules.js';
import { SHARES } from './share.entity.js';
import type { ProjectShare } from './share.entity.js';
import { findShare } from './share.finder.js';
import { requireFutureEnd, requireSharable } from './share.rules.js';

const shareParams = {
  group_id: integer().describe('ID of the group to invite.'),
  group_access: oneOfIntegers([10, 15, 20, 30, 40, 50]).describe(
    'Maximum access level of the members of the invited group.',
  ),
  expires_at: optional(day()).describe('Date on which the share expires, in UTC.'),
};
const invitedParam = { group_id: integer().describe('ID of the invited group.') };

type Input = z.output<z.ZodObject<typeof shareParams>>;

/** Stores a share, replacing an expired one. @returns whether there was no active one */
async function insertShare(ctx: Context, { kind, id }: ContainerRef, input: Input): Promise<boolean> {
  const { table, column } = containerTable(kind, 'shares');
  const values = {
    group_access: input.group_access,
    expires_on: input.expires_at ?? null,
    created_at: ctx.clock.now(),
  };
  const stored = await ctx.em
    .getKysely<TenancyDatabase>()
    .insertInto(table)
    .values({ [column]: id, group_id: input.group_id, ...values } as typeof values & {
      namespace_id: number;
      group_id: number;
    })
    .onConflict((conflict) =>
      conflict
        .columns([column, 'group_id'])
        .doUpdateSet(values)
        .where((eb) => eb(eb.ref(`${table}.expires_on`), '<=', eb.cast<string>(eb.val(today(ctx)), 'date'))),
    )
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Who invites groups, and ends that: Maintainers of a project, Owners of a group. */
const abilities = { project: 'admin_project', group: 'admin_group_member' } as const;

const ALREADY_SHARED = {
  project: 'Group already shared with this group',
  group: 'Shared group The group has already been shared with this group',
} as const;

/**
 * Shares a project or group with a group.
 * @returns the current state of the shared project or group
 * @throws Invalid, NotFound, Forbidden, Conflict (core-resources.md section 5)
 */
async function shareWith(ctx: Context, before: Container, input: Input): Promise<Container> {
  requireFutureEnd(ctx, input.expires_at);
  // The removal of either may have begun until both were held.
  const found = await holdContainer(ctx, before, [input.group_id]);
  authorize(ctx, containerPolicy, abilities[found.kind], found);
  const other = await findGroup(ctx, input.group_id);
  // A Maintainer makes no Owners.
  requireLevel(ctx, found, input.group_access);
  // Sharing a project requires membership in the invited group.
  if (found.kind === 'project' && !roleIn(ctx.caller, other, 'guest')) throw NotFound.unspecified();
  await requireSharable(ctx, found, other);
  if (!(await insertShare(ctx, found, input))) throw new Conflict(ALREADY_SHARED[found.kind]);
  ctx.record({ type: 'share.created', container: found.summary, group: other });
  return found;
}

/**
 * Deletes a share, and the group's entries in rules over refs where it no longer has access.
 * @throws NotFound, Forbidden
 */
async function endShare(ctx: Context, container: Container, groupId: number): Promise<void> {
  const { kind, id } = container;
  const found = await findShare(ctx, container, groupId);
  if (!found) throw new NotFound('Group Link');
  // Callers cannot revoke a level above their own.
  requireLevel(ctx, container, found.group_access);
  requireUnmodified(ctx, found);
  const count = await ctx.em.nativeDelete(SHARES[kind], { id: found.id });
  // A concurrent request deleted the share first; only one of them succeeds.
  if (count === 0) throw new NotFound('Group Link');
  ctx.record({ type: 'access.reduced', of: { group_id: groupId }, to: { kind, id } });
  const group = { id: found.group_id, full_path: found.group_full_path };
  ctx.record({ type: 'share.removed', container: container.summary, group });
}

/** @param answer builds the response of the kind, read after the share is stored */
const sharing = <R>(
  { kind, noun, resource }: ContainerType<Container>,
  answer: (ctx: Context, shared: Container, input: Input) => Promise<R>,
) =>
  operation({
    name: `share${noun}`,
    summary: `Share a ${kind} with a group`,
    resource,
    can: can(containerPolicy, abilities[kind]),
    kind: 'write',
    params: shareParams,
    run: async (ctx, before, input) => answer(ctx, await shareWith(ctx, before, input), input),
  });

/**
 * Share a project or group with a group. A project is shared with all members of the group, by Maintainers who belong
 * to it; a group with its direct members, including everything below, by Owners. The response is the share for a
 * project, the group itself for a group.
 */
export const share = {
  project: sharing(projectContainer, async (ctx, shared, { group_id }) => {
    return (await findShare(ctx, shared, group_id)) as ProjectShare;
  }),
  group: sharing(groupContainer, (ctx, { id }) => findGroup(ctx, id)),
};

/** Delete the share of a project or group. Requires the permission to share it. */
export const unshare = forContainers(({ kind, noun, resource }) =>
  operation({
    name: `unshare${noun}`,
    summary: `End the share of a ${kind}`,
    resource,
    can: can(containerPolicy, abilities[kind]),
    kind: 'write',
    params: invitedParam,
    run: (ctx, container, input) => endShare(ctx, container, input.group_id),
  }),
);
