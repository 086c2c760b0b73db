import type { TablesOf } from '../core/database/tables.js';
import type { InstanceDatabase } from '../instance/instance.entities.js';
import {
  GroupCustomAttribute,
  ProjectCustomAttribute,
  UserCustomAttribute,
} from './containers/custom-attribute.entity.js';
import { GroupSettings } from './groups/group-settings.entity.js';
import { GroupMember, ProjectMember } from './members/member.entity.js';
import { Namespace } from './namespaces/namespace.entity.js';
import { RedirectRoute } from './namespaces/redirect-route.entity.js';
import { Route } from './namespaces/route.entity.js';
import {
  GroupNotificationSetting,
  ProjectNotificationSetting,
  UserNotificationSetting,
} from './users/notification-setting.entity.js';
import { ProjectSettings } from './projects/project-settings.entity.js';
import { ProjectStar } from './project-details/project-star.entity.js';
import { ProjectContribution } from './projects/project-contribution.entity.js';
import { ProjectLanguage, ProjectStatistics } from './projects/project-statistics.entity.js';
import { Project } from './projects/project.entity.js';
import { GroupShare, ProjectShare } from './members/share.entity.js';
import { SpamLog } from './spam/spam-log.entity.js';
import { ProjectTopic, Topic } from './topics/topic.entity.js';
import { UserFollow, UserIdentity, UserStatus } from './users/user-relations.entity.js';
import { User, UserProfile } from './users/user.entity.js';
import { NamespaceCounter, ProjectCounter } from './namespaces/counter.entity.js';
import { InstanceGhost } from './users/instance-ghost.entity.js';

/** The tables of this domain. */
export const tenancyEntities = [
  GroupCustomAttribute,
  GroupMember,
  GroupNotificationSetting,
  GroupSettings,
  GroupShare,
  InstanceGhost,
  Namespace,
  NamespaceCounter,
  Project,
  ProjectContribution,
  ProjectCounter,
  ProjectCustomAttribute,
  ProjectLanguage,
  ProjectMember,
  ProjectNotificationSetting,
  ProjectSettings,
  ProjectShare,
  ProjectStar,
  ProjectStatistics,
  ProjectTopic,
  RedirectRoute,
  Route,
  SpamLog,
  Topic,
  User,
  UserCustomAttribute,
  UserFollow,
  UserIdentity,
  UserNotificationSetting,
  UserProfile,
  UserStatus,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface TenancyDatabase extends InstanceDatabase, TablesOf<(typeof tenancyEntities)[number]> {}
