import type { Domain } from '../core/domain.js';
import { repositoriesAuditOf } from './repositories.audit.js';
import { repositoriesFollowed, repositoriesPageChanges } from './repositories.pages.js';
import { repositoriesSubscribers } from './repositories.subscribers.js';
import { keepContents, removeContents } from './content-repositories/content.jobs.js';
import { ContentRepository } from './content-repositories/content-repository.entity.js';
import { DeployKey, DeployKeysProject } from './deploy-keys/deploy-key.entity.js';
import { failForks, importForks } from './project-forks/project-fork.jobs.js';
import { failImports, importProjects } from './project-imports/project-import.jobs.js';
import { ProjectMirror } from './project-mirrors/project-mirror.entity.js';
import { failMirrorUpdates, scheduleMirrors, updateMirrors } from './project-mirrors/project-mirror.jobs.js';
import { ProtectedBranch, ProtectedBranchAccessLevel } from './protected-branches/protected-branch.entity.js';
import { ProtectedTag, ProtectedTagAccessLevel } from './protected-tags/protected-tag.entity.js';
import { ProjectEvent } from './push-events/event.entity.js';
import { PushEventPayload } from './push-events/push-event-payload.entity.js';
import { commitReferences } from './references/commit-references.js';
import { RepositoryRef } from './repositories/repository-ref.entity.js';
import {
  dateRepositoryRefs,
  maintainRepositories,
  removeRepositories,
  sweepLeftovers,
} from './repositories/repository.jobs.js';
import { RepositoryTransfer } from './repository-transfers/repository-transfer.entity.js';
import { callTransfers } from './repository-transfers/repository-transfer.jobs.js';

export const repositoriesDomain: Domain = {
  name: 'repositories',
  entities: [
    ContentRepository,
    DeployKey,
    DeployKeysProject,
    ProjectEvent,
    ProjectMirror,
    ProtectedBranch,
    ProtectedBranchAccessLevel,
    ProtectedTag,
    ProtectedTagAccessLevel,
    PushEventPayload,
    RepositoryRef,
    RepositoryTransfer,
  ],
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
  auditOf: repositoriesAuditOf,
};
