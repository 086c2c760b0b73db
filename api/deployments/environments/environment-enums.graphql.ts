import { registerEnumType, Field, InputType } from 'type-graphql';

/** The tier of an environment on the way to production. */
export const DeploymentTier = {
  PRODUCTION: 'production',
  STAGING: 'staging',
  TESTING: 'testing',
  DEVELOPMENT: 'development',
  OTHER: 'other',
} as const;
registerEnumType(DeploymentTier, {
  name: 'DeploymentTier',
  description: 'Deployment tier of an environment, by its nearness to production.',
  valuesConfig: {
    PRODUCTION: { description: 'Environment in use by users.' },
    STAGING: { description: 'Environment before production.' },
    TESTING: { description: 'Environment for tests.' },
    DEVELOPMENT: { description: 'Environment for development and reviews.' },
    OTHER: { description: 'Environment of any other kind.' },
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
  description: 'Status of a deployment.',
  valuesConfig: {
    CREATED: { description: 'Deployment is waiting to run.' },
    RUNNING: { description: 'Deployment is running.' },
    SUCCESS: { description: 'Deployment has succeeded.' },
    FAILED: { description: 'Deployment did not succeed.' },
    CANCELED: { description: 'Deployment was canceled.' },
    SKIPPED: { description: 'Deployment was skipped because there was a newer one.' },
    BLOCKED: { description: 'Deployment is waiting for approvals.' },
  },
});

const SortDirectionEnum = { ASC: 'asc', DESC: 'desc' } as const;
registerEnumType(SortDirectionEnum, {
  name: 'SortDirectionEnum',
  description: 'Values for sort direction.',
  valuesConfig: {
    ASC: { description: 'Ascending order: least first.' },
    DESC: { description: 'Descending order: greatest first.' },
  },
});

@InputType('DeploymentsOrderByInput', { description: 'Sort order of deployments, by one of the fields.' })
export class DeploymentsOrderByInput {
  @Field(() => SortDirectionEnum, { nullable: true, description: 'Sort direction by creation time.' })
  createdAt?: 'asc' | 'desc' | null;

  @Field(() => SortDirectionEnum, { nullable: true, description: 'Sort direction by finish time.' })
  finishedAt?: 'asc' | 'desc' | null;
}
