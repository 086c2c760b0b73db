/* Routes of this domain by area: one line per route file. */
export { default as commits } from './commits/commits.rest.js';
export { comparisonRoutes as comparisons } from './commits/commits.rest.js';
export {
  deployKeyRoutes as deployKeys,
  projectForkRoutes as projectForks,
  projectMirrorRoutes as projectMirrors,
  repositoryRoutes as repositories,
} from './repositories.rest.js';
export {
  protectedBranchRoutes as protectedBranches,
  protectedTagRoutes as protectedTags,
} from './protected-refs/protected-refs.rest.js';
export { repositoryArchiveRoutes as repositoryArchives } from './repository-files/repository-files.rest.js';
export { default as repositoryFiles } from './repository-files/repository-files.rest.js';
