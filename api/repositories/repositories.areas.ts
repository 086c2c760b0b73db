/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as commits } from './commits/commits.rest.js';
export { default as comparisons } from './commits/comparisons.rest.js';
export { default as deployKeys } from './deploy-keys/deploy-keys.rest.js';
export { default as projectForks } from './project-forks/project-forks.rest.js';
export { default as projectMirrors } from './project-mirrors/project-mirrors.rest.js';
export { default as protectedBranches } from './protected-refs/protected-branches.rest.js';
export { default as protectedTags } from './protected-refs/protected-tags.rest.js';
export { default as repositories } from './repositories/repositories.rest.js';
export { default as repositoryArchives } from './repository-files/repository-archives.rest.js';
export { default as repositoryFiles } from './repository-files/repository-files.rest.js';
