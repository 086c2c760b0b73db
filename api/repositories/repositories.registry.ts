import type { ApiDomain } from '../core/domain.js';
import commits from './commits/commits.rest.js';
import deployKeys from './deploy-keys/deploy-keys.rest.js';
import comparisons from './commits/comparisons.rest.js';
import projectForks from './project-forks/project-forks.rest.js';
import projectLifecycle from './project-lifecycle/project-lifecycle.rest.js';
import projectSettings from './project-lifecycle/project-settings.rest.js';
import projectMirrors from './project-mirrors/project-mirrors.rest.js';
import protectedBranches from './protected-refs/protected-branches.rest.js';
import protectedTags from './protected-refs/protected-tags.rest.js';
import repositories from './repositories/repositories.rest.js';
import repositoryArchives from './repository-files/repository-archives.rest.js';
import repositoryFiles from './repository-files/repository-files.rest.js';

export const repositoriesApi: ApiDomain = {
  areas: {
    commits,
    deployKeys,
    comparisons,
    projectForks,
    projectMirrors,
    projects: [...projectSettings, ...projectLifecycle],
    protectedBranches,
    protectedTags,
    repositories,
    repositoryArchives,
    repositoryFiles,
  },
  resolvers: async () => (await import('./repositories.resolvers.js')).repositoriesResolvers,
};
