import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { SettingOf } from '../../core/values/settings.js';
import type { Declarations } from '../../core/context/settings-store.js';
import { instanceSettings } from './settings.js';
import { unsupportedSettings } from './unsupported-settings.js';

/** What answers show instead of a secret. As a new value it changes nothing, so that a whole answer can be sent back. */
const MASK = '********';

/** Names of the settings whose values are never shown. */
type SecretName = {
  [K in keyof typeof instanceSettings]: (typeof instanceSettings)[K] extends { secret: true } ? K : never;
}[keyof typeof instanceSettings] &
  SettingOf<string>;

const declared: Declarations = { ...unsupportedSettings, ...instanceSettings };

const getBinding = (name: string) => `instance_settings.${name}`;

export const isSecret = (name: string): boolean => declared[name]?.secret === true;

/** What callers see of a setting's value. */
export const maskSecret = (name: string, value: unknown): unknown =>
  isSecret(name) && typeof value === 'string' && value !== '' ? MASK : value;

/** Changes as stored: secrets are encrypted, and those submitted as the displayed mask are left out. */
export function sealedChanges(ctx: Context, changes: readonly [string, unknown][]): [string, unknown][] {
  return changes
    .filter(([name, value]) => !(isSecret(name) && value === MASK))
    .map(([name, value]) => {
      if (!isSecret(name) || typeof value !== 'string' || value === '') return [name, value];
      return [name, ctx.services.keys.encrypt(value, getBinding(name)).toString('base64')];
    });
}

/** The value of a secret setting, empty if it is not set. @throws if it was encrypted with another key */
export function secretValue(ctx: Context<Caller>, name: SecretName): string {
  const sealed = ctx.settings[name];
  return sealed === '' ? '' : ctx.services.keys.decrypt(Buffer.from(sealed, 'base64'), getBinding(name));
}
