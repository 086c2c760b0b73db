import { offsetSourceOf } from '../../core/values/offset-source.js';
import { instance, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';

/** A CI/CD variable of the instance. None can be set until there are jobs to receive it. */
interface InstanceVariable {
  readonly key: string;
  readonly value: string;
  readonly description: string | null;
  readonly variable_type: string;
  readonly protected: boolean;
  readonly masked: boolean;
  readonly raw: boolean;
}

/** List the CI/CD variables of the instance: none, since none can be set yet. */
export const listInstanceVariables = operation({
  name: 'listInstanceVariables',
  summary: 'List the CI/CD variables of the instance',
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  statements: 1,
  run: () => Promise.resolve(offsetSourceOf<InstanceVariable>([])),
});

/** A CI/CD variable of the instance. */
export const instanceVariable = serializer<InstanceVariable>('InstanceVariable', {
  key: out.text((variable) => variable.key),
  value: out.text((variable) => variable.value, { secret: true }),
  description: out.nullableText((variable) => variable.description),
  variable_type: out.text((variable) => variable.variable_type, { enum: ['env_var', 'file'] }),
  protected: out.boolean((variable) => variable.protected),
  masked: out.boolean((variable) => variable.masked),
  raw: out.boolean((variable) => variable.raw),
});
