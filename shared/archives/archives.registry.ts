import type { Domain } from '../core/domain.js';

export const archivesDomain: Domain = {
  name: 'archives',
  entities: [],
  jobKinds: [],
  subscribers: [],
  auditOf: {},
};
