import { integer, oneOf, optional } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { getAtLeastOne, mutuallyExclusive } from '../../core/operations/params.js';
import { updateRunnerAttributes, removeRunner, resetRunnerToken } from './change-runner.js';
import { createRunner } from './create-runner.js';
import { noAccess, runner } from './found-runner.js';
import { listManagers } from './list-managers.js';
import { listRunnersWhere, ownRunnersCondition, runnerFilterParams } from './list-runners.js';
import { activeParam, runnerParams, withoutActive } from './runner.params.js';
import { runnerPolicy } from './runner.policy.js';
import { requireTarget } from './runner.rules.js';
import { RUNNER_TYPES } from './runner.serializer.js';
import { constant } from '../../core/database/expressions.js';

/** Tokens that may read and change runners, beside those that may do everything. */
const scopes = {
  create: ['api', 'create_runner'],
  read: ['api', 'read_api', 'manage_runner'],
  change: ['api', 'manage_runner'],
};

const readable = { resource: runner, denial: noAccess, kind: 'read', scopes: scopes.read } as const;
const editable = {
  resource: runner,
  can: can(runnerPolicy, 'update_runner'),
  denial: noAccess,
  kind: 'write',
  scopes: scopes.change,
} as const;

export const createUserRunner = operation({
  name: 'createUserRunner',
  summary: 'Create a runner of the instance, a group or a project',
  resource: instance,
  kind: 'write',
  scopes: scopes.create,
  params: {
    runner_type: oneOf(RUNNER_TYPES).describe('Scope of the runner: the instance, a group or a project.'),
    group_id: optional(integer()).describe('ID of the group, for a runner of a group.'),
    project_id: optional(integer()).describe('ID of the project, for a runner of a project.'),
    ...runnerParams,
  },
  rules: [mutuallyExclusive('group_id', 'project_id')],
  example: { runner_type: 'instance_type', description: 'Builder' },
  run(ctx, _instance, input) {
    requireTarget(input);
    return createRunner(ctx, input);
  },
});

export const listRunners = operation({
  name: 'listRunners',
  summary: 'List the runners that the caller manages',
  resource: instance,
  kind: 'read',
  scopes: scopes.read,
  statements: 4,
  params: runnerFilterParams,
  run: (ctx, _instance, input) => Promise.resolve(listRunnersWhere(ctx, ownRunnersCondition(ctx), input)),
});

export const listAllRunners = operation({
  name: 'listAllRunners',
  summary: 'List all runners',
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  scopes: scopes.read,
  statements: 4,
  params: runnerFilterParams,
  run: (ctx, _instance, input) => Promise.resolve(listRunnersWhere(ctx, constant(true), input)),
});

export const getRunner = operation({
  name: 'getRunner',
  ...readable,
  can: can(runnerPolicy, 'read_runner'),
  summary: 'Read a runner',
  statements: 6,
  run: (_ctx, found) => Promise.resolve(found),
});

export const listRunnerManagers = operation({
  name: 'listRunnerManagers',
  ...readable,
  can: can(runnerPolicy, 'read_runner_work'),
  summary: 'List the managers of a runner',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(listManagers(found)),
});

const names = Object.keys(runnerParams);

export const updateRunner = operation({
  name: 'updateRunner',
  ...editable,
  summary: 'Edit a runner',
  example: { description: 'Large builder' },
  params: {
    ...runnerParams,
    active: activeParam,
  },
  rules: [getAtLeastOne(...names, 'active'), mutuallyExclusive('active', 'paused')],
  run: (ctx, { id }, input) => updateRunnerAttributes(ctx, id, withoutActive(input)),
});

export const deleteRunner = operation({
  name: 'deleteRunner',
  ...editable,
  conditional: true,
  summary: 'Delete a runner',
  run: (ctx, found) => removeRunner(ctx, found),
});

export const resetRunnerAuthenticationToken = operation({
  name: 'resetRunnerAuthenticationToken',
  ...editable,
  summary: 'Give a runner a new token',
  run: (ctx, found) => resetRunnerToken(ctx, found),
});
