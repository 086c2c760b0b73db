import { queueJob } from '../../core/context/jobs.js';

const category = 'devops_reports';

/** Computes a day, `YYYY-MM-DD` UTC, of an environment anew, where it still waits for that. */
export const refreshDoraDay = queueJob<{ environment_id: number; date: string }>('dora.refresh_day', { category });

/** Computes all days of a project anew: other environments than before are of production. */
export const rebuildDoraOfProject = queueJob<{ project_id: number }>('dora.rebuild_project', { category });

/** Computes every day of every project anew, and sends what was lost: once a night. */
export const rebuildDora = queueJob('dora.rebuild', {
  category,
  policy: 'exclusive',
  everySeconds: 86_400,
  expireInSeconds: 7_200,
});
