import { queueJob } from '../core/context/jobs.js';

/**
 * Links a successful deployment with the merge requests that it delivered, or removes the links of an unsuccessful one.
 */
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

/** Recomputes one day (`YYYY-MM-DD`, UTC) of an environment, if it is still marked as outdated. */
export const refreshDoraDay = queueJob<{ environment_id: number; date: string }>('dora.refresh_day', {
  category: devopsReports,
});

/** Recomputes all days of a project, because its set of production environments changed. */
export const rebuildDoraOfProject = queueJob<{ project_id: number }>('dora.rebuild_project', {
  category: devopsReports,
});

/** Recomputes every day of every project and resends lost jobs, once a night. */
export const rebuildDora = queueJob('dora.rebuild', {
  category: devopsReports,
  policy: 'exclusive',
  everySeconds: 86_400,
  expireInSeconds: 7_200,
});

const category = 'continuous_delivery';

/**
 * Stops environments of a project that were neither changed nor deployed to since `before` (ISO 8601), on behalf of the
 * requesting user.
 */
export const stopStaleEnvironments = queueJob<{ project_id: number; user_id: number; before: string }>(
  'environments.stop_stale',
  { category },
);

/** Stops environments and deletes stopped review apps whose scheduled time has passed. */
export const tendEnvironments = queueJob<Record<string, never>>('environments.tend', { category, everySeconds: 60 });
