import {
  createIssueToDo,
  createMergeRequestToDo,
  listToDos,
  markToDoDone,
  markToDosDone,
} from '../../../shared/notes/to-dos/to-do.operations.js';
import { toDoShape as present } from '../../../shared/notes/to-dos/to-do.shape.js';
import { get, post, routes } from '../../core/routes.js';

export default [
  ...routes('/projects/:id', [
    post('/issues/:issue_iid/todo', createIssueToDo, { present, status: 201 }),
    post('/merge_requests/:merge_request_iid/todo', createMergeRequestToDo, { present, status: 201 }),
  ]),
  ...routes('/todos', [
    get('', listToDos, { present, paginate: 'offset' }),
    post('/mark_as_done', markToDosDone, { status: 204 }),
    post('/:id/mark_as_done', markToDoDone, { present, status: 201 }),
  ]),
];
