import { operation } from '../core/operation.js';
import { project } from './project.finder.js';

/** Read one project: anybody who may see it, also without signing in when it is public. */
export const getProject = operation({
  summary: 'Read a project',
  subject: project,
  gate: 'open',
  limit: 'project_read',
  kind: 'read',
  statements: 3,
  run: (_ctx, found) => Promise.resolve(found),
});
