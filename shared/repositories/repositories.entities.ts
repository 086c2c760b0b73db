import type { TablesOf } from '../core/database/tables.js';
import type { AuthDatabase } from '../auth/auth.entities.js';
import { ContentRepository } from './repositories/content-repository.entity.js';
import { DeployKey, DeployKeysProject } from './deploy-keys/deploy-key.entity.js';
import { ProjectMirror } from './project-mirrors/project-mirror.entity.js';
import { ProtectedBranch, ProtectedBranchAccessLevel } from './protected-refs/protected-branch.entity.js';
import { ProtectedTag, ProtectedTagAccessLevel } from './protected-refs/protected-tag.entity.js';
import { ProjectEvent } from './repositories/event.entity.js';
import { PushEventPayload } from './repositories/push-event-payload.entity.js';
import { RepositoryRef } from './repositories/repository-ref.entity.js';
import { RepositoryTransfer } from './repositories/repository-transfer.entity.js';
import { RemovedContentRepository } from './repositories/removed-content-repository.entity.js';

/** The tables of this domain. */
export const repositoriesEntities = [
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
  RemovedContentRepository,
  RepositoryRef,
  RepositoryTransfer,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface RepositoriesDatabase extends AuthDatabase, TablesOf<(typeof repositoriesEntities)[number]> {}
