import { out, shape } from '../../../shared/core/operations/shape.js';
import { archiveProject, unarchiveProject } from '../../../shared/repositories/project-lifecycle/archive-project.js';
import { deleteProject } from '../../../shared/repositories/project-lifecycle/delete-project.js';
import { fullProject } from '../../../shared/tenancy/project-details/project.shape.js';
import { restoreProject } from '../../../shared/repositories/project-lifecycle/restore-project.js';
import {
  listTransferLocations,
  transferProject,
} from '../../../shared/repositories/project-lifecycle/transfer-project.js';
import { projectGroupShape } from '../../../shared/tenancy/group-details/group.shape.js';
import { del, get, post, put, routes } from '../../core/routes.js';

/** Removal is a job, days later or at once. */
const accepted = shape<unknown>('Accepted', { message: out.text(() => '202 Accepted') });

/** What becomes of a project as a whole. */
export default routes('/projects/:id', [
  del('/', deleteProject, { present: accepted, status: 202 }),
  post('/archive', archiveProject, { present: fullProject, status: 201 }),
  post('/restore', restoreProject, { present: fullProject, status: 201 }),
  get('/transfer_locations', listTransferLocations, { present: projectGroupShape, paginate: 'offset' }),
  put('/transfer', transferProject, { present: fullProject }),
  post('/unarchive', unarchiveProject, { present: fullProject, status: 201 }),
]);
