import type { InferEntity } from '../../core/entity.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { Label } from '../labels/label.entity.js';
import type {
  IssueLabelEvent,
  IssueMilestoneEvent,
  IssueStateEvent,
  IssueWeightEvent,
} from './resource-event.entity.js';

/** Who did it; null once they are gone. */
interface ByUser {
  user: UserSummary | null;
}

export type StateEventRecord = InferEntity<typeof IssueStateEvent> & ByUser;
export type LabelEventRecord = InferEntity<typeof IssueLabelEvent> & ByUser & { label: Label | null };
export type MilestoneEventRecord = InferEntity<typeof IssueMilestoneEvent> & ByUser;
export type WeightEventRecord = InferEntity<typeof IssueWeightEvent> & ByUser;
