import { anyOf } from '../../core/database/expressions.js';
import { NotFound } from '../../core/values/errors.js';
import { list, oneOf, optional, text } from '../../core/operations/fields.js';
import { readSlice } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { authorize, can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { addEnvironment } from './create-environment.js';
import { Environment } from './environment.entity.js';
import type { EnvironmentRecord } from './environment.entity.js';
import {
  ENVIRONMENT_STATES,
  namingConditions,
  namingFilterRules,
  namingFilters,
  stateParam,
} from './environment.filters.js';
import { environment, findEnvironments, onEnvironments } from './environment.finder.js';
import { environmentChanges, environmentParams, requireAgent } from './environment-params.js';
import { environmentPolicy, projectEnvironmentPolicy } from './environment.policy.js';
import { readEnvironmentValues } from './environment.rules.js';

/** List a project's environments in the order in which they were made. */
export const listEnvironments = operation({
  name: 'listEnvironments',
  summary: "List a project's environments",
  resource: project,
  can: can(projectEnvironmentPolicy, 'read_environment'),
  kind: 'read',
  statements: 5,
  params: { ...namingFilters, states: stateParam },
  rules: namingFilterRules,
  run: async (_ctx, found, { states, ...filters }) =>
    findEnvironments(found, [
      ...namingConditions(filters),
      ...(states === undefined ? [] : [onEnvironments('e.state', '=', states)]),
    ]),
});

const choiceParams = {
  ...namingFilters,
  states: optional(list(oneOf(ENVIRONMENT_STATES), { max: ENVIRONMENT_STATES.length })).describe(
    'Filter by state of the environment, one or several.',
  ),
  type: optional(text()).describe('Filter by folder with which the name of the environment begins.'),
};

interface Choice {
  name?: string | undefined;
  search?: string | undefined;
  states?: readonly string[] | undefined;
  type?: string | undefined;
}

const chosen = (found: ProjectRecord, { states, type, ...filters }: Choice): List<EnvironmentRecord> =>
  findEnvironments(found, [
    ...namingConditions(filters),
    ...(states === undefined ? [] : [onEnvironments('e.state', '=', anyOf(states, 'text'))]),
    ...(type === undefined
      ? []
      : [onEnvironments.fn<boolean>('starts_with', ['e.name', onEnvironments.val(`${type}/`)])]),
  ]);

const choice = {
  resource: project,
  can: can(projectEnvironmentPolicy, 'read_environment'),
  authentication: 'open',
  kind: 'read',
  params: choiceParams,
  rules: namingFilterRules,
} as const;

/** The same with filters that only GraphQL has: several states, and the folder of the name. */
export const chooseEnvironments = operation({
  name: 'chooseEnvironments',
  summary: 'Find environments of a project',
  ...choice,
  run: async (_ctx, found, input) => chosen(found, input),
});

/** The first of these; null for none. */
export const chooseEnvironment = operation({
  name: 'chooseEnvironment',
  summary: 'Find an environment of a project',
  ...choice,
  run: async (ctx, found, input) => (await readSlice(ctx, chosen(found, input), 0, 1))[0] ?? null,
});

/** Read one environment. */
export const getEnvironment = operation({
  name: 'getEnvironment',
  summary: 'Read an environment',
  resource: environment,
  kind: 'read',
  statements: 8,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Make an environment: Developers and above. */
export const createEnvironment = operation({
  name: 'createEnvironment',
  summary: 'Create an environment',
  resource: project,
  can: can(projectEnvironmentPolicy, 'create_environment'),
  kind: 'write',
  params: {
    name: text()
      .describe('Name of the environment, with folders separated by slashes; cannot be changed later.')
      .meta({ examples: ['production'] }),
    ...environmentParams,
  },
  async run(ctx, found, input) {
    await requireAgent(ctx, found, input.cluster_agent_id);
    return addEnvironment(ctx, found, input.name, environmentChanges(input));
  },
});

/** Edit an environment: Developers and above. Its name stays. */
export const updateEnvironment = operation({
  name: 'updateEnvironment',
  summary: 'Edit an environment',
  resource: environment,
  can: can(environmentPolicy, 'update_environment'),
  kind: 'write',
  params: environmentParams,
  example: { external_url: 'https://app.example.com' },
  async run(ctx, found, input) {
    await requireAgent(ctx, found.project, input.cluster_agent_id);
    const changes = environmentChanges(input);
    const values = { ...changes, ...readEnvironmentValues(changes) };
    if (Object.keys(values).length === 0) return found;
    const change = { ...values, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(Environment, { id: found.id }, change);
    const after = { ...found, ...change };
    ctx.record({ type: 'environment.updated', before: found, after, project: found.project });
    return after;
  },
});

/** Delete a stopped environment with its deployments: Developers and above. */
export const deleteEnvironment = operation({
  name: 'deleteEnvironment',
  summary: 'Delete an environment',
  resource: environment,
  can: can(environmentPolicy, 'destroy_environment'),
  conditional: true,
  kind: 'write',
  async run(ctx, found) {
    authorize(ctx, environmentPolicy, 'destroy_stopped_environment', found);
    if ((await ctx.em.nativeDelete(Environment, { id: found.id })) === 0) throw new NotFound();
    ctx.record({ type: 'environment.deleted', environment: found, project: found.project });
  },
});
