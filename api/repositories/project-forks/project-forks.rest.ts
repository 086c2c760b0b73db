import { forkProject } from '../../../shared/repositories/project-forks/fork-project.js';
import { linkFork, unlinkFork } from '../../../shared/repositories/project-forks/fork-relation.operations.js';
import { fullProject } from '../../../shared/tenancy/project-details/project.shape.js';
import { del, post, routes } from '../../core/routes.js';

export default routes('/projects/:id/fork', [
  post('/', forkProject, { present: fullProject, status: 201 }),
  del('/', unlinkFork, { status: 204 }),
  post('/:forked_from_id', linkFork, { present: fullProject, status: 201 }),
]);
