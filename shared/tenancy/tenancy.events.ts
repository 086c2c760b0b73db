import type { GroupRecord } from './groups/group.entity.js';
import type { MemberRecord } from './members/member.entity.js';
import type { UserRecord } from './users/user.entity.js';
import type { ContainerRef } from '../core/operations/container.js';
import type { Topic } from './topics/topic.entity.js';

/** A user as they were called at that time. */
export interface EventUser {
  readonly id: number;
  readonly username: string;
  /** Of the personal namespace. */
  readonly namespace_id?: number | null;
}

/** A group with its path at the time of the event. */
export interface GroupSummary {
  readonly id: number;
  readonly full_path: string;
}

/** A project with its path at the time of the event. */
export interface ProjectSummary extends GroupSummary {
  readonly namespace_id: number;
}

/** What people are members of. */
export type ContainerSummary = { readonly project: ProjectSummary } | { readonly group: GroupSummary };

/** Who has a role, and which. */
export type MemberSummary = Pick<MemberRecord, 'id' | 'username' | 'access_level'>;

/** How a user's state may change, by what was done to them. */
export type StateChange =
  | 'blocked'
  | 'unblocked'
  | 'deactivated'
  | 'activated'
  | 'banned'
  | 'unbanned'
  | 'approved'
  | 'rejected';

interface UserEvents {
  'user.created': { readonly user: EventUser & { readonly admin: boolean } };
  'user.updated': { readonly before: UserRecord; readonly after: UserRecord };
  /** A user's password was changed: by the user, who supplied the old one, or by another user. */
  'user.password_changed': { readonly user: EventUser; readonly by: 'themselves' | 'another' };
  'user.state_changed': {
    readonly user: EventUser;
    readonly how: StateChange;
    readonly from: string;
    readonly to: string;
  };
  /** A user may not sign in any more: blocked, banned or deactivated. */
  'user.stopped': { readonly user_id: number };
  /** A user was deleted on request. The account is locked out at once; a job removes the rest. */
  'user.deleted': { readonly user: EventUser; readonly hard: boolean };
  'identity.deleted': { readonly user: EventUser; readonly provider: string };
}

interface ContainerEvents {
  'member.added': { readonly container: ContainerSummary; readonly member: MemberSummary };
  'member.updated': {
    readonly container: ContainerSummary;
    readonly before: MemberRecord;
    readonly after: MemberRecord;
  };
  /** The role of a group's last active Owner was to end on that day (`YYYY-MM-DD`), and goes on. */
  'member.kept': { readonly group: GroupSummary; readonly member: EventUser; readonly expires_on: string };
  /** `unassign`: whether the member's assignments in the container are removed too. */
  'member.removed': {
    readonly container: ContainerSummary;
    readonly member: MemberSummary;
    readonly unassign: boolean;
  };
  /** A group was invited to a project or another group. */
  'share.created': { readonly container: ContainerSummary; readonly group: GroupSummary };
  'share.removed': { readonly container: ContainerSummary; readonly group: GroupSummary };
  /**
   * Access to a project, or to a group and everything below it, was reduced: for a user, for the members of a group, or
   * for everybody.
   */
  'access.reduced': {
    readonly to: ContainerRef;
    readonly of: { user_id: number } | { group_id: number } | 'everybody';
  };
}

interface GroupEvents {
  'group.created': { readonly group: GroupRecord };
  'group.updated': { readonly before: GroupRecord; readonly after: GroupRecord };
  /** A group went below another one, or to the top; what that changed of its settings is in `after`. */
  'group.transferred': { readonly before: GroupRecord; readonly after: GroupRecord };
  'group.archived': { readonly group: GroupRecord };
  'group.unarchived': { readonly group: GroupRecord };
  /** A group is removed after some days, unless it is restored. */
  'group.deletion_marked': { readonly group: GroupRecord };
  'group.restored': { readonly group: GroupRecord };
  /** A group is gone. */
  'group.removed': { readonly group: GroupSummary };
}

interface ProjectEvents {
  /** A project was removed with all its contents: by itself, or with its group or owner. */
  'project.removed': {
    readonly project: ProjectSummary;
    readonly repository_created: boolean;
    readonly with_namespace: boolean;
  };
}

interface TopicEvents {
  'topic.created': { readonly topic: Topic };
  'topic.updated': { readonly before: Topic; readonly after: Topic };
  'topic.removed': { readonly topic_id: number };
  /** The projects of a topic have another one instead, and it is gone. */
  'topic.merged': { readonly from_id: number; readonly to_id: number };
}

interface SpamEvents {
  /** An entry for a suspected spam text of a user was deleted from the spam log. */
  'spam_log.deleted': { readonly spam_log_id: number; readonly user: EventUser };
  /** An administrator marked the text as not spam. */
  'spam_log.marked_as_ham': { readonly spam_log_id: number; readonly user: EventUser };
}

export interface TenancyEvents
  extends UserEvents, ContainerEvents, GroupEvents, ProjectEvents, TopicEvents, SpamEvents {}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends TenancyEvents {}
}
