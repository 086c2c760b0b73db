import {
  createImpersonationToken,
  getImpersonationToken,
  listImpersonationTokens,
  revokeImpersonationToken,
  impersonationTokenShape as record,
  newImpersonationToken,
} from '../../../shared/auth/impersonation-tokens/impersonation-token.operations.js';
import { del, get, post, routes } from '../../core/routes.js';

export default routes('/users/:user_id/impersonation_tokens', [
  get('/', listImpersonationTokens, { present: record, paginate: 'offset' }),
  post('/', createImpersonationToken, { present: newImpersonationToken, status: 201 }),
  get('/:impersonation_token_id', getImpersonationToken, { present: record }),
  del('/:impersonation_token_id', revokeImpersonationToken, { status: 204 }),
]);
