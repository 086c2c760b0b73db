import type { Route } from './core/routes.js';
import applicationSettings from './application-settings/application-settings.rest.js';
import auditEvents from './audit-events/audit-events.rest.js';
import commitStatuses from './commit-statuses/commit-statuses.rest.js';
import commits from './commits/commits.rest.js';
import customAttributes from './custom-attributes/custom-attributes.rest.js';
import groups from './groups/groups.rest.js';
import impersonationTokens from './impersonation-tokens/impersonation-tokens.rest.js';
import jobs from './jobs/jobs.rest.js';
import members from './members/members.rest.js';
import metadata from './metadata/metadata.rest.js';
import notificationSettings from './notification-settings/notification-settings.rest.js';
import oauth from './oauth/oauth.rest.js';
import namespaces from './namespaces/namespaces.rest.js';
import personalAccessTokens from './personal-access-tokens/personal-access-tokens.rest.js';
import pipelineSchedules from './pipeline-schedules/pipeline-schedules.rest.js';
import pipelines from './pipelines/pipelines.rest.js';
import projectForks from './project-forks/project-forks.rest.js';
import projectMirrors from './project-mirrors/project-mirrors.rest.js';
import projectStars from './project-stars/project-stars.rest.js';
import projectLifecycle from './projects/project-lifecycle.rest.js';
import projectLists from './projects/project-lists.rest.js';
import projectPeople from './projects/project-people.rest.js';
import projects from './projects/projects.rest.js';
import protectedBranches from './protected-branches/protected-branches.rest.js';
import protectedTags from './protected-tags/protected-tags.rest.js';
import repositories from './repositories/repositories.rest.js';
import repositoryFiles from './repository-files/repository-files.rest.js';
import shares from './shares/shares.rest.js';
import resourceAccessTokens from './resource-access-tokens/resource-access-tokens.rest.js';
import topics from './topics/topics.rest.js';
import users from './users/users.rest.js';

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
