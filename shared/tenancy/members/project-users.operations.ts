import type { Expression, SqlBool } from 'kysely';
import { integer, list, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { allOf } from '../../core/database/expressions.js';
import { userMatchesName, onUsers } from '../users/user.finder.js';
import { projectContainer } from '../containers/container.js';
import { findMembers } from './member.finder.js';
import { memberPolicy } from './member.policy.js';

/** List the users who have a role in a project, in any way. */
export const listProjectUsers = operation({
  name: 'listProjectUsers',
  summary: 'List the users of a project',
  resource: projectContainer.resource,
  can: can(memberPolicy, 'read_member'),
  kind: 'read',
  statements: 4,
  params: {
    search: optional(text()).describe('Part of the name or username of the user.'),
    skip_users: optional(list(integer(), { commas: true })).describe('IDs of the users to exclude.'),
  },
  run(ctx, source, { search, skip_users }) {
    const where: Expression<SqlBool>[] = [];
    if (search !== undefined) where.push(userMatchesName(search));
    if (skip_users !== undefined) where.push(onUsers('u.id', '<>', allOf(skip_users, 'bigint')));
    return Promise.resolve(findMembers(ctx, source, { inherited: true }, where));
  },
});
