import { subscriber } from '../core/events.js';
import { endAccessOf } from './user-sessions/end-access.js';

/** What follows from what happened below, in this order. */
export const subscribers = [
  subscriber('sessions and grants', ['user.stopped', 'user.password_changed'], async (ctx, events) => {
    for (const { user_id } of events) await endAccessOf(ctx, user_id);
  }),
];
