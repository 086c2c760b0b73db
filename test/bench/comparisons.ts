import { compare } from './compare.js';
import type { Bench } from './goal.js';
import type { Dataset } from './dataset.js';

interface Comparison {
  name: string;
  path: (data: Dataset) => string;
  /** The share of the twin's rate that the service must reach. */
  share: number;
}

const endpoints: Comparison[] = [
  { name: 'project-read', path: (data) => `/projects/${data.projectId}`, share: 0.5 },
  { name: 'project-list', path: () => '/projects?per_page=20', share: 0.4 },
  { name: 'schedule-list', path: (data) => `/projects/${data.projectId}/pipeline_schedules`, share: 0.4 },
  {
    name: 'schedule-read',
    path: (data) => `/projects/${data.projectId}/pipeline_schedules/${data.scheduleId}`,
    share: 0.5,
  },
];

/** Endpoints compared with their twins. */
export const comparisons: Bench[] = endpoints.map(({ name, path, share }) => ({
  name,
  run: (site, effort) =>
    compare(site, effort, { name, path: `/api/v4${path(site.data)}`, share, token: site.data.token }),
}));
