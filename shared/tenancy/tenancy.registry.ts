import type { Domain } from '../core/domain.js';
import { tenancyAuditOf } from './tenancy.audit.js';
import {
  GroupCustomAttribute,
  ProjectCustomAttribute,
  UserCustomAttribute,
} from './custom-attributes/custom-attribute.entity.js';
import { GroupSettings } from './groups/group-settings.entity.js';
import { deleteGroups } from './groups/group.jobs.js';
import { GroupMember, ProjectMember } from './members/member.entity.js';
import { Namespace } from './namespaces/namespace.entity.js';
import { RedirectRoute } from './namespaces/redirect-route.entity.js';
import { Route } from './namespaces/route.entity.js';
import {
  GroupNotificationSetting,
  ProjectNotificationSetting,
  UserNotificationSetting,
} from './notification-settings/notification-setting.entity.js';
import { ProjectSettings } from './project-settings/project-settings.entity.js';
import { ProjectStar } from './project-stars/project-star.entity.js';
import { ProjectContribution } from './projects/project-contribution.entity.js';
import { ProjectLanguage, ProjectStatistics } from './projects/project-statistics.entity.js';
import { Project } from './projects/project.entity.js';
import { deleteProjects, measureProjects } from './projects/project.jobs.js';
import { GroupShare, ProjectShare } from './shares/share.entity.js';
import { SpamLog } from './spam/spam-log.entity.js';
import { pruneSpamLogs, submitHam } from './spam/spam.jobs.js';
import { mentionReferences } from './references/mention-references.js';
import { ProjectTopic, Topic } from './topics/topic.entity.js';
import { UserFollow, UserIdentity, UserStatus } from './users/user-relations.entity.js';
import { User, UserProfile } from './users/user.entity.js';
import { keepOwners } from './members/member.jobs.js';
import { deleteUsers } from './users/user.jobs.js';

export const tenancyDomain: Domain = {
  name: 'tenancy',
  entities: [
    GroupCustomAttribute,
    GroupMember,
    GroupNotificationSetting,
    GroupSettings,
    GroupShare,
    Namespace,
    Project,
    ProjectContribution,
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
  ],
  references: [mentionReferences],
  jobKinds: [deleteGroups, deleteProjects, keepOwners, measureProjects, deleteUsers, pruneSpamLogs, submitHam],
  subscribers: [],
  auditOf: tenancyAuditOf,
};
