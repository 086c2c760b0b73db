import type { ContainerType } from '../../core/operations/container.js';
import { boolean, clearableText, object, oneOf, optional, text } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { forContainers } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { VARIABLE_TYPES } from '../pipeline-schedules/schedule-variable-list.js';
import { createVariable, deleteVariable, updateVariable } from './change-variables.js';
import { findVariable, listOwnedVariables } from './ci-variable.finder.js';
import { ciVariablePolicy } from './ci-variable.policy.js';

const keyParam = {
  key: text()
    .describe('Key of the variable.')
    .meta({ examples: ['DEPLOY_TARGET'] }),
};
const value = text()
  .describe('Value of the variable; at most 10,000 characters.')
  .meta({ examples: ['production'] });

/** What can be set on creation and changed later. */
const attributes = {
  variable_type: optional(oneOf(VARIABLE_TYPES)).describe(
    'Type of the variable: a variable, or a file that holds the value.',
  ),
  protected: optional(boolean()).describe('If `true`, only jobs on protected branches and tags receive the variable.'),
  masked: optional(boolean()).describe(
    'If `true`, runners mask the value in logs of jobs; the value must then be one line of at least 8 characters.',
  ),
  raw: optional(boolean()).describe('If `true`, references to other variables in the value stay as they are.'),
  description: clearableText().describe('Description of the variable; at most 255 characters.'),
};
const scopeParam = {
  environment_scope: optional(text()).describe(
    'Environments whose jobs receive the variable; `*` stands for any text, and alone for all environments.',
  ),
};
const filterParam = {
  filter: optional(
    object({
      environment_scope: optional(text()).describe('Environment scope of the variable.'),
    }),
  ).describe('Choice between variables with the same key, by their environment scope.'),
};
/** Of variables that already exist: projects and groups may have one for each scope. */
const scopedKey = { ...keyParam, ...filterParam };

/** What reading and what changing the variables of a project or group need. */
const accessTo = ({ resource }: ContainerType<Container>) => ({
  readable: {
    resource,
    can: can(ciVariablePolicy, 'read_cicd_variables'),
    authentication: 'signed_in_resource',
    kind: 'read',
  } as const,
  editable: {
    resource,
    can: can(ciVariablePolicy, 'admin_cicd_variables'),
    authentication: 'signed_in_resource',
    kind: 'write',
  } as const,
});

/** The operations on the CI/CD variables of a project or group. */
export const ciVariableOperations = forContainers((type) => {
  const { kind, noun } = type;
  const { readable, editable } = accessTo(type);
  return {
    list: operation({
      name: `list${noun}Variables`,
      ...readable,
      summary: `List the CI/CD variables of a ${kind}`,
      statements: 4,
      run: (_ctx, container) => Promise.resolve(listOwnedVariables(container)),
    }),

    get: operation({
      name: `get${noun}Variable`,
      ...readable,
      summary: `Read a CI/CD variable of a ${kind}`,
      statements: 3,
      params: scopedKey,
      run: (ctx, container, { key, filter }) => findVariable(ctx, container, key, filter?.environment_scope),
    }),

    create: operation({
      name: `create${noun}Variable`,
      ...editable,
      summary: `Create a CI/CD variable of a ${kind}`,
      params: {
        ...keyParam,
        value,
        ...attributes,
        masked_and_hidden: optional(boolean()).describe(
          'If `true`, the variable is masked, and no response contains its value; cannot be undone.',
        ),
        ...scopeParam,
      },
      run: (ctx, container, input) => createVariable(ctx, container, input),
    }),

    update: operation({
      name: `update${noun}Variable`,
      ...editable,
      summary: `Edit a CI/CD variable of a ${kind}`,
      params: { ...scopedKey, value: value.optional(), ...attributes, ...scopeParam },
      run: (ctx, container, { key, filter, ...changes }) =>
        updateVariable(ctx, container, key, filter?.environment_scope, changes),
    }),

    remove: operation({
      name: `delete${noun}Variable`,
      ...editable,
      summary: `Delete a CI/CD variable of a ${kind}`,
      params: scopedKey,
      run: (ctx, container, { key, filter }) => deleteVariable(ctx, container, key, filter?.environment_scope),
    }),
  };
});

const ofInstance = { resource: instance, authentication: 'administrator' } as const;

/** The operations on the CI/CD variables of the instance, which have no scope. */
export const instanceVariableOperations = {
  list: operation({
    name: 'listInstanceVariables',
    ...ofInstance,
    summary: 'List the CI/CD variables of the instance',
    kind: 'read',
    statements: 3,
    run: () => Promise.resolve(listOwnedVariables(null)),
  }),

  get: operation({
    name: 'getInstanceVariable',
    ...ofInstance,
    summary: 'Read a CI/CD variable of the instance',
    kind: 'read',
    statements: 2,
    params: keyParam,
    run: (ctx, _instance, { key }) => findVariable(ctx, null, key),
  }),

  create: operation({
    name: 'createInstanceVariable',
    ...ofInstance,
    summary: 'Create a CI/CD variable of the instance',
    kind: 'write',
    params: { ...keyParam, value, ...attributes },
    run: (ctx, _instance, input) => createVariable(ctx, null, input),
  }),

  update: operation({
    name: 'updateInstanceVariable',
    ...ofInstance,
    summary: 'Edit a CI/CD variable of the instance',
    kind: 'write',
    params: { ...keyParam, value: value.optional(), ...attributes },
    run: (ctx, _instance, { key, ...changes }) => updateVariable(ctx, null, key, undefined, changes),
  }),

  remove: operation({
    name: 'deleteInstanceVariable',
    ...ofInstance,
    summary: 'Delete a CI/CD variable of the instance',
    kind: 'write',
    params: keyParam,
    run: (ctx, _instance, { key }) => deleteVariable(ctx, null, key),
  }),
};
