import { offsetSourceOf } from '../../core/values/offset-source.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { InstanceVariable } from './instance-variable.record.js';

/** List the CI/CD variables of the instance: none, since none can be set yet. */
export const listInstanceVariables = operation({
  name: 'listInstanceVariables',
  summary: 'List the CI/CD variables of the instance',
  subject: instance,
  gate: 'administrator',
  kind: 'read',
  statements: 1,
  run: () => Promise.resolve(offsetSourceOf<InstanceVariable>([])),
});
