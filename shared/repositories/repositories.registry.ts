import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { repositoriesEntities } from './repositories.entities.js';
import * as readings from './repositories.audit.js';
import { repositoriesFollowed, repositoriesPageChanges } from './repositories.pages.js';
import { repositoriesSubscribers } from './repositories.subscribers.js';
import { keepContents, removeContents } from './repositories/content.jobs.js';
import { failForks, importForks } from './project-forks/project-fork.jobs.js';
import { failImports, importProjects } from './project-imports/project-import.jobs.js';
import { failMirrorUpdates, scheduleMirrors, updateMirrors } from './project-mirrors/project-mirror.jobs.js';
import { commitReferences } from './repositories/commit-references.js';
import {
  dateRepositoryRefs,
  maintainRepositories,
  removeRepositories,
  sweepLeftovers,
} from './repositories/repository.jobs.js';
import { callTransfers } from './repositories/repository-transfer.jobs.js';

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
  followed: repositoriesFollowed,
  pageChanges: repositoriesPageChanges,
  auditOf: allReadings(readings),
};
