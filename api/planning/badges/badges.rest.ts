import {
  badgeOperations,
  badgePreviewShape,
  badgeShape as record,
} from '../../../shared/planning/badges/badge.operations.js';
import { containerRoutes } from '../../core/container-routes.js';
import { del, get, post, put } from '../../core/routes.js';

export default containerRoutes('/badges', badgeOperations, (operations) => [
  get('/', operations.list, { present: record, paginate: 'offset' }),
  post('/', operations.create, { present: record, status: 201 }),
  get('/render', operations.render, { present: badgePreviewShape }),
  get('/:badge_id', operations.get, { present: record }),
  put('/:badge_id', operations.update, { present: record }),
  del('/:badge_id', operations.remove, { status: 204 }),
]);
