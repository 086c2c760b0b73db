import type { GroupRecord } from './groups/group.entity.js';
import type { MemberRecord } from './members/member.entity.js';
import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedGroup, auditedProject, auditedUser, changeNotes } from '../instance/audit-events/audit-note.js';
import type { AuditNote } from '../instance/audit-events/audit-note.js';
import { auditedContainer } from './containers/audited-container.js';
import { AUDITED_SETTINGS } from './groups/group.params.js';
import { LEVEL_NAMES } from './members/member.rules.js';
import type { ContainerSummary, GroupSummary, MemberSummary, TenancyEvents } from './tenancy.events.js';

/** What of an account others' rights or trust depend on. */
const ACCOUNT = ['username', 'email', 'admin', 'auditor', 'external'] as const;
const RIGHTS = ['can_create_group', 'projects_limit', 'private_profile', 'allow_possible_spam'] as const;

const levelName = (level: number) => LEVEL_NAMES[level] ?? String(level);
const memberTarget = ({ id, username }: MemberSummary) => ({ type: 'User', id, details: username });

/** Audit details of an existing role. */
const getRole = ({ access_level, expires_on }: MemberRecord) => ({
  access_level: levelName(access_level),
  expires_at: expires_on,
});

function shareNote(done: 'created' | 'deleted', container: ContainerSummary, group: GroupSummary): AuditNote {
  const entity = auditedContainer(container);
  const { id, full_path: details } = group;
  return {
    event: `${entity.type.toLowerCase()}_group_link_${done}`,
    entity,
    target: { type: 'Group', id, details },
    message: done === 'created' ? `Invited group ${details}` : `Ended the share with group ${details}`,
  };
}

function groupChanges(
  before: GroupRecord,
  after: GroupRecord,
  names: readonly ('name' | 'path' | 'visibility')[],
): AuditNote[] {
  const note = { event: 'group_updated', entity: auditedGroup(after) };
  return [
    ...changeNotes(note, before, after, names),
    ...changeNotes(note, before.settings, after.settings, AUDITED_SETTINGS),
  ];
}

const archivedNote = (group: GroupRecord, archived: boolean): AuditNote => ({
  event: archived ? 'group_archived' : 'group_unarchived',
  entity: auditedGroup(group),
  message: archived ? 'Group archived' : 'Group unarchived',
  change: { attribute: 'archived', from: !archived, to: archived },
});

/** How what happens to users, groups and their members reads in the audit log. */
export const tenancyAuditOf: AuditOf<TenancyEvents> = {
  'user.created': ({ user }) => ({
    event: 'user_created',
    entity: auditedUser(user),
    message: `Created user ${user.username}${user.admin ? ' as an administrator' : ''}`,
  }),
  'user.updated': ({ before, after }) => {
    const note = { event: 'user_updated', entity: auditedUser(after) };
    return [...changeNotes(note, before, after, ACCOUNT), ...changeNotes(note, before.profile, after.profile, RIGHTS)];
  },
  'user.password_changed': ({ user, by }) => ({
    event: 'user_password_updated',
    entity: auditedUser(user),
    message: by === 'themselves' ? 'Changed the own password' : `Set a password for ${user.username}`,
  }),
  'user.state_changed': ({ user, how, from, to }) => ({
    event: `user_${how}`,
    entity: auditedUser(user),
    message: `Changed state of ${user.username} from ${from} to ${to}`,
    change: { attribute: 'state', from, to },
  }),
  // Other events report the change to the user.
  'user.stopped': null,
  'user.deleted': ({ user, hard }) => ({
    event: 'user_deleted',
    entity: auditedUser(user),
    message: `Deleted user ${user.username}${hard ? ' with everything that is theirs alone' : ''}`,
  }),
  'spam_log.deleted': ({ spam_log_id: id, user }) => ({
    event: 'spam_log_deleted',
    entity: auditedUser(user),
    message: `Deleted entry ${id} of the spam log`,
  }),
  'spam_log.marked_as_ham': ({ spam_log_id: id, user }) => ({
    event: 'spam_log_marked_as_ham',
    entity: auditedUser(user),
    message: `Marked entry ${id} of the spam log as ham`,
  }),
  'identity.deleted': ({ user, provider }) => ({
    event: 'identity_deleted',
    entity: auditedUser(user),
    message: `Deleted the identity at ${provider}`,
  }),
  'member.added': ({ container, member }) => {
    const level = levelName(member.access_level);
    return {
      event: 'member_created',
      entity: auditedContainer(container),
      target: memberTarget(member),
      message: `Added ${member.username} as ${level}`,
      change: { attribute: 'access_level', from: null, to: level },
    };
  },
  'member.updated': ({ container, before, after }) =>
    changeNotes(
      { event: 'member_updated', entity: auditedContainer(container), target: memberTarget(after) },
      getRole(before),
      getRole(after),
      ['access_level', 'expires_at'],
    ),
  'member.kept': ({ group, member: { id, username }, expires_on }) => ({
    event: 'member_kept',
    entity: auditedGroup(group),
    target: { type: 'User', id, details: username },
    message: `Kept ${username} as the last Owner, whose role was to end on ${expires_on}`,
    change: { attribute: 'expires_at', from: expires_on, to: null },
  }),
  'member.removed': ({ container, member }) => ({
    event: 'member_destroyed',
    entity: auditedContainer(container),
    target: memberTarget(member),
    message: `Removed ${member.username}`,
    change: { attribute: 'access_level', from: levelName(member.access_level), to: null },
  }),
  'share.created': ({ container, group }) => shareNote('created', container, group),
  'share.removed': ({ container, group }) => shareNote('deleted', container, group),
  // Other events report why access was reduced.
  'access.reduced': null,
  'group.created': ({ group }) => ({ event: 'group_created', entity: auditedGroup(group), message: 'Group created' }),
  'group.updated': ({ before, after }) => groupChanges(before, after, ['name', 'path', 'visibility']),
  'group.transferred': ({ before, after }) => [
    ...groupChanges(before, after, ['visibility']),
    {
      event: 'group_transferred',
      entity: auditedGroup(after),
      message: `Transferred from ${before.full_path} to ${after.full_path}`,
      change: { attribute: 'full_path', from: before.full_path, to: after.full_path },
    },
  ],
  'group.archived': ({ group }) => archivedNote(group, true),
  'group.unarchived': ({ group }) => archivedNote(group, false),
  'group.deletion_marked': ({ group }) => ({
    event: 'group_deletion_marked',
    entity: auditedGroup(group),
    message: 'Group marked for deletion',
  }),
  'group.restored': ({ group }) => ({
    event: 'group_restored',
    entity: auditedGroup(group),
    message: 'Group restored',
  }),
  'group.removed': ({ group }) => ({
    event: 'group_destroyed',
    entity: auditedGroup(group),
    message: 'Group destroyed',
  }),
  'project.removed': ({ project, with_namespace: withNamespace }) => ({
    event: 'project_destroyed',
    entity: auditedProject(project),
    message: withNamespace ? 'Project destroyed with what it was in' : 'Project destroyed',
  }),
  // Topics only help to find projects; no permission depends on them.
  'topic.created': null,
  'topic.updated': null,
  'topic.removed': null,
  'topic.merged': null,
};
