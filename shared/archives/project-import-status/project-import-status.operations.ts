import { can, operation } from '../../core/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';

/** Read how far a project is that is brought in from elsewhere or forked: whoever reads the project. */
export const getProjectImport = operation({
  name: 'getProjectImport',
  summary: 'Read how far the import of a project is',
  subject: project,
  can: can(projectPolicy, 'read_project'),
  gate: 'signed_in_subject',
  kind: 'read',
  run: (_ctx, found) => Promise.resolve(found),
});
