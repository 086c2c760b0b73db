import type { Subject } from '../../core/operation.js';
import type { WithAccess } from '../../core/policy.js';
import { raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { writable } from '../../tenancy/projects/project.policy.js';

/** What a token belongs to that is no person's: a project or a group. Both have the same operations. */
export interface TokenPlace extends WithAccess {
  kind: 'project' | 'group';
  id: number;
  /** Whether anything new may be made in it. */
  open: boolean;
}

/** Tokens of a place, as a condition on `t`. */
export const tokensOf = ({ kind, id }: TokenPlace): Sql =>
  kind === 'project' ? sql`t.project_id = ${id}` : sql`t.namespace_id = ${id}`;

/** Table and column of a place's direct members, of whom its bots are some. */
export const membersOf = ({ kind }: TokenPlace): { table: Sql; column: Sql } =>
  kind === 'project'
    ? { table: raw('project_members'), column: raw('project_id') }
    : { table: raw('group_members'), column: raw('namespace_id') };

/** The subject of `/projects/:id/access_tokens…`. */
export const projectTokens: Subject<TokenPlace> = {
  ...project,
  async find(ctx, input) {
    const found = await project.find(ctx, input);
    return { kind: 'project', id: found.id, access: found.access, open: writable(found) };
  },
};

/** The subject of `/groups/:id/access_tokens…`. */
export const groupTokens: Subject<TokenPlace> = {
  ...group,
  async find(ctx, input) {
    const found = await group.find(ctx, input);
    return { kind: 'group', id: found.id, access: found.access, open: !found.frozen };
  },
};
