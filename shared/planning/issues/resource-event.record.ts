import type { InferEntity } from '../../core/database/entity.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Label } from '../labels/label.entity.js';
import type {
  IssueLabelEvent,
  IssueMilestoneEvent,
  IssueStateEvent,
  IssueWeightEvent,
} from './resource-event.entity.js';

/** Who did it, null once they are gone; and to what. */
interface ByUser {
  user: UserSummary | null;
  resource_id: number;
  resource_type: string;
}

/** What an event says of any record. */
type Said<T> = Omit<T, 'issue_id'> & ByUser;

export type StateEventRecord = Said<InferEntity<typeof IssueStateEvent>>;
export type LabelEventRecord = Said<InferEntity<typeof IssueLabelEvent>> & { label: Label | null };
export type MilestoneEventRecord = Said<InferEntity<typeof IssueMilestoneEvent>>;
export type WeightEventRecord = InferEntity<typeof IssueWeightEvent> & ByUser;
