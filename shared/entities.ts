import type { EntitySchema } from '@mikro-orm/core';
import { AuditEvent } from './instance/audit-events/audit-event.entity.js';
import {
  GroupCustomAttribute,
  ProjectCustomAttribute,
  UserCustomAttribute,
} from './tenancy/custom-attributes/custom-attribute.entity.js';
import { GroupSettings } from './tenancy/groups/group-settings.entity.js';
import { Job } from './ci/jobs/job.entity.js';
import { GroupMember, ProjectMember } from './tenancy/members/member.entity.js';
import { Namespace } from './tenancy/namespaces/namespace.entity.js';
import { RedirectRoute } from './tenancy/namespaces/redirect-route.entity.js';
import { Route } from './tenancy/namespaces/route.entity.js';
import {
  GroupNotificationSetting,
  ProjectNotificationSetting,
  UserNotificationSetting,
} from './tenancy/notification-settings/notification-setting.entity.js';
import { OauthApplication } from './auth/oauth/oauth-application.entity.js';
import { OauthAccessToken, OauthGrant, OauthRecord } from './auth/oauth/oauth-grant.entity.js';
import { PersonalAccessToken } from './auth/personal-access-tokens/personal-access-token.entity.js';
import {
  PipelineSchedule,
  PipelineScheduleInput,
  PipelineScheduleRun,
  PipelineScheduleVariable,
} from './ci/pipeline-schedules/pipeline-schedule.entity.js';
import { PipelineVariable } from './ci/pipelines/pipeline-variable.entity.js';
import { Pipeline } from './ci/pipelines/pipeline.entity.js';
import { ProjectStar } from './tenancy/project-stars/project-star.entity.js';
import { ProjectContribution } from './tenancy/projects/project-contribution.entity.js';
import { Project } from './tenancy/projects/project.entity.js';
import { ProjectSettings } from './tenancy/project-settings/project-settings.entity.js';
import { ProjectLanguage, ProjectStatistics } from './tenancy/projects/project-statistics.entity.js';
import { ProjectMirror } from './repositories/project-mirrors/project-mirror.entity.js';
import { ProtectedBranch, ProtectedBranchAccessLevel } from './repositories/protected-branches/protected-branch.entity.js';
import { ProtectedTag, ProtectedTagAccessLevel } from './repositories/protected-tags/protected-tag.entity.js';
import { RepositoryRef } from './repositories/repositories/repository-ref.entity.js';
import { RepositoryTransfer } from './repositories/repository-transfers/repository-transfer.entity.js';
import { UserSession } from './auth/user-sessions/user-session.entity.js';
import { GroupShare, ProjectShare } from './tenancy/shares/share.entity.js';
import { ProjectTopic, Topic } from './tenancy/topics/topic.entity.js';
import { UserFollow, UserIdentity, UserStatus } from './tenancy/user-profile/user-relations.entity.js';
import { User, UserProfile } from './tenancy/users/user.entity.js';

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
