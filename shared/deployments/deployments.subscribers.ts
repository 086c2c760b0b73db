import { subscriber } from '../core/context/subscribers.js';
import { followDeployments } from './deployed-merge-requests/follow-deployments.js';
import { followLateMerges } from './deployed-merge-requests/link-late.js';
import { followDeploymentDays, followEnvironments, followMergeRequests } from './dora/follow-delivery.js';
import { followIncidents, followRemovedIncidents } from './dora/follow-incidents.js';
import { removeStrandedNames, removeStrandedOfTransfer } from './protected-environments/stranded-names.js';

/** What follows from what happened here and below, in this order. */
export const deploymentsSubscribers = [
  subscriber('merge requests of deployments', ['deployment.created', 'deployment.changed'], followDeployments),
  subscriber('deployments of merge requests', ['merge_request.merged'], followLateMerges),
  subscriber('who may deploy', ['access.reduced'], async (ctx, events) => {
    for (const { of, to } of events) await removeStrandedNames(ctx, of, to);
  }),
  subscriber('groups that may deploy', ['group.transferred'], async (ctx, events) => {
    for (const { before } of events) await removeStrandedOfTransfer(ctx, before);
  }),
  subscriber(
    'DORA days of deployments',
    ['deployment.created', 'deployment.changed', 'deployment.deleted', 'deployment.linked'],
    (ctx, events) => followDeploymentDays(ctx, events),
  ),
  subscriber('DORA days of merge requests', ['merge_request.deleted'], followMergeRequests),
  subscriber(
    'DORA days of environments',
    ['environment.created', 'environment.updated', 'environment.deleted'],
    followEnvironments,
  ),
  subscriber(
    'DORA days of incidents',
    ['issue.created', 'issue.changed', 'issue.moved', 'issue.cloned', 'issue.deleted'],
    (ctx, events) => followIncidents(ctx, events),
  ),
  subscriber('DORA days of removed incidents', ['issues.removed'], followRemovedIncidents),
];
