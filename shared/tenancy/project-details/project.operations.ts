import type { ProjectRecord } from '../projects/project.entity.js';
import { boolean, optional } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { withAttributesParam } from '../containers/custom-attribute.filters.js';
import { ahead, foundWith } from '../../core/operations/found-with.js';
import { detailsOfReference, projectDetails } from './project-details.js';
import { project } from '../projects/project.finder.js';

/**
 * Prefetches the data of the full record. One project shows the caller's highest role, a list the one in its own group.
 */
const detailsAhead = ahead(
  projectDetails,
  (ctx, { id }: { id: string }) => (ctx.caller.anonymous ? null : detailsOfReference(ctx, id)),
  (_ctx, rows, found: ProjectRecord) => rows.find((details) => details.id === found.id),
);

/** Read one project. Visible to all callers who may see it; public projects need no sign-in. */
export const getProject = operation({
  name: 'getProject',
  summary: 'Read a project',
  resource: foundWith(project, detailsAhead),
  authentication: 'open',
  limit: 'project_read',
  kind: 'read',
  statements: 8,
  params: {
    license: optional(boolean()).describe('If `true`, includes the license of the project.'),
    statistics: optional(boolean()).describe('If `true`, includes the statistics of the project. Reporters and above.'),
    ...withAttributesParam,
  },
  run: (_ctx, found) => Promise.resolve(found),
});
