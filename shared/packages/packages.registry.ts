import type { Domain } from '../core/domain.js';
import { packagesAuditOf } from './packages.audit.js';
import { Package, PackageFile, PackagePipeline } from './packages/package.entity.js';

export const packagesDomain: Domain = {
  name: 'packages',
  entities: [Package, PackageFile, PackagePipeline],
  jobKinds: [],
  subscribers: [],
  auditOf: packagesAuditOf,
};
