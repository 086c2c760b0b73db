import type { EntitySchema } from '@mikro-orm/core';
import { AuditEvent } from './audit-events/audit-event.entity.js';
import {
  GroupCustomAttribute,
  ProjectCustomAttribute,
  UserCustomAttribute,
} from './custom-attributes/custom-attribute.entity.js';
import { GroupSettings } from './groups/group-settings.entity.js';
import { Job } from './jobs/job.entity.js';
import { GroupMember, ProjectMember } from './members/member.entity.js';
import { Namespace } from './namespaces/namespace.entity.js';
import { RedirectRoute } from './namespaces/redirect-route.entity.js';
import { Route } from './namespaces/route.entity.js';
import {
  GroupNotificationSetting,
  ProjectNotificationSetting,
  UserNotificationSetting,
} from './notification-settings/notification-setting.entity.js';
import { OauthApplication } from './oauth/oauth-application.entity.js';
import { OauthAccessToken, OauthGrant, OauthRecord } from './oauth/oauth-grant.entity.js';
import { PersonalAccessToken } from './personal-access-tokens/personal-access-token.entity.js';
import {
  PipelineSchedule,
  PipelineScheduleInput,
  PipelineScheduleRun,
  PipelineScheduleVariable,
} from './pipeline-schedules/pipeline-schedule.entity.js';
import { PipelineVariable } from './pipelines/pipeline-variable.entity.js';
import { Pipeline } from './pipelines/pipeline.entity.js';
import { ProjectStar } from './project-stars/project-star.entity.js';
import { ProjectContribution } from './projects/project-contribution.entity.js';
import { Project } from './projects/project.entity.js';
import { ProjectSettings } from './projects/project-settings.entity.js';
import { ProjectLanguage, ProjectStatistics } from './projects/project-statistics.entity.js';
import { ProjectMirror } from './project-mirrors/project-mirror.entity.js';
import { ProtectedBranch, ProtectedBranchAccessLevel } from './protected-branches/protected-branch.entity.js';
import { ProtectedTag, ProtectedTagAccessLevel } from './protected-tags/protected-tag.entity.js';
import { RepositoryRef } from './repositories/repository-ref.entity.js';
import { RepositoryTransfer } from './repository-transfers/repository-transfer.entity.js';
import { UserSession } from './user-sessions/user-session.entity.js';
import { GroupShare, ProjectShare } from './shares/share.entity.js';
import { ProjectTopic, Topic } from './topics/topic.entity.js';
import { UserFollow, UserIdentity, UserStatus } from './users/user-relations.entity.js';
import { User, UserProfile } from './users/user.entity.js';

/** The one list of entities. */
export const entities: EntitySchema[] = [
  AuditEvent,
  GroupCustomAttribute,
  GroupMember,
  GroupSettings,
  GroupNotificationSetting,
  GroupShare,
  Job,
  Namespace,
  OauthAccessToken,
  OauthApplication,
  OauthGrant,
  OauthRecord,
  PersonalAccessToken,
  Pipeline,
  PipelineSchedule,
  PipelineScheduleInput,
  PipelineScheduleRun,
  PipelineScheduleVariable,
  PipelineVariable,
  Project,
  ProjectContribution,
  ProjectCustomAttribute,
  ProjectLanguage,
  ProjectMember,
  ProjectNotificationSetting,
  ProjectStar,
  ProjectShare,
  ProjectSettings,
  ProjectStatistics,
  ProjectTopic,
  ProjectMirror,
  ProtectedBranch,
  ProtectedBranchAccessLevel,
  ProtectedTag,
  ProtectedTagAccessLevel,
  RedirectRoute,
  RepositoryRef,
  RepositoryTransfer,
  Route,
  Topic,
  User,
  UserCustomAttribute,
  UserFollow,
  UserIdentity,
  UserNotificationSetting,
  UserProfile,
  UserStatus,
  UserSession,
];
