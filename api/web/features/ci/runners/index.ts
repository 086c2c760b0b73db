export { Runners } from './Runners.js';
export { runnersQuery } from './queries.js';
export type { RunnerOwner } from './queries.js';
