import type { z } from 'zod';
import { auditedGroup, auditedProject, recordAuditEvent } from '../../instance/audit-events/record-audit-events.js';
import type { AuditedEntity } from '../../instance/audit-events/record-audit-events.js';
import type { Context } from '../../core/context.js';
import { Conflict, Forbidden, NotFound } from '../../core/errors.js';
import { day, integer, maybe, oneOfIntegers } from '../../core/fields.js';
import { authorize, can, operation } from '../../core/operation.js';
import { ACCESS_LEVELS, roleIn } from '../../core/policy.js';
import { requireUnmodified } from '../../core/precondition.js';
import { sql } from '../../core/sql.js';
import { findGroup, group } from '../groups/group.finder.js';
import type { GroupRecord } from '../groups/group.finder.js';
import { groupPolicy } from '../groups/group.policy.js';
import { today } from '../members/access.js';
import { holdNamespaces } from '../namespaces/claim-path.js';
import { lockProject } from '../projects/lock-project.js';
import { project } from '../projects/project.finder.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';
import type { ProjectShare } from './share.entity.js';
import { findShare, SHARE_TABLES } from './share.finder.js';
import type { ShareKind } from './share.finder.js';
import { requireFutureEnd, requireSharable } from './share.rules.js';

const shareParams = {
  group_id: integer().describe('Id of the group to invite.'),
  group_access: oneOfIntegers([10, 15, 20, 30, 40, 50]).describe('The highest level that its members have there.'),
  expires_at: maybe(day()).describe('The day on which the share ends, UTC.'),
};
const invitedParam = { group_id: integer().describe('Id of the invited group.') };

type Input = z.output<z.ZodObject<typeof shareParams>>;

/** Stores a share, in place of one that has ended. @returns whether there was none */
async function insertShare(ctx: Context, kind: ShareKind, sourceId: number, input: Input): Promise<boolean> {
  const { table, column } = SHARE_TABLES[kind];
  const stored = await ctx.query(sql`
    insert into ${table} as s (${column}, group_id, group_access, expires_on, created_at)
    values (${sourceId}, ${input.group_id}, ${input.group_access}, ${input.expires_at ?? null}::date, ${ctx.clock.now()})
    on conflict (${column}, group_id) do update
      set group_access = excluded.group_access, expires_on = excluded.expires_on, created_at = excluded.created_at
      where s.expires_on <= ${today(ctx)}::date returning s.id`);
  return stored.length > 0;
}

interface Invited {
  group_id: number;
  group_full_path: string;
}

function note(ctx: Context, done: 'created' | 'deleted', entity: AuditedEntity, other: Invited): Promise<void> {
  const { group_id: id, group_full_path: details } = other;
  return recordAuditEvent(ctx, {
    event: `${entity.type.toLowerCase()}_group_link_${done}`,
    entity,
    target: { type: 'Group', id, details },
    message: done === 'created' ? `Invited group ${details}` : `Ended the share with group ${details}`,
  });
}

const invitedOf = (other: GroupRecord): Invited => ({ group_id: other.id, group_full_path: other.full_path });

/**
 * Ends a share, and what rules over refs said of the group where it now has no access any more.
 * @param mayGive the highest level that the caller may give or take
 * @throws NotFound, Forbidden
 */
async function endShare(
  ctx: Context,
  kind: ShareKind,
  entity: AuditedEntity,
  groupId: number,
  mayGive: number,
): Promise<void> {
  const share = await findShare(ctx, kind, entity.id, groupId);
  if (!share) throw new NotFound('Group Link');
  if (share.group_access > mayGive) throw new Forbidden();
  requireUnmodified(ctx, share);
  const ended = await ctx.query(sql`delete from ${SHARE_TABLES[kind].table} where id = ${share.id} returning id`);
  // Somebody else ended it at this moment: it ends once.
  if (ended.length === 0) throw new NotFound('Group Link');
  const where = kind === 'project' ? { project_id: entity.id } : { namespace_id: entity.id };
  ctx.record({ type: 'access.reduced', of: { group_id: groupId }, to: where });
  await note(ctx, 'deleted', entity, share);
}

/** Share a group with another one, whose direct members get roles in it and in everything below: Owners. */
export const shareGroup = operation({
  name: 'shareGroup',
  summary: 'Share a group with a group',
  subject: group,
  can: can(groupPolicy, 'admin_group_member'),
  kind: 'write',
  params: shareParams,
  async run(ctx, before, input) {
    requireFutureEnd(ctx, input.expires_at);
    await holdNamespaces(ctx, [before.id, input.group_id]);
    // The removal of either may have begun until both were held.
    const found = await findGroup(ctx, before.id);
    authorize(ctx, groupPolicy, 'admin_group_member', found);
    const other = await findGroup(ctx, input.group_id);
    await requireSharable(ctx, 'group', found.traversal_ids, other);
    if (!(await insertShare(ctx, 'group', found.id, input)))
      throw new Conflict('Shared group The group has already been shared with this group');
    await note(ctx, 'created', auditedGroup(found), invitedOf(other));
    return findGroup(ctx, found.id);
  },
});

/** End the share of a group with another one: Owners. */
export const unshareGroup = operation({
  name: 'unshareGroup',
  summary: 'End the share of a group',
  subject: group,
  can: can(groupPolicy, 'admin_group_member'),
  kind: 'write',
  params: invitedParam,
  run: (ctx, found, input) => endShare(ctx, 'group', auditedGroup(found), input.group_id, ACCESS_LEVELS.owner),
});

/** Nobody gives more than they have, nor takes it away. */
const levelOf = (ctx: Context, found: ProjectRecord) => (ctx.caller.admin ? ACCESS_LEVELS.admin : found.access);

/** Share a project with a group, all of whose members get roles in it: Maintainers who belong to that group. */
export const shareProject = operation({
  name: 'shareProject',
  summary: 'Share a project with a group',
  subject: project,
  can: can(projectPolicy, 'admin_project'),
  kind: 'write',
  params: shareParams,
  async run(ctx, before, input): Promise<ProjectShare> {
    requireFutureEnd(ctx, input.expires_at);
    const found = await lockProject(ctx, before, 'admin_project', [input.group_id]);
    const other = await findGroup(ctx, input.group_id);
    // A Maintainer makes no Owners.
    if (input.group_access > levelOf(ctx, found)) throw new Forbidden();
    if (!roleIn(ctx.caller, other, 'guest')) throw NotFound.unspecified();
    await requireSharable(ctx, 'project', found.namespace.traversal_ids, other);
    if (!(await insertShare(ctx, 'project', found.id, input)))
      throw new Conflict('Group already shared with this group');
    await note(ctx, 'created', auditedProject(found), invitedOf(other));
    return (await findShare(ctx, 'project', found.id, other.id)) as ProjectShare;
  },
});

/** End the share of a project with a group: Maintainers. */
export const unshareProject = operation({
  name: 'unshareProject',
  summary: 'End the share of a project',
  subject: project,
  can: can(projectPolicy, 'admin_project'),
  kind: 'write',
  params: invitedParam,
  run: (ctx, found, input) => endShare(ctx, 'project', auditedProject(found), input.group_id, levelOf(ctx, found)),
});
