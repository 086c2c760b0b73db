import type { OutField } from '../../core/operations/serializer.js';
import { inView, out, serializer, visibleIf } from '../../core/operations/serializer.js';
import { userSummary } from '../users/user.serializer.js';
import type { MemberRecord } from './member.entity.js';
import type { Added } from './add-members.js';
import type { ProjectShare } from './share.entity.js';
import type { InvitedGroup } from './share.finder.js';

/** A member: the user's summary and the role (core-resources.md section 4). */
const fields: Record<string, OutField<MemberRecord>> = {
  ...userSummary.fields,
  access_level: out.integer((member) => member.access_level),
  created_at: out.instant((member) => member.created_at),
  created_by: out.nullableRecord(userSummary, (member) => member.created_by),
  expires_at: out.nullableDay((member) => member.expires_on),
  // Invitations to addresses without an account do not exist: every member is one.
  membership_state: out.text(() => 'active'),
  ...inView<MemberRecord>('show_seat_info', {
    is_using_seat: out.boolean((member) => member.state === 'active' && !member.bot && !member.internal),
  }),
  ...visibleIf<MemberRecord>((_member, ctx) => ctx.caller.admin, { email: out.text((member) => member.email) }),
};

const views = { show_seat_info: {} };

export const memberSerializer = serializer<MemberRecord>('Member', fields, { views });

/** Fields of a member of an answer that is about one. */
const ofOne = Object.fromEntries(
  Object.entries(fields).map(([key, field]): [string, OutField<Added>] => [
    key,
    {
      get: (added, ctx) => ('member' in added ? field.get(added.member, ctx) : undefined),
      schema: field.schema,
      optional: true,
      ...(field.view === undefined ? {} : { view: field.view }),
    },
  ]),
);

/** The answer to adding: the one member; for several whether all could be added, and why not. */
export const addedMembers = serializer<Added>(
  'AddedMembers',
  {
    ...ofOne,
    status: out.text((added) => ('rejections' in added ? (hasRejections(added) ? 'error' : 'success') : undefined), {
      optional: true,
    }),
    message: out.any(
      (added) => ('rejections' in added && hasRejections(added) ? added.rejections : undefined),
      { type: 'object', additionalProperties: { type: 'string' } },
      { optional: true },
    ),
  },
  { views },
);

const hasRejections = (added: { rejections: Record<string, string> }) => Object.keys(added.rejections).length > 0;

/** One of `shared_with_groups` of a project (projects.md) or group (core-resources.md section 3). */
export const invitedGroupSerializer = serializer<InvitedGroup>('SharedWithGroup', {
  group_id: out.integer((share) => share.group_id),
  group_name: out.text((share) => share.group_name),
  group_full_path: out.text((share) => share.group_full_path),
  group_access_level: out.integer((share) => share.group_access),
  expires_at: out.nullableDay((share) => share.expires_on),
});

/** The answer to sharing a project (core-resources.md section 5). */
export const projectShareSerializer = serializer<ProjectShare>('ProjectShare', {
  id: out.integer((share) => share.id),
  project_id: out.integer((share) => share.project_id),
  group_id: out.integer((share) => share.group_id),
  group_access: out.integer((share) => share.group_access),
  expires_at: out.nullableDay((share) => share.expires_on),
});
