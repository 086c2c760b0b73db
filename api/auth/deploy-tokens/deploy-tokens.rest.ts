import { deployTokenOperations, listDeployTokens } from '../../../shared/auth/deploy-tokens/deploy-token.operations.js';
import { deployTokenShape as record, newDeployToken } from '../../../shared/auth/deploy-tokens/deploy-token.shape.js';
import { containerRoutes } from '../../core/container-routes.js';
import { del, get, post } from '../../core/routes.js';

export default [
  get('/deploy_tokens', listDeployTokens, { present: record, paginate: 'offset' }),
  ...containerRoutes('/deploy_tokens', deployTokenOperations, (operations) => [
    get('/', operations.list, { present: record, paginate: 'offset' }),
    post('/', operations.create, { present: newDeployToken, status: 201 }),
    get('/:token_id', operations.get, { present: record }),
    del('/:token_id', operations.remove, { status: 204 }),
    post('/:token_id/revoke', operations.revoke, { present: record, status: 201 }),
  ]),
];
