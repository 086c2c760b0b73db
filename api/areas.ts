import type { Route } from './core/routes.js';
import applicationSettings from './instance/application-settings/application-settings.rest.js';
import auditEvents from './instance/audit-events/audit-events.rest.js';
import commitStatuses from './ci/commit-statuses/commit-statuses.rest.js';
import commits from './repositories/commits/commits.rest.js';
import customAttributes from './tenancy/custom-attributes/custom-attributes.rest.js';
import groups from './tenancy/groups/groups.rest.js';
import impersonationTokens from './auth/impersonation-tokens/impersonation-tokens.rest.js';
import jobs from './ci/jobs/jobs.rest.js';
import members from './tenancy/members/members.rest.js';
import metadata from './instance/metadata/metadata.rest.js';
import notificationSettings from './tenancy/notification-settings/notification-settings.rest.js';
import oauth from './auth/oauth/oauth.rest.js';
import namespaces from './tenancy/namespaces/namespaces.rest.js';
import personalAccessTokens from './auth/personal-access-tokens/personal-access-tokens.rest.js';
import pipelineSchedules from './ci/pipeline-schedules/pipeline-schedules.rest.js';
import pipelines from './ci/pipelines/pipelines.rest.js';
import projectForks from './repositories/project-forks/project-forks.rest.js';
import projectMirrors from './repositories/project-mirrors/project-mirrors.rest.js';
import projectStars from './tenancy/project-stars/project-stars.rest.js';
import projectLifecycle from './repositories/project-lifecycle/project-lifecycle.rest.js';
import projectLists from './tenancy/projects/project-lists.rest.js';
import projectPeople from './tenancy/projects/project-people.rest.js';
import projects from './tenancy/projects/projects.rest.js';
import protectedBranches from './repositories/protected-branches/protected-branches.rest.js';
import protectedTags from './repositories/protected-tags/protected-tags.rest.js';
import repositories from './repositories/repositories/repositories.rest.js';
import repositoryFiles from './repositories/repository-files/repository-files.rest.js';
import shares from './tenancy/shares/shares.rest.js';
import resourceAccessTokens from './auth/resource-access-tokens/resource-access-tokens.rest.js';
import topics from './tenancy/topics/topics.rest.js';
import users from './tenancy/users/users.rest.js';

/** The one list of areas that REST serves; their names are tags in the API's description. */
const areas: Record<string, Route[]> = {
  applicationSettings,
  auditEvents,
  commitStatuses,
  commits,
  customAttributes,
  groups,
  impersonationTokens,
  jobs,
  members,
  metadata,
  notificationSettings,
  oauth,
  namespaces,
  personalAccessTokens,
  pipelineSchedules,
  pipelines,
  projects: [...projects, ...projectLists, ...projectLifecycle, ...projectPeople],
  projectForks,
  projectMirrors,
  projectStars,
  protectedBranches,
  protectedTags,
  repositories,
  repositoryFiles,
  shares,
  resourceAccessTokens,
  topics,
  users,
};

export const allRoutes: Route[] = Object.entries(areas).flatMap(([area, routes]) =>
  routes.map((route) => ({ ...route, area })),
);
