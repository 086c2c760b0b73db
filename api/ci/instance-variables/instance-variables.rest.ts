import {
  listInstanceVariables,
  instanceVariable,
} from '../../../shared/ci/instance-variables/instance-variable.operations.js';
import { get } from '../../core/routes.js';

export default [
  get('/admin/ci/variables', listInstanceVariables, { present: instanceVariable, paginate: 'offset', readOnly: true }),
];
