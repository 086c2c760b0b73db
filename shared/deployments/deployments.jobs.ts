import { queueJob } from '../core/context/jobs.js';

/** Links a deployment that succeeded with the merge requests that it brought, or takes the links of one that did not. */
export const linkDeployedMergeRequests = queueJob<{ deployment_id: number }>('deployments.link_merge_requests', {
  category: 'continuous_delivery',
  expireInSeconds: 600,
});

/** Links a merge request with deployments that had it before it was recorded that it is merged. */
export const linkLateMergeRequest = queueJob<{ merge_request_id: number }>('deployments.link_late_merge_request', {
  category: 'continuous_delivery',
  expireInSeconds: 600,
});

const devopsReports = 'devops_reports';

/** Computes a day, `YYYY-MM-DD` UTC, of an environment anew, where it still waits for that. */
export const refreshDoraDay = queueJob<{ environment_id: number; date: string }>('dora.refresh_day', {
  category: devopsReports,
});

/** Computes all days of a project anew: other environments than before are of production. */
export const rebuildDoraOfProject = queueJob<{ project_id: number }>('dora.rebuild_project', {
  category: devopsReports,
});

/** Computes every day of every project anew, and sends what was lost: once a night. */
export const rebuildDora = queueJob('dora.rebuild', {
  category: devopsReports,
  policy: 'exclusive',
  everySeconds: 86_400,
  expireInSeconds: 7_200,
});

const category = 'continuous_delivery';

/** Stops what of a project was neither changed nor deployed to since `before` (ISO 8601), for whoever asked for it. */
export const stopStaleEnvironments = queueJob<{ project_id: number; user_id: number; before: string }>(
  'environments.stop_stale',
  { category },
);

/** Stops environments whose time is up, and removes stopped review apps whose time is up. */
export const tendEnvironments = queueJob<Record<string, never>>('environments.tend', { category, everySeconds: 60 });
