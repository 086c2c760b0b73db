import {
  listStarrers,
  starProject,
  unstarProject,
  starShape,
} from '../../../shared/tenancy/project-details/project-star.operations.js';
import { fullProject } from '../../../shared/tenancy/project-details/project.shape.js';
import { get, post, routes } from '../../core/routes.js';

export default routes('/projects/:id', [
  post('/star', starProject, { present: fullProject, status: 201 }),
  post('/unstar', unstarProject, { present: fullProject, status: 201 }),
  get('/starrers', listStarrers, { present: starShape, paginate: 'offset' }),
]);
