import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { Initial } from './20261120T100000-initial.js';
import { People } from './20261120T110000-people.js';
import { SettingsAndLimits } from './20261120T130000-settings-and-limits.js';
import { ProtectedRefs } from './20261120T140000-protected-refs.js';
import { InstanceZoneData } from './20261120T140100-instance-zone-data.js';
import { Jobs } from './20261120T150000-jobs.js';
import { AuditEvents } from './20261121T100000-audit-events.js';
import { MovedPaths } from './20261121T117000-moved-paths.js';
import { ProjectLifecycle } from './20261121T117001-project-lifecycle.js';
import { ProjectLists } from './20261121T118000-project-lists.js';
import { Contributions } from './20261121T118001-contributions.js';
import { TopicAvatars } from './20261121T118002-topic-avatars.js';
import { UserActivityAndAvatars } from './20261121T111000-user-activity-and-avatars.js';
import { UserRelations } from './20261121T111020-user-relations.js';
import { UserSessions } from './20261121T113000-user-sessions.js';
import { Oauth } from './20261121T113010-oauth.js';
import { Shares } from './20261121T115000-shares.js';
import { CustomAttributes } from './20261121T111010-custom-attributes.js';
import { ProjectSettings } from './20261121T116000-project-settings.js';
import { AuditEventKinds } from './20261121T112001-audit-event-kinds.js';
import { TokenKinds } from './20261121T112000-token-kinds.js';
import { GroupStates } from './20261121T115001-group-states.js';
import { GroupLists } from './20261121T115002-group-lists.js';
import { RepositoryTransfers } from './20261122T134500-repository-transfers.js';
import { ProjectMirrors } from './20261122T160000-project-mirrors.js';
import { ProjectNames } from './20261122T110100-project-names.js';
import { DefaultBranchProtection } from './20261122T120100-default-branch-protection.js';
import { SubgroupNames } from './20261122T120200-subgroup-names.js';
import { NotificationSettings } from './20261122T130100-notification-settings.js';
import { DatesOfRefs } from './20261122T040100-dates-of-refs.js';
import { SchedulesOfInstance } from './20261122T200000-schedules-of-instance.js';

/** The one list of migrations, oldest first. Forward only once merged; names never change. */
export const migrations: { name: string; class: Constructor<Migration> }[] = [
  { name: '20261120T100000-initial', class: Initial },
  { name: '20261120T110000-people', class: People },
  { name: '20261120T130000-settings-and-limits', class: SettingsAndLimits },
  { name: '20261120T140000-protected-refs', class: ProtectedRefs },
  { name: '20261120T140100-instance-zone-data', class: InstanceZoneData },
  { name: '20261120T150000-jobs', class: Jobs },
  { name: '20261121T100000-audit-events', class: AuditEvents },
  { name: '20261121T117000-moved-paths', class: MovedPaths },
  { name: '20261121T117001-project-lifecycle', class: ProjectLifecycle },
  { name: '20261121T118000-project-lists', class: ProjectLists },
  { name: '20261121T111000-user-activity-and-avatars', class: UserActivityAndAvatars },
  { name: '20261121T111020-user-relations', class: UserRelations },
  { name: '20261121T113000-user-sessions', class: UserSessions },
  { name: '20261121T113010-oauth', class: Oauth },
  { name: '20261121T115000-shares', class: Shares },
  { name: '20261121T111010-custom-attributes', class: CustomAttributes },
  { name: '20261121T116000-project-settings', class: ProjectSettings },
  { name: '20261121T112000-token-kinds', class: TokenKinds },
  { name: '20261121T115001-group-states', class: GroupStates },
  { name: '20261121T115002-group-lists', class: GroupLists },
  { name: '20261121T118001-contributions', class: Contributions },
  { name: '20261121T118002-topic-avatars', class: TopicAvatars },
  { name: '20261121T112001-audit-event-kinds', class: AuditEventKinds },
  { name: '20261122T110100-project-names', class: ProjectNames },
  { name: '20261122T120100-default-branch-protection', class: DefaultBranchProtection },
  { name: '20261122T130100-notification-settings', class: NotificationSettings },
  { name: '20261122T160000-project-mirrors', class: ProjectMirrors },
  { name: '20261122T120200-subgroup-names', class: SubgroupNames },
  { name: '20261122T134500-repository-transfers', class: RepositoryTransfers },
  { name: '20261122T200000-schedules-of-instance', class: SchedulesOfInstance },
  { name: '20261122T040100-dates-of-refs', class: DatesOfRefs },
];
