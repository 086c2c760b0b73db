import type { Context } from '../../../shared/core/context/context.js';
import {
  assignChildEpic,
  createChildEpic,
  listChildEpics,
  moveChildEpic,
  unassignChildEpic,
  newChildEpic,
} from '../../../shared/planning/issues/child-epic.operations.js';
import { createEpic } from '../../../shared/planning/epics/create-epic.js';
import { deleteEpic } from '../../../shared/planning/epics/delete-epic.js';
import { subscribeToEpic, unsubscribeFromEpic } from '../../../shared/planning/epics/epic-subscription.operations.js';
import { updateEpic } from '../../../shared/planning/epics/update-epic.js';
import {
  addIssueToEpic,
  listEpicIssues,
  moveEpicIssue,
  removeIssueFromEpic,
} from '../../../shared/planning/issues/epic-issue.operations.js';
import {
  epicIssueSerializer,
  listedEpicIssueSerializer,
} from '../../../shared/planning/issues/epic-issue.serializer.js';
import { listEpics } from '../../../shared/planning/issue-lists/epic-lists.operations.js';
import type { EpicList } from '../../../shared/planning/issue-lists/epic-lists.operations.js';
import { getEpic } from '../../../shared/planning/epics/epic.operations.js';
import { epicDetails, epicSerializer, epicWithLabelDetails } from '../../../shared/planning/epics/epic.serializer.js';
import { aliases, del, get, post, put, routes } from '../../core/routes.js';

const present = epicDetails;

const epics = [
  get('/', listEpics, {
    present: (_ctx: Context, list?: EpicList) => (list?.with_labels_details ? epicWithLabelDetails : epicSerializer),
    paginate: 'offset',
  }),
  post('/', createEpic, { present, status: 201 }),
  get('/:epic_iid', getEpic, { present }),
  put('/:epic_iid', updateEpic, { present }),
  del('/:epic_iid', deleteEpic, { status: 204 }),
  post('/:epic_iid/subscribe', subscribeToEpic, { present, status: 201 }),
  post('/:epic_iid/unsubscribe', unsubscribeFromEpic, { present, status: 201 }),
  get('/:epic_iid/issues', listEpicIssues, { present: listedEpicIssueSerializer, paginate: 'offset' }),
  post('/:epic_iid/issues/:epic_issue_id', addIssueToEpic, { present: epicIssueSerializer, status: 201 }),
  put('/:epic_iid/issues/:epic_issue_id', moveEpicIssue, { present: listedEpicIssueSerializer, paginate: 'offset' }),
  del('/:epic_iid/issues/:epic_issue_id', removeIssueFromEpic, { present: epicIssueSerializer, status: 200 }),
  get('/:epic_iid/epics', listChildEpics, { present: epicSerializer, paginate: 'offset' }),
  post('/:epic_iid/epics', createChildEpic, { present: newChildEpic, status: 201 }),
  post('/:epic_iid/epics/:child_epic_id', assignChildEpic, { present: epicSerializer, status: 201 }),
  put('/:epic_iid/epics/:child_epic_id', moveChildEpic, { present: epicSerializer, paginate: 'offset' }),
  del('/:epic_iid/epics/:child_epic_id', unassignChildEpic, { present: epicSerializer, status: 200 }),
];

// The public API answers under both.
export default [...routes('/groups/:id/epics', epics), ...aliases(routes('/groups/:id/-/epics', epics))];
