import { pushRuleOperations } from '../../../shared/repositories/push-rules/push-rule.operations.js';
import { pushRuleSerializer as present } from '../../../shared/repositories/push-rules/push-rule.serializer.js';
import { containerRoutes, del, get, post, put } from '../../core/routes.js';

export default containerRoutes('/push_rule', pushRuleOperations, (operations) => [
  get('/', operations.get, { present }),
  post('/', operations.create, { present, status: 201 }),
  put('/', operations.update, { present }),
  del('/', operations.remove, { status: 204 }),
]);
