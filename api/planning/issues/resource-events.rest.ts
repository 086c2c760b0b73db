import {
  epicLabelEventOperations,
  epicStateEventOperations,
  labelEventOperations,
  milestoneEventOperations,
  stateEventOperations,
  weightEventOperations,
} from '../../../shared/planning/issues/resource-event.operations.js';
import {
  labelEventShape,
  milestoneEventShape,
  stateEventShape,
  weightEventShape,
} from '../../../shared/planning/issues/resource-event.shape.js';
import { get } from '../../core/routes.js';

const ISSUE = '/projects/:id/issues/:issue_iid';
const EPIC = '/groups/:id/epics/:epic_id';

export default [
  get(`${ISSUE}/resource_state_events`, stateEventOperations.list, { present: stateEventShape, paginate: 'offset' }),
  get(`${ISSUE}/resource_state_events/:event_id`, stateEventOperations.get, { present: stateEventShape }),
  get(`${ISSUE}/resource_label_events`, labelEventOperations.list, { present: labelEventShape, paginate: 'offset' }),
  get(`${ISSUE}/resource_label_events/:event_id`, labelEventOperations.get, { present: labelEventShape }),
  get(`${ISSUE}/resource_milestone_events`, milestoneEventOperations.list, {
    present: milestoneEventShape,
    paginate: 'offset',
  }),
  get(`${ISSUE}/resource_milestone_events/:event_id`, milestoneEventOperations.get, { present: milestoneEventShape }),
  get(`${ISSUE}/resource_weight_events`, weightEventOperations.list, { present: weightEventShape, paginate: 'offset' }),
  get(`${ISSUE}/resource_weight_events/:event_id`, weightEventOperations.get, { present: weightEventShape }),
  get(`${EPIC}/resource_state_events`, epicStateEventOperations.list, { present: stateEventShape, paginate: 'offset' }),
  get(`${EPIC}/resource_state_events/:event_id`, epicStateEventOperations.get, { present: stateEventShape }),
  get(`${EPIC}/resource_label_events`, epicLabelEventOperations.list, { present: labelEventShape, paginate: 'offset' }),
  get(`${EPIC}/resource_label_events/:event_id`, epicLabelEventOperations.get, { present: labelEventShape }),
];
