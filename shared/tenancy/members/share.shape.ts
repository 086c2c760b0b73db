import { out, shape } from '../../core/operations/shape.js';
import type { ProjectShare } from './share.entity.js';
import type { InvitedGroup } from './share.finder.js';

/** One of `shared_with_groups` of a project (seed 2.10) or group (core-resources.md section 3). */
export const invitedGroupShape = shape<InvitedGroup>('SharedWithGroup', {
  group_id: out.integer((share) => share.group_id),
  group_name: out.text((share) => share.group_name),
  group_full_path: out.text((share) => share.group_full_path),
  group_access_level: out.integer((share) => share.group_access),
  expires_at: out.nullableDay((share) => share.expires_on),
});

/** The answer to sharing a project (core-resources.md section 5). */
export const projectShareShape = shape<ProjectShare>('ProjectShare', {
  id: out.integer((share) => share.id),
  project_id: out.integer((share) => share.project_id),
  group_id: out.integer((share) => share.group_id),
  group_access: out.integer((share) => share.group_access),
  expires_at: out.nullableDay((share) => share.expires_on),
});
