import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { repositoriesEntities } from './repositories.entities.js';
import * as readings from './repositories.audit.js';
import { repositoriesLiveKinds, repositoriesPageChanges } from './repositories.pages.js';
import { repositoriesSubscribers } from './repositories.subscribers.js';
import {
  keepContents,
  removeContents,
  failForks,
  importForks,
  failImports,
  importProjects,
  failMirrorUpdates,
  scheduleMirrors,
  updateMirrors,
  dateRepositoryRefs,
  maintainRepositories,
  removeRepositories,
  sweepLeftovers,
  callTransfers,
} from './repositories.jobs.js';
import { commitReferences } from './repositories/commit-references.js';

export const repositoriesDomain: Domain = {
  name: 'repositories',
  entities: repositoriesEntities,
  references: [commitReferences],
  jobKinds: [
    failForks,
    importForks,
    failImports,
    importProjects,
    failMirrorUpdates,
    scheduleMirrors,
    updateMirrors,
    callTransfers,
    removeRepositories,
    dateRepositoryRefs,
    maintainRepositories,
    sweepLeftovers,
    keepContents,
    removeContents,
  ],
  subscribers: repositoriesSubscribers,
  liveKinds: repositoriesLiveKinds,
  pageChanges: repositoriesPageChanges,
  auditOf: allReadings(readings),
};
