import { subscriber } from '../core/subscribers.js';
import { followBranches } from './merge-request-versions/follow-branches.js';

/** What follows from what happened here and below, in this order. */
export const mergeRequestsSubscribers = [
  subscriber('merge requests of branches', ['refs.updated'], followBranches),
];
