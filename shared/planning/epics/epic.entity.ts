import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';

/** A theme of a group under which issues of its projects are planned, and epics of the groups below it. */
export const Epic = defineEntity({
  name: 'Epic',
  tableName: 'epics',
  properties: {
    id: id(),
    /** Its group. */
    namespace_id: relation(Namespace),
    /** The epic's number in its group; never reused. */
    iid: p.integer(),
    title: p.string(),
    description: p.string().nullable(),
    /** `opened` or `closed`. */
    state: p.string(),
    confidential: p.boolean(),
    /** `#rrggbb`. */
    color: p.string(),
    author_id: relation(User).nullable(),
    updated_by_id: relation(User).nullable(),
    closed_by_id: relation(User).nullable(),
    parent_id: reference().nullable(),
    /** The manually set position among the children of the same parent. */
    relative_position: p.bigint('number').nullable(),
    /** If false, the dates are inherited; fixed dates are retained for later use. */
    start_date_is_fixed: p.boolean(),
    start_date_fixed: p.date().nullable(),
    due_date_is_fixed: p.boolean(),
    due_date_fixed: p.date().nullable(),
    user_notes_count: p.integer(),
    upvotes: p.integer(),
    downvotes: p.integer(),
    imported_from: p.string(),
    closed_at: timestamp().nullable(),
    last_edited_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Epic = InferEntity<typeof Epic>;

/** An epic as lists hold it, of whatever group. */
export interface ListedEpic extends Epic {
  author: UserSummary | null;
  /** Of its group. */
  full_path: string;
  /** Full path of the group in which the epic was requested; omitted if there is no such context. */
  reference_base?: string;
  /** The sort key, in lists that are not ordered by a column of the record. */
  ordering?: string;
}

/** An epic with its group, as needed for permission checks. */
export interface EpicRecord extends ListedEpic {
  group: GroupRecord;
}
