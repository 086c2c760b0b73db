/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as auditEvents } from './containers/container-audit-events.rest.js';
export { default as customAttributes } from './containers/custom-attributes.rest.js';
export { default as groups } from './groups/groups.rest.js';
export { default as members } from './members/members.rest.js';
export { default as shares } from './members/shares.rest.js';
export { default as namespaces } from './namespaces/namespaces.rest.js';
export { default as projectStars } from './project-details/project-stars.rest.js';
export { default as spamLogs } from './spam/spam-logs.rest.js';
export { default as topics } from './topics/topics.rest.js';
export { default as notificationSettings } from './users/notification-settings.rest.js';
export { default as users } from './users/users.rest.js';
