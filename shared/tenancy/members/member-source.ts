import { auditedGroup, auditedProject } from '../../instance/audit-events/record-audit-events.js';
import type { AuditedEntity } from '../../instance/audit-events/record-audit-events.js';
import type { Context } from '../../core/context.js';
import type { Subject } from '../../core/operation.js';
import type { WithAccess } from '../../core/policy.js';
import { raw } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import type { GroupRecord } from '../groups/group.finder.js';
import { group } from '../groups/group.finder.js';
import { groupPolicy } from '../groups/group.policy.js';
import { project } from '../projects/project.finder.js';
import type { ProjectRecord } from '../projects/project.finder.js';

/** What people are members of: a project or a group. Both have the same operations. */
export interface MemberSource extends WithAccess {
  kind: 'project' | 'group';
  id: number;
  /** The group, or the project's namespace, and everything above it. */
  namespaceIds: readonly number[];
  /** Whose personal namespace a project lies in. */
  personOf: number | null;
  /** Whether the caller may see who is in it. */
  readable: boolean;
  /** In whose audit events its members' changes stand. */
  audited: AuditedEntity;
}

/** Table and column of direct members. */
export const memberTable = (source: Pick<MemberSource, 'kind'>): { table: Sql; column: Sql } =>
  source.kind === 'project'
    ? { table: raw('project_members'), column: raw('project_id') }
    : { table: raw('group_members'), column: raw('namespace_id') };

function projectSource(found: ProjectRecord): MemberSource {
  return {
    kind: 'project',
    id: found.id,
    access: found.access,
    namespaceIds: found.namespace.traversal_ids,
    personOf: found.namespace.owner_id ?? null,
    readable: true,
    audited: auditedProject(found),
  };
}

/** A group as what people are members of. */
export function groupSource(ctx: Context, found: GroupRecord): MemberSource {
  return {
    kind: 'group',
    id: found.id,
    access: found.access,
    namespaceIds: found.traversal_ids,
    personOf: null,
    readable: groupPolicy.read_group_member(ctx.caller, found),
    audited: auditedGroup(found),
  };
}

/** The subject of `/projects/:id/members…`. */
export const projectMembers: Subject<MemberSource> = {
  ...project,
  find: async (ctx, input) => projectSource(await project.find(ctx, input)),
};

/** The subject of `/groups/:id/members…`. */
export const groupMembers: Subject<MemberSource> = {
  ...group,
  find: async (ctx, input) => groupSource(ctx, await group.find(ctx, input)),
};
