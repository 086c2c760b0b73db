import type { Subscriber } from '../core/context.js';

/** What follows from what happened here and below, in this order. */
export const deploymentsSubscribers: readonly Subscriber[] = [];
