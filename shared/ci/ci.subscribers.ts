import { subscriber } from '../core/context/subscribers.js';
import { startPipelinesOfMirrors } from './pipelines/start-pipelines-of-mirrors.js';
import { deactivateSchedulesOf } from './pipeline-schedules/deactivate-schedules.js';

/** What follows from what happened below, in this order. */
export const ciSubscribers = [
  subscriber('schedules of who may not sign in', ['user.stopped'], async (ctx, events) => {
    for (const { user_id } of events) await deactivateSchedulesOf(ctx, user_id);
  }),
  subscriber('pipelines of mirrors', ['mirror.updated'], async (ctx, events) => {
    for (const { project, changes } of events) await startPipelinesOfMirrors(ctx, project, changes);
  }),
];
