import { out, shape } from '../../core/operations/shape.js';
import type { InstanceVariable } from './instance-variable.record.js';

/** A CI/CD variable of the instance. */
export const instanceVariable = shape<InstanceVariable>('InstanceVariable', {
  key: out.text((variable) => variable.key),
  value: out.text((variable) => variable.value, { secret: true }),
  description: out.nullableText((variable) => variable.description),
  variable_type: out.text((variable) => variable.variable_type, { enum: ['env_var', 'file'] }),
  protected: out.boolean((variable) => variable.protected),
  masked: out.boolean((variable) => variable.masked),
  raw: out.boolean((variable) => variable.raw),
});
