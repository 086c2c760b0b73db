import { subscriber } from '../core/subscribers.js';
import { followDeployments } from './deployed-merge-requests/follow-deployments.js';

/** What follows from what happened here and below, in this order. */
export const deploymentsSubscribers = [
  subscriber('merge requests of deployments', ['deployment.created', 'deployment.changed'], followDeployments),
];
