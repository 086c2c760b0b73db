import { flag, maybe, oneOf, withDefault } from '../core/fields.js';
import { instance, operation } from '../core/operation.js';
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
  },
  run(ctx, _instance, input) {
    const list = visibleProjects(ctx);
    // Order by creation is executed as order by id (projects.md section 2.3).
    const order = list.order.map((step) => ({ ...step, direction: input.sort }));
    return Promise.resolve({ ...list, order, simple: input.simple === true || ctx.caller.anonymous });
  },
});
