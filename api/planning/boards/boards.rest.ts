import { boardOperations } from '../../../shared/planning/boards/board.operations.js';
import { boardListShape as list, boardShape as record } from '../../../shared/planning/boards/board.shape.js';
import { containerRoutes } from '../../core/container-routes.js';
import { del, get, post, put } from '../../core/routes.js';

export default containerRoutes('/boards', boardOperations, (operations) => [
  get('/', operations.list, { present: record, paginate: 'offset' }),
  post('/', operations.create, { present: record, status: 201 }),
  // Ours: the public product's page does so when it is shown.
  post('/open', operations.open, { present: record, status: 200 }),
  get('/:board_id', operations.get, { present: record }),
  put('/:board_id', operations.update, { present: record }),
  del('/:board_id', operations.remove, { status: 204 }),
  get('/:board_id/lists', operations.listLists, { present: list, paginate: 'none' }),
  post('/:board_id/lists', operations.createList, { present: list, status: 201 }),
  get('/:board_id/lists/:list_id', operations.getList, { present: list }),
  put('/:board_id/lists/:list_id', operations.moveList, { present: list }),
  del('/:board_id/lists/:list_id', operations.removeList, { status: 204 }),
]);
