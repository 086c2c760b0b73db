import { integer } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { group } from '../../tenancy/groups/group.finder.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { assignRunner, unassignRunner } from './assign-runner.js';
import { groupRunnersPolicy, projectRunnersPolicy } from './container-runners.policy.js';
import {
  groupRunnersCondition,
  listRunnersWhere,
  projectRunnersCondition,
  runnerFilterParams,
} from './list-runners.js';

const runnerParam = { runner_id: integer().describe('ID of the runner.') };
const ofProject = { resource: project, authentication: 'signed_in_resource' } as const;
const readScopes = ['api', 'read_api', 'manage_runner'];
const changeScopes = ['api', 'manage_runner'];

/** List the runners that a project may use: its own, those of its groups and of the instance. */
export const listProjectRunners = operation({
  name: 'listProjectRunners',
  ...ofProject,
  can: can(projectRunnersPolicy, 'read_project_runners'),
  summary: 'List the runners that a project may use',
  kind: 'read',
  scopes: readScopes,
  statements: 5,
  params: runnerFilterParams,
  async run(ctx, found, input) {
    const settings = await ctx.em.findOneOrFail(
      ProjectSettings,
      { project_id: found.id },
      { fields: ['group_runners_enabled', 'shared_runners_enabled'] },
    );
    return listRunnersWhere(ctx, projectRunnersCondition(found, settings), input);
  },
});

/** Assign a runner of another project to a project. */
export const assignProjectRunner = operation({
  name: 'assignProjectRunner',
  ...ofProject,
  can: can(projectRunnersPolicy, 'admin_project_runners'),
  summary: 'Assign a runner to a project',
  kind: 'write',
  scopes: changeScopes,
  params: runnerParam,
  run: (ctx, found, { runner_id: runnerId }) => assignRunner(ctx, found, runnerId),
});

/** End the assignment of a runner to a project. */
export const unassignProjectRunner = operation({
  name: 'unassignProjectRunner',
  ...ofProject,
  can: can(projectRunnersPolicy, 'admin_project_runners'),
  summary: 'End the assignment of a runner to a project',
  kind: 'write',
  scopes: changeScopes,
  params: runnerParam,
  run: (ctx, found, { runner_id: runnerId }) => unassignRunner(ctx, found, runnerId),
});

/** List the runners that serve a group: its own, those of groups above it and of the instance. */
export const listGroupRunners = operation({
  name: 'listGroupRunners',
  resource: group,
  authentication: 'signed_in_resource',
  can: can(groupRunnersPolicy, 'read_group_runners'),
  summary: 'List the runners that serve a group',
  kind: 'read',
  scopes: readScopes,
  statements: 4,
  params: runnerFilterParams,
  run: (ctx, found, input) => Promise.resolve(listRunnersWhere(ctx, groupRunnersCondition(found), input)),
});
