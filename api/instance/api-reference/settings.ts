import type { z } from 'zod';
import { applicationSettings, planLimits } from '../../../shared/instance/application-settings/settings.js';
import type { Declarations } from '../../../shared/core/context/settings-store.js';
import { pathNames } from '../../core/openapi/operations.js';
import { paramSchema } from '../../core/openapi/schemas.js';
import type { Json } from '../../core/openapi/schemas.js';
import type { RestRoute } from '../../core/routes.js';

/** One setting for forms: its schema, and a description of its effect. */
interface DescribedSetting {
  schema: Json;
  docs: string;
  /** The default value, if it is the same for all. */
  default?: unknown;
  /** The value is never returned. */
  secret?: true;
}

/** By name, in the order of parameters. */
type DescribedSettings = Record<string, DescribedSetting>;

/** The fields of the settings pages, from the declarations of the parameters (decision 41). */
interface SettingsContents {
  project: DescribedSettings;
  group: DescribedSettings;
  application: DescribedSettings;
  limits: DescribedSettings;
}

/** The parameters of the operation that edits a project or a group. */
function editedBy(routes: readonly RestRoute[], path: string): DescribedSettings {
  const route = routes.find((one) => one.method === 'PUT' && one.path === path);
  if (!route) throw new Error(`Nothing edits ${path}.`);
  const params = Object.entries(route.operation.params.shape) as [string, z.ZodType][];
  return Object.fromEntries(
    params
      .filter(([name]) => !pathNames(path).includes(name))
      .map(([name, field]) => {
        const { description = '', ...schema } = paramSchema(field);
        return [name, { schema, docs: description as string }];
      }),
  );
}

const ofInstance = (declared: Declarations): DescribedSettings =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { field, default: fallback, docs, secret }]) => [
      name,
      { schema: paramSchema(field), docs, default: fallback, ...(secret ? { secret } : {}) },
    ]),
  );

export const settingsContents = (routes: readonly RestRoute[]): SettingsContents => ({
  project: editedBy(routes, '/projects/:id'),
  group: editedBy(routes, '/groups/:id'),
  application: ofInstance(applicationSettings),
  limits: ofInstance(planLimits),
});
