/* Routes of this domain by area: one line per route file. */
export {
  containerAuditEventRoutes as auditEvents,
  customAttributeRoutes as customAttributes,
} from './containers/containers.rest.js';
export { default as groups } from './groups/groups.rest.js';
export { default as members } from './members/members.rest.js';
export { shareRoutes as shares } from './members/members.rest.js';
export { namespaceRoutes as namespaces, spamLogRoutes as spamLogs, topicRoutes as topics } from './tenancy.rest.js';
export { projectStarRoutes as projectStars } from './projects/projects.rest.js';
export { notificationSettingRoutes as notificationSettings } from './users/users.rest.js';
export { default as users } from './users/users.rest.js';
