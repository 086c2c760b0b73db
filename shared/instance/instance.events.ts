import type { QueueJobEvents } from './queue-jobs/queue-job.events.js';

export interface InstanceEvents extends QueueJobEvents {
  /** Settings of the instance were submitted, whether or not their values changed. */
  'settings.updated': {
    readonly before: Readonly<Record<string, unknown>>;
    readonly after: Readonly<Record<string, unknown>>;
    readonly names: readonly string[];
  };
}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends InstanceEvents {}
}
