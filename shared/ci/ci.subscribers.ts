import { subscriber } from '../core/context/subscribers.js';
import { requestMirrorPipelines, requestPushPipelines } from './pipeline-creation/request-push-pipelines.js';
import { deactivateSchedulesOf } from './pipeline-schedules/deactivate-schedules.js';

/** What follows from what happened below, in this order. */
export const ciSubscribers = [
  subscriber('schedules of who may not sign in', ['user.stopped'], async (ctx, events) => {
    for (const { user_id } of events) await deactivateSchedulesOf(ctx, user_id);
  }),
  subscriber('pipelines of mirrors', ['mirror.updated'], requestMirrorPipelines),
  subscriber('pipelines of pushes', ['refs.updated'], requestPushPipelines),
];
