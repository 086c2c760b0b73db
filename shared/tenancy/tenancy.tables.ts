/* The tables of this domain: a line for each file of entities. */
export {
  GroupCustomAttribute,
  ProjectCustomAttribute,
  UserCustomAttribute,
} from './containers/custom-attribute.entity.js';
export { GroupSettings } from './groups/group.entity.js';
export { GroupMember, ProjectMember } from './members/member.entity.js';
export { GroupShare, ProjectShare } from './members/share.entity.js';
export { NamespaceCounter, ProjectCounter, Namespace, RedirectRoute, Route } from './namespaces/namespace.entity.js';
export { ProjectStar } from './project-details/project-star.entity.js';
export { ProjectContribution, Project } from './projects/project.entity.js';
export { ProjectSettings } from './projects/project-settings.entity.js';
export { ProjectLanguage, ProjectStatistics } from './projects/project-statistics.entity.js';
export { SpamLog } from './spam/spam-log.entity.js';
export { ProjectTopic, Topic } from './topics/topic.entity.js';
export { InstanceGhost, UserFollow, UserIdentity, UserStatus } from './users/user-relations.entity.js';
export {
  GroupNotificationSetting,
  ProjectNotificationSetting,
  UserNotificationSetting,
} from './users/notification-setting.entity.js';
export { User, UserProfile } from './users/user.entity.js';
