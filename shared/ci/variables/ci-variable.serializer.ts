import { out, serializer } from '../../core/operations/serializer.js';
import { VARIABLE_TYPES } from '../pipeline-schedules/schedule-variable-list.js';
import type { CiVariable } from './ci-variable.entity.js';
import { decryptValue } from './variable-values.js';

const shared = {
  variable_type: out.text((variable: CiVariable) => variable.variable_type, { enum: VARIABLE_TYPES }),
  key: out.text((variable: CiVariable) => variable.key),
  protected: out.boolean((variable: CiVariable) => variable.protected, {
    description: 'If `true`, only jobs on protected branches and tags receive the variable.',
  }),
  masked: out.boolean((variable: CiVariable) => variable.masked, {
    description: 'If `true`, runners mask the value in logs of jobs.',
  }),
  raw: out.boolean((variable: CiVariable) => variable.raw, {
    description: 'If `true`, references to other variables in the value stay as they are.',
  }),
  description: out.nullableText((variable: CiVariable) => variable.description ?? null),
};

/** A variable of a project or group (ci-execution.md section 7). A hidden value is not even decrypted. */
export const ciVariableSerializer = serializer<CiVariable>('CiVariable', {
  ...shared,
  value: out.nullableText((variable, ctx) => (variable.hidden ? null : decryptValue(ctx, variable)), {
    description: 'Value of the variable; null if the variable is hidden.',
    secret: true,
  }),
  hidden: out.boolean((variable) => variable.hidden, {
    description: 'If `true`, no response contains the value of the variable.',
  }),
  environment_scope: out.text((variable) => variable.environment_scope, {
    description: 'Environments whose jobs receive the variable; `*` stands for any text.',
  }),
});

/** A variable of the instance: it has no scope, and none is hidden. */
export const instanceVariableSerializer = serializer<CiVariable>('InstanceVariable', {
  ...shared,
  value: out.text((variable, ctx) => decryptValue(ctx, variable), { secret: true }),
});
