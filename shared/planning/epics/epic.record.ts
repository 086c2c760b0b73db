import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Epic } from './epic.entity.js';

/** An epic as lists hold it, of whatever group. */
export interface ListedEpic extends Epic {
  author: UserSummary | null;
  /** Of its group. */
  full_path: string;
  /** Full path of the group where it was asked for; nowhere in particular where left out. */
  seen_from?: string;
  /** What it was ordered by, in lists that are ordered by something beside the record. */
  ordering?: string;
}

/** An epic with its group: what its policy asks. */
export interface EpicRecord extends ListedEpic {
  group: GroupRecord;
}
