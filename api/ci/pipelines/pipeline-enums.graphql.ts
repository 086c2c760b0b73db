import { registerEnumType } from 'type-graphql';

/** States of a pipeline, as stored. */
export const PipelineStatusEnum = {
  CREATED: 'created',
  WAITING_FOR_RESOURCE: 'waiting_for_resource',
  PREPARING: 'preparing',
  WAITING_FOR_CALLBACK: 'waiting_for_callback',
  PENDING: 'pending',
  RUNNING: 'running',
  SUCCESS: 'success',
  FAILED: 'failed',
  CANCELING: 'canceling',
  CANCELED: 'canceled',
  SKIPPED: 'skipped',
  MANUAL: 'manual',
  SCHEDULED: 'scheduled',
} as const;
registerEnumType(PipelineStatusEnum, {
  name: 'PipelineStatusEnum',
  description: 'Status of a pipeline.',
  valuesConfig: {
    CREATED: { description: 'Pipeline has been created.' },
    WAITING_FOR_RESOURCE: { description: 'Pipeline is waiting for a resource that is in use elsewhere.' },
    PREPARING: { description: 'Environment of the pipeline is being prepared.' },
    WAITING_FOR_CALLBACK: { description: 'Pipeline is waiting for a report from an external service.' },
    PENDING: { description: 'Pipeline is waiting to be run.' },
    RUNNING: { description: 'Pipeline is running.' },
    SUCCESS: { description: 'Pipeline completed successfully.' },
    FAILED: { description: 'Pipeline is complete, and something failed.' },
    CANCELING: { description: 'Pipeline is being canceled.' },
    CANCELED: { description: 'Pipeline was canceled.' },
    SKIPPED: { description: 'Pipeline was skipped.' },
    MANUAL: { description: 'Pipeline is waiting for a user to start it.' },
    SCHEDULED: { description: 'Pipeline is scheduled to start later.' },
  },
});

/** Choices that a list of pipelines can be narrowed to. */
export const PipelineScopeEnum = {
  RUNNING: 'running',
  PENDING: 'pending',
  FINISHED: 'finished',
  BRANCHES: 'branches',
  TAGS: 'tags',
} as const;
registerEnumType(PipelineScopeEnum, {
  name: 'PipelineScopeEnum',
  description: 'Scope of a list of pipelines.',
  valuesConfig: {
    RUNNING: { description: 'Pipelines that are running.' },
    PENDING: { description: 'Pipelines that are pending.' },
    FINISHED: { description: 'Pipelines that are finished.' },
    BRANCHES: { description: 'Newest pipeline of each branch.' },
    TAGS: { description: 'Newest pipeline of each tag.' },
  },
});
