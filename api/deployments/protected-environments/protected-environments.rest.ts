import { protectedEnvironmentOperations } from '../../../shared/deployments/protected-environments/protected-environment.operations.js';
import { protectedEnvironmentShape as present } from '../../../shared/deployments/protected-environments/protected-environment.shape.js';
import { del, get, post, put, routes } from '../../core/routes.js';
import type { RestRoute } from '../../core/routes.js';

const { project, group } = protectedEnvironmentOperations;

/** Both answer alike, but for the end of a protection: that of a group is answered with what it was (README decision 4). */
const common = ({ list, create, get: read, update }: typeof project): RestRoute[] => [
  get('/', list, { present, paginate: 'offset' }),
  post('/', create, { present, status: 201 }),
  get('/:name', read, { present }),
  put('/:name', update, { present }),
];

export default [
  ...routes('/projects/:id/protected_environments', [
    ...common(project),
    del('/:name', project.remove, { status: 204 }),
  ]),
  ...routes('/groups/:id/protected_environments', [
    ...common(group),
    del('/:name', group.remove, { present, status: 200 }),
  ]),
];
