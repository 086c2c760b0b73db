import type { Domain } from '../core/domain.js';

export const deploymentsDomain: Domain = {
  name: 'deployments',
  entities: [],
  jobKinds: [],
  subscribers: [],
  auditOf: {},
};
