import { registerEnumType, Field, InputType } from 'type-graphql';

/** Where an environment stands on the way to production. */
export const DeploymentTier = {
  PRODUCTION: 'production',
  STAGING: 'staging',
  TESTING: 'testing',
  DEVELOPMENT: 'development',
  OTHER: 'other',
} as const;
registerEnumType(DeploymentTier, {
  name: 'DeploymentTier',
  description: 'Where an environment stands on the way to production.',
  valuesConfig: {
    PRODUCTION: { description: 'What users have.' },
    STAGING: { description: 'Before production.' },
    TESTING: { description: 'For tests.' },
    DEVELOPMENT: { description: 'For development, and reviews.' },
    OTHER: { description: 'None of these.' },
  },
});

export const DeploymentStatus = {
  CREATED: 'created',
  RUNNING: 'running',
  SUCCESS: 'success',
  FAILED: 'failed',
  CANCELED: 'canceled',
  SKIPPED: 'skipped',
  BLOCKED: 'blocked',
} as const;
registerEnumType(DeploymentStatus, {
  name: 'DeploymentStatus',
  description: 'How far a deployment is.',
  valuesConfig: {
    CREATED: { description: 'Waits to be run.' },
    RUNNING: { description: 'Runs.' },
    SUCCESS: { description: 'Done.' },
    FAILED: { description: 'Did not succeed.' },
    CANCELED: { description: 'Was stopped.' },
    SKIPPED: { description: 'Was not run: a newer one was there.' },
    BLOCKED: { description: 'Waits for approvals.' },
  },
});

const SortDirectionEnum = { ASC: 'asc', DESC: 'desc' } as const;
registerEnumType(SortDirectionEnum, {
  name: 'SortDirectionEnum',
  description: 'Direction of an order.',
  valuesConfig: { ASC: { description: 'The least first.' }, DESC: { description: 'The greatest first.' } },
});

@InputType('DeploymentsOrderByInput', { description: 'Order of deployments: one of its fields.' })
export class DeploymentsOrderByInput {
  @Field(() => SortDirectionEnum, { nullable: true, description: 'By when they were made.' })
  createdAt?: 'asc' | 'desc' | null;

  @Field(() => SortDirectionEnum, { nullable: true, description: 'By when they ended.' })
  finishedAt?: 'asc' | 'desc' | null;
}
