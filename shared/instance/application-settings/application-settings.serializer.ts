import type { Declarations } from '../../core/context/settings-store.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { maskSecret } from './secret-settings.js';
import { applicationSettings, planLimits } from './settings.js';
import { unsupportedSettings } from './unsupported-settings.js';
import type { SettingValues } from './write-settings.js';
import type { Settings } from '../../core/values/settings.js';

type Fields = Record<string, OutField<SettingValues>>;

/** A public field for each declared setting: secrets are masked, and only administrators read them. */
const settingFields = (declared: Declarations): Fields =>
  Object.fromEntries(
    Object.entries(declared).map(([key, { field, default: fallback, docs }]) => [
      key,
      out.any<SettingValues>(({ settings }) => maskSecret(key, settings[key as keyof Settings]), {
        ...field.meta(),
        default: fallback,
        description: docs,
      }),
    ]),
  );

/** A field for each unsupported setting, omitted until it is set. */
const unsupportedFields: Fields = Object.fromEntries(
  Object.entries(unsupportedSettings).map(([key, { field }]) => [
    key,
    out.any<SettingValues>(({ unsupported }) => maskSecret(key, unsupported[key]), field.meta(), { optional: true }),
  ]),
);

export const applicationSettingsSerializer = serializer<SettingValues>('ApplicationSettings', {
  ...settingFields(applicationSettings),
  ...unsupportedFields,
  unsupported_settings: out.texts(({ unsupported }) => Object.keys(unsupported).sort(), {
    description: 'Names of the settings in this response that are stored and have no effect on this service.',
  }),
});
export const planLimitsSerializer = serializer<SettingValues>('PlanLimits', settingFields(planLimits));
