import type { ByContainer } from '../../core/operations/container.js';
import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../projects/project.entity.js';
import { User } from '../users/user.entity.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import type { UserSummary } from '../users/user.entity.js';

/** A person's direct role in a project. */
export const ProjectMember = defineEntity({
  name: 'ProjectMember',
  tableName: 'project_members',
  properties: {
    id: id(),
    project_id: relation(Project),
    user_id: relation(User),
    access_level: p.integer(),
    created_by_id: relation(User).nullable(),
    /** The day on which the role ends, UTC. */
    expires_on: p.string().columnType('date').nullable(),
    created_at: timestamp(),
  },
});
export type ProjectMember = InferEntity<typeof ProjectMember>;

/** A person's direct role in a group, inherited by its subgroups and projects. */
export const GroupMember = defineEntity({
  name: 'GroupMember',
  tableName: 'group_members',
  properties: {
    id: id(),
    namespace_id: relation(Namespace),
    user_id: relation(User),
    access_level: p.integer(),
    created_by_id: relation(User).nullable(),
    expires_on: p.string().columnType('date').nullable(),
    created_at: timestamp(),
  },
});
export type GroupMember = InferEntity<typeof GroupMember>;

/** Entity by container kind. Typed as group members, because the common columns have the same types. */
export const MEMBERS: ByContainer<typeof GroupMember> = {
  group: GroupMember,
  project: ProjectMember as unknown as typeof GroupMember,
};

/** A user as a member of something: `id` is the user's. */
export interface MemberRecord extends UserSummary {
  email: string;
  access_level: number;
  expires_on: string | null;
  created_at: Date;
  created_by: UserSummary | null;
  bot: boolean;
  internal: boolean;
  /** The row of the membership itself. */
  member_id: number;
}
