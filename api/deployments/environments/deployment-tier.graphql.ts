import { registerEnumType } from 'type-graphql';

/** Where an environment stands on the way to production. */
export const DeploymentTierEnum = {
  PRODUCTION: 'production',
  STAGING: 'staging',
  TESTING: 'testing',
  DEVELOPMENT: 'development',
  OTHER: 'other',
} as const;
registerEnumType(DeploymentTierEnum, {
  name: 'DeploymentTier',
  description: 'Where an environment stands on the way to production.',
  valuesConfig: Object.fromEntries(
    Object.entries(DeploymentTierEnum).map(([name, tier]) => [name, { description: `The tier ${tier}.` }]),
  ),
});
