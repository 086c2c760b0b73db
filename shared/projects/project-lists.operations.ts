import { instance, operation } from '../core/operation.js';
import { filteredProjects, projectFilterParams } from './project.filters.js';

/** List the projects that the caller may see, newest first. */
export const listProjects = operation({
  summary: 'List projects',
  subject: instance,
  gate: 'open',
  limit: 'projects_list',
  kind: 'read',
  statements: 4,
  params: projectFilterParams,
  run: (ctx, _instance, input) =>
    Promise.resolve(
      filteredProjects(ctx, input, {
        similarAmongOwn: true,
        // The default order is the same as by id, but keyset paging wants it asked for (projects.md section 2.4).
        keyset: { type: 'Project', by: 'id', offered: input.order_by === 'id' },
      }),
    ),
});
