import type { Declarations } from '../../core/settings-store.js';
import { out, shape } from '../../core/shape.js';
import type { Shape } from '../../core/shape.js';
import { shownSetting } from './secret-settings.js';
import { applicationSettings, planLimits } from './settings.js';
import type { Settings } from '../../core/settings.js';

/** A public field for each declared setting: secrets are masked, and only administrators read them. */
function settingsShape(name: string, declared: Declarations): Shape<Settings> {
  const fields = Object.entries(declared).map(([key, { field, default: fallback, docs }]) => [
    key,
    out.any<Settings>((settings) => shownSetting(key as keyof Settings, settings), {
      ...field.meta(),
      default: fallback,
      description: docs,
    }),
  ]);
  return shape<Settings>(name, Object.fromEntries(fields));
}

export const applicationSettingsShape = settingsShape('ApplicationSettings', applicationSettings);
export const planLimitsShape = settingsShape('PlanLimits', planLimits);
