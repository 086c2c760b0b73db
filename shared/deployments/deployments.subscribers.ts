import { subscriber } from '../core/context/subscribers.js';
import { syncDeployments } from './deployed-merge-requests/sync-deployments.js';
import { linkLateMerges } from './deployed-merge-requests/link-late.js';
import { markDeploymentDays, rebuildEnvironmentDays, markMergeRequestDays } from './dora/mark-delivery-days.js';
import { markIncidentDays, markRemovedIncidentDays } from './dora/mark-incident-days.js';
import { removeStrandedNames, removeStrandedOfTransfer } from './protected-environments/stranded-names.js';

/** What follows from what happened here and below, in this order. */
export const deploymentsSubscribers = [
  subscriber('merge requests of deployments', ['deployment.created', 'deployment.changed'], syncDeployments),
  subscriber('deployments of merge requests', ['merge_request.merged'], linkLateMerges),
  subscriber('who may deploy', ['access.reduced'], async (ctx, events) => {
    for (const { of, to } of events) await removeStrandedNames(ctx, of, to);
  }),
  subscriber('groups that may deploy', ['group.transferred'], async (ctx, events) => {
    for (const { before } of events) await removeStrandedOfTransfer(ctx, before);
  }),
  subscriber(
    'DORA days of deployments',
    ['deployment.created', 'deployment.changed', 'deployment.deleted', 'deployment.linked'],
    (ctx, events) => markDeploymentDays(ctx, events),
  ),
  subscriber('DORA days of merge requests', ['merge_request.deleted'], markMergeRequestDays),
  subscriber(
    'DORA days of environments',
    ['environment.created', 'environment.updated', 'environment.deleted'],
    rebuildEnvironmentDays,
  ),
  subscriber(
    'DORA days of incidents',
    ['issue.created', 'issue.changed', 'issue.moved', 'issue.cloned', 'issue.deleted'],
    (ctx, events) => markIncidentDays(ctx, events),
  ),
  subscriber('DORA days of removed incidents', ['issues.removed'], markRemovedIncidentDays),
];
