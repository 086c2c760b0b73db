import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { tenancyEntities } from './tenancy.entities.js';
import * as readings from './tenancy.audit.js';
import { deleteGroups } from './groups/group.jobs.js';
import { deleteProjects, measureProjects } from './projects/project.jobs.js';
import { pruneSpamLogs, submitHam } from './spam/spam.jobs.js';
import { mentionReferences } from './containers/mention-references.js';
import { keepOwners } from './members/member.jobs.js';
import { deleteUsers } from './users/user.jobs.js';

export const tenancyDomain: Domain = {
  name: 'tenancy',
  entities: tenancyEntities,
  references: [mentionReferences],
  jobKinds: [deleteGroups, deleteProjects, keepOwners, measureProjects, deleteUsers, pruneSpamLogs, submitHam],
  subscribers: [],
  auditOf: allReadings(readings),
};
