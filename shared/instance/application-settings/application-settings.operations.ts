import type { z } from 'zod';
import { list, optional, oneOf, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { Declarations } from '../../core/context/settings-store.js';
import { applicationSettings, planLimits } from './settings.js';
import { unsupportedSettings } from './unsupported-settings.js';
import { readSettings, writeSettings } from './write-settings.js';

/** Every declared setting as a parameter that may be left out. Null and `""` are no value of a setting. */
function settingParams<D extends Declarations>(declared: D) {
  const params = Object.entries(declared).map(([name, { field, docs }]) => [
    name,
    field.optional().meta({ ...field.meta(), description: docs }),
  ]);
  return Object.fromEntries(params) as { [K in keyof D]: z.ZodOptional<D[K]['field']> };
}

/** The only plan there is: a plan's limits hold for every namespace. */
const planName = () => oneOf(['default']);

/** Read the instance's settings. */
export const getApplicationSettings = operation({
  name: 'getApplicationSettings',
  summary: "Read the instance's settings",
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  statements: 2,
  run: (ctx) => readSettings(ctx),
});

/**
 * Change any of the instance's settings. All processes apply them within a second. Public API settings that this
 * service does not implement are stored without effect, and the response lists them.
 */
export const updateApplicationSettings = operation({
  name: 'updateApplicationSettings',
  summary: "Change the instance's settings",
  example: { notes_create_limit: 300 },
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  strict: true,
  statements: 6,
  params: {
    ...settingParams(applicationSettings),
    ...settingParams(unsupportedSettings),
    unsupported_settings: optional(list(text())).describe(
      'Names of unsupported settings: ignored, so that a response can be sent back unchanged.',
    ),
  },
  run: (ctx, _instance, { unsupported_settings: _ignored, ...changes }) => writeSettings(ctx, changes),
});

/** Read the limits that hold for every project. */
export const getPlanLimits = operation({
  name: 'getPlanLimits',
  summary: 'Read the limits of a plan',
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  statements: 1,
  params: { plan_name: optional(planName()).describe('Name of the plan; `default` is the plan for all.') },
  run: (ctx) => Promise.resolve({ settings: ctx.settings, unsupported: {} }),
});

/** Change any of the limits that hold for every project. */
export const updatePlanLimits = operation({
  name: 'updatePlanLimits',
  summary: 'Change the limits of a plan',
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  strict: true,
  statements: 6,
  params: {
    plan_name: planName().describe('Name of the plan; `default` is the plan for all.'),
    ...settingParams(planLimits),
  },
  run(ctx, _instance, { plan_name: _plan, ...changes }) {
    return writeSettings(ctx, changes);
  },
});
