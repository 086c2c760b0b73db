import type { SettingOf } from '../values/settings.js';

/**
 * One limit: the setting with its value, and the period it applies to. The key of the counted caller or resource is
 * passed when counting.
 */
export interface Limit {
  readonly setting: SettingOf<number>;
  /** Seconds, or the setting that contains them. */
  readonly period: number | SettingOf<number>;
  /** The setting that enables it, unless a value above 0 does. */
  readonly enabledBy?: SettingOf<boolean>;
  /** Anonymous callers are counted by their address, with a number of their own where there is one. */
  readonly anonymous?: SettingOf<number>;
}

/**
 * The rate limits by name, as {@link Settings} are the settings: augmented where they are declared.
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- augmented where they are declared
export interface Limits {}

export type LimitName = keyof Limits & string;
