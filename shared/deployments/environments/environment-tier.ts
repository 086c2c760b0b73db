/** Where an environment stands on the way to production. */
export const ENVIRONMENT_TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const;
export type EnvironmentTier = (typeof ENVIRONMENT_TIERS)[number];

/** The first that a name matches says its tier. */
const GUESSES: readonly [RegExp, EnvironmentTier][] = [
  [/dev|review|trunk/i, 'development'],
  [/test|tst|int|acpt|accept|qa|qc|control|quality/i, 'testing'],
  [/stg|stag|modl|model|pre|demo|non/i, 'staging'],
  [/prd|prod|live/i, 'production'],
];

/** The tier that the name of an environment speaks of (delivery-resources.md section 1); `other` for none. */
export function guessTier(name: string): EnvironmentTier {
  return GUESSES.find(([words]) => words.test(name))?.[1] ?? 'other';
}
