import {
  deleteSpamLog,
  getSpamLog,
  listSpamLogs,
  markSpamLogAsHam,
  spamLogShape,
} from '../../../shared/tenancy/spam/spam-log.operations.js';
import { del, get, post, routes } from '../../core/routes.js';

export default routes('/admin/spam_logs', [
  get('/', listSpamLogs, { present: spamLogShape, paginate: 'offset' }),
  get('/:id', getSpamLog, { present: spamLogShape }),
  del('/:id', deleteSpamLog, { status: 204 }),
  post('/:id/mark_as_ham', markSpamLogAsHam, { present: spamLogShape, status: 201 }),
]);
