import type { ApiDomain } from '../core/domain.js';
import auditEvents from './containers/container-audit-events.rest.js';
import customAttributes from './containers/custom-attributes.rest.js';
import groups from './groups/groups.rest.js';
import members from './members/members.rest.js';
import namespaces from './namespaces/namespaces.rest.js';
import notificationSettings from './users/notification-settings.rest.js';
import projectStars from './project-details/project-stars.rest.js';
import projectLists from './projects/project-lists.rest.js';
import projectPeople from './projects/project-people.rest.js';
import projects from './projects/projects.rest.js';
import shares from './members/shares.rest.js';
import spamLogs from './spam/spam-logs.rest.js';
import topics from './topics/topics.rest.js';
import users from './users/users.rest.js';

export const tenancyApi: ApiDomain = {
  areas: {
    auditEvents,
    customAttributes,
    groups,
    members,
    namespaces,
    notificationSettings,
    projectStars,
    projects: [...projects, ...projectLists, ...projectPeople],
    shares,
    spamLogs,
    topics,
    users,
  },
  resolvers: async () => (await import('./tenancy.resolvers.js')).tenancyResolvers,
};
