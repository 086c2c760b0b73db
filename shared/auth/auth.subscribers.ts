import { subscriber } from '../core/context/subscribers.js';
import { forgetInitialCredentials } from './administration/initial-credentials.js';
import { endAccessOf } from './user-sessions/end-sessions.js';

/** What follows from what happened below, in this order. */
export const authSubscribers = [
  subscriber('sessions and grants', ['user.stopped', 'user.password_changed'], async (ctx, events) => {
    for (const event of events) {
      if (event.type === 'user.stopped') await endAccessOf(ctx, event.user_id);
      // Who changes their own goes on in a new session: the others ended before that began.
      else if (event.by === 'another') await endAccessOf(ctx, event.user.id);
    }
  }),
  subscriber('initial credentials', ['user.password_changed'], (ctx, events) =>
    forgetInitialCredentials(
      ctx,
      events.map(({ user }) => user.id),
    ),
  ),
];
