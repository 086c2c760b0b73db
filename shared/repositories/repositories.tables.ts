/* The tables of this domain: a line for each file of entities. */
export { DeployKey, DeployKeysProject } from './deploy-keys/deploy-key.entity.js';
export { ProjectMirror } from './project-mirrors/project-mirror.entity.js';
export { ProtectedBranch, ProtectedBranchAccessLevel } from './protected-refs/protected-branch.entity.js';
export { ProtectedTag, ProtectedTagAccessLevel } from './protected-refs/protected-tag.entity.js';
export { ContentRepository, RemovedContentRepository } from './repositories/content-repository.entity.js';
export { ProjectEvent } from './repositories/event.entity.js';
export { PushEventPayload } from './repositories/push-event-payload.entity.js';
export { RepositoryRef } from './repositories/repository-ref.entity.js';
export { RepositoryTransfer } from './repositories/repository-transfer.entity.js';
