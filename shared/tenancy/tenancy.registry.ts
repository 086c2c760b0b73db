import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { tenancyEntities } from './tenancy.entities.js';
import * as readings from './tenancy.audit.js';
import {
  deleteGroups,
  deleteProjects,
  measureProjects,
  pruneSpamLogs,
  submitHam,
  keepOwners,
  deleteUsers,
} from './tenancy.jobs.js';
import { mentionReferences } from './containers/mention-references.js';

export const tenancyDomain: Domain = {
  name: 'tenancy',
  entities: tenancyEntities,
  references: [mentionReferences],
  jobKinds: [deleteGroups, deleteProjects, keepOwners, measureProjects, deleteUsers, pruneSpamLogs, submitHam],
  subscribers: [],
  auditOf: allReadings(readings),
};
