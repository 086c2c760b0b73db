import { milestoneOperations } from '../../../shared/planning/milestones/milestone.operations.js';
import { milestoneShape as record } from '../../../shared/planning/milestones/milestone.shape.js';
import { promoteMilestone } from '../../../shared/planning/milestones/promote-milestone.js';
import { containerRoutes } from '../../core/container-routes.js';
import { del, get, post, put, routes } from '../../core/routes.js';

export default [
  ...containerRoutes('/milestones', milestoneOperations, (operations) => [
    get('/', operations.list, { present: record, paginate: 'offset' }),
    post('/', operations.create, { present: record, status: 201 }),
    get('/:milestone_id', operations.get, { present: record }),
    put('/:milestone_id', operations.update, { present: record }),
    del('/:milestone_id', operations.remove, { status: 204 }),
  ]),
  ...routes('/projects/:id/milestones', [post('/:milestone_id/promote', promoteMilestone, { present: record })]),
];
