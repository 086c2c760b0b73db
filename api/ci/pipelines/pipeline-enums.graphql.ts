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
  description: 'How far a pipeline is.',
  valuesConfig: {
    CREATED: { description: 'Nothing has happened yet.' },
    WAITING_FOR_RESOURCE: { description: 'Something that it needs is taken by another.' },
    PREPARING: { description: 'Its surroundings are being made.' },
    WAITING_FOR_CALLBACK: { description: 'An outside service will report.' },
    PENDING: { description: 'Waits for somebody to run it.' },
    RUNNING: { description: 'Runs.' },
    SUCCESS: { description: 'Done, and all is well.' },
    FAILED: { description: 'Done, and something failed.' },
    CANCELING: { description: 'Is being stopped.' },
    CANCELED: { description: 'Was stopped.' },
    SKIPPED: { description: 'Was not run.' },
    MANUAL: { description: 'Waits for somebody to start it.' },
    SCHEDULED: { description: 'Starts later.' },
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
  description: 'A choice of pipelines.',
  valuesConfig: {
    RUNNING: { description: 'Those that run.' },
    PENDING: { description: 'Those that wait.' },
    FINISHED: { description: 'Those that are done.' },
    BRANCHES: { description: 'The newest of each branch.' },
    TAGS: { description: 'The newest of each tag.' },
  },
});
