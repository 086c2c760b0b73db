import type { Domain } from '../core/domain.js';

export const mergeRequestsDomain: Domain = {
  name: 'merge-requests',
  entities: [],
  jobKinds: [],
  subscribers: [],
  auditOf: {},
};
