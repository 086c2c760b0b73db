import { pushRuleOperations } from '../../../shared/repositories/push-rules/push-rule.operations.js';
import { pushRuleShape as present } from '../../../shared/repositories/push-rules/push-rule.shape.js';
import { containerRoutes } from '../../core/container-routes.js';
import { get, put } from '../../core/routes.js';

export default containerRoutes('/push_rule', pushRuleOperations, (operations) => [
  get('/', operations.get, { present }),
  put('/', operations.update, { present }),
]);
