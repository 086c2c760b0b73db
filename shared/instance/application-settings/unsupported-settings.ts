import type { z } from 'zod';
import {
  anything,
  boolean,
  clearable,
  clearableText,
  decimal,
  integer,
  list,
  oneOf,
  text,
} from '../../core/operations/fields.js';
import type { Setting, StoredSetting } from '../../core/context/settings-store.js';
import { instanceSettings } from './settings.js';
import { unsupportedNames } from './unsupported-names.js';

const LONGEST_TEXT = 65_536;
const LONGEST_ITEM = 1000;
const MOST_ITEMS = 1000;
/** Characters of a hash as JSON. */
const LARGEST_HASH = 10_000;

const visibility = () => oneOf(['private', 'internal', 'public']);

const isHash = (value: unknown) => value !== null && typeof value === 'object' && !Array.isArray(value);

const hash = () =>
  anything()
    .refine((value) => isHash(value) && JSON.stringify(value).length <= LARGEST_HASH, 'is invalid')
    .meta({ type: 'object' });

const shortText = () =>
  text()
    .refine((value) => value.length <= LONGEST_ITEM, 'is invalid')
    .meta({ type: 'string', maxLength: LONGEST_ITEM });

const longText = () =>
  clearableText()
    .refine((value) => (value ?? '').length <= LONGEST_TEXT, 'is invalid')
    .meta({ type: ['string', 'null'], maxLength: LONGEST_TEXT });

/** How values of each kind are read; null is no value. */
const fields = {
  boolean: () => clearable(boolean()),
  integer: () => clearable(integer()),
  number: () => clearable(decimal()),
  text: longText,
  secret: longText,
  texts: () => clearable(list(shortText(), { commas: true, max: MOST_ITEMS })),
  integers: () => clearable(list(integer(), { commas: true, max: MOST_ITEMS })),
  hash: () => clearable(hash()),
  visibility: () => clearable(visibility()),
  visibilities: () => clearable(list(visibility(), { commas: true, max: MOST_ITEMS })),
} satisfies Record<keyof typeof unsupportedNames, () => z.ZodType>;

const choices = {
  email_confirmation_setting: ['off', 'soft', 'hard'],
  enabled_git_access_protocol: ['ssh', 'http', 'all'],
  sidekiq_job_limiter_mode: ['track', 'compress'],
  whats_new_variant: ['all_tiers', 'current_tier', 'disabled'],
} as const;

const DOCS = 'Stored and returned, without effect on this service.';

function declare(field: z.ZodType, secret: boolean): Setting {
  return { field, default: null, docs: DOCS, ...(secret ? { secret: true as const } : {}) };
}

/**
 * Settings that clients of the public API send and that this service does not implement. Their values are stored, so
 * that tools which compare written and read values converge, and the responses list them.
 */
export const unsupportedSettings: Readonly<Record<string, Setting>> = Object.fromEntries(
  [
    ...Object.entries(unsupportedNames).flatMap(([kind, names]) =>
      names.map((name) => [name, declare(fields[kind as keyof typeof fields](), kind === 'secret')] as const),
    ),
    ...Object.entries(choices).map(([name, values]) => [name, declare(clearable(oneOf(values)), false)] as const),
  ]
    .filter(([name]) => !Object.hasOwn(instanceSettings, name))
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);

/** Values of unsupported settings, by name. */
export type UnsupportedValues = Readonly<Record<string, unknown>>;

/** Values of stored rows that belong to unsupported settings and are valid in this version. */
export function unsupportedValues(rows: readonly StoredSetting[]): UnsupportedValues {
  const valid = rows.filter(({ name, value }) => unsupportedSettings[name]?.field.safeParse(value).success);
  return Object.fromEntries(valid.map(({ name, value }) => [name, value]));
}
