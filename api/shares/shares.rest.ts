import { groupDetails } from '../../shared/groups/group.shape.js';
import { shareGroup, shareProject, unshareGroup, unshareProject } from '../../shared/shares/share.operations.js';
import { projectShareShape } from '../../shared/shares/share.shape.js';
import { del, post, routes } from '../core/routes.js';

export default [
  ...routes('/groups/:id/share', [
    post('/', shareGroup, { present: groupDetails, status: 201 }),
    del('/:group_id', unshareGroup, { status: 204 }),
  ]),
  ...routes('/projects/:id/share', [
    post('/', shareProject, { present: projectShareShape, status: 201 }),
    del('/:group_id', unshareProject, { status: 204 }),
  ]),
];
