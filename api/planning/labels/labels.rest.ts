import { labelOperations } from '../../../shared/planning/labels/label.operations.js';
import { groupLabelShape, projectLabelShape } from '../../../shared/planning/labels/label.shape.js';
import { promoteLabel } from '../../../shared/planning/labels/promote-label.js';
import { del, get, post, put, routes } from '../../core/routes.js';
import type { RestRoute } from '../../core/routes.js';

type Operations = (typeof labelOperations)['project'];
type LabelShape = typeof projectLabelShape;

const below = (operations: Operations, present: LabelShape): RestRoute[] => [
  get('/', operations.list, { present, paginate: 'offset' }),
  post('/', operations.create, { present, status: 201 }),
  put('/', operations.updateNamed, { present }),
  del('/', operations.removeNamed, { status: 204 }),
  get('/:label_id', operations.get, { present }),
  put('/:label_id', operations.update, { present }),
  del('/:label_id', operations.remove, { status: 204 }),
  post('/:label_id/subscribe', operations.subscribe, { present, status: 201 }),
  post('/:label_id/unsubscribe', operations.unsubscribe, { present, status: 201 }),
];

export default [
  ...routes('/projects/:id/labels', [
    ...below(labelOperations.project, projectLabelShape),
    put('/:label_id/promote', promoteLabel, { present: groupLabelShape }),
  ]),
  ...routes('/groups/:id/labels', below(labelOperations.group, groupLabelShape)),
];
