import { flag, integer, maybe, oneOf, withDefault } from '../core/fields.js';
import type { Keyset } from '../core/list.js';
import { instance, operation } from '../core/operation.js';
import { sql } from '../core/sql.js';
import { project, visibleProjects } from './project.finder.js';

/** Read one project: anybody who may see it, also without signing in when it is public. */
export const getProject = operation({
  summary: 'Read a project',
  subject: project,
  gate: 'open',
  limit: 'project_read',
  kind: 'read',
  statements: 2,
  run: (_ctx, found) => Promise.resolve(found),
});

/** List the projects that the caller may see, newest first. */
export const listProjects = operation({
  summary: 'List projects',
  subject: instance,
  gate: 'open',
  limit: 'projects_list',
  kind: 'read',
  statements: 3,
  params: {
    order_by: withDefault(oneOf(['id', 'created_at']), 'created_at').describe('Column to order by.'),
    sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order.'),
    simple: maybe(flag()).describe('Answer the basic record.'),
    id_after: maybe(integer()).describe('Only projects with a larger id.'),
    id_before: maybe(integer()).describe('Only projects with a smaller id.'),
  },
  run(ctx, _instance, input) {
    const where = [];
    if (input.id_after !== undefined) where.push(sql`p.id > ${input.id_after}`);
    if (input.id_before !== undefined) where.push(sql`p.id < ${input.id_before}`);
    const list = visibleProjects(ctx, where);
    // The default order is the same as by id, but keyset paging wants it asked for (projects.md section 2.4).
    const keyset: Keyset = { type: 'Project', by: 'id', offered: input.order_by === 'id' };
    // Order by creation is executed as order by id (projects.md section 2.3).
    const order = list.order.map((step) => ({ ...step, direction: input.sort }));
    return Promise.resolve({ ...list, order, keyset, simple: input.simple === true || ctx.caller.anonymous });
  },
});
