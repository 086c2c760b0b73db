import type { SettingOf } from '../values/settings.js';

/** One limit: what sets it, and the period that it counts over. Who or what it counts is its key, given when counting. */
export interface Limit {
  readonly setting: SettingOf<number>;
  /** Seconds, or the setting that says how many. */
  readonly period: number | SettingOf<number>;
  /** The setting that turns it on, where it is not on by being above 0. */
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
