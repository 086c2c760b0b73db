import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import { Label } from '../labels/label.entity.js';
import { Milestone } from '../milestones/milestone.entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';

const common = {
  id: id(),
  project_id: reference(),
  issue_id: reference(),
  user_id: reference().nullable(),
  created_at: timestamp(),
};

const commonOfEpics = {
  id: id(),
  namespace_id: reference(),
  epic_id: reference(),
  user_id: reference().nullable(),
  created_at: timestamp(),
};

/** An epic was closed or opened again. */
export const EpicStateEvent = defineEntity({
  name: 'EpicStateEvent',
  tableName: 'epic_state_events',
  properties: {
    ...commonOfEpics,
    /** `closed` or `reopened`. */
    state: p.string(),
  },
});

/** An epic got a label, or lost it. */
export const EpicLabelEvent = defineEntity({
  name: 'EpicLabelEvent',
  tableName: 'epic_label_events',
  properties: {
    ...commonOfEpics,
    /** Null once the label is gone. */
    label_id: relation(Label).nullable(),
    /** `add` or `remove`. */
    action: p.string(),
  },
});

/** An issue was closed or opened again. */
export const IssueStateEvent = defineEntity({
  name: 'IssueStateEvent',
  tableName: 'issue_state_events',
  properties: {
    ...common,
    /** `closed` or `reopened`. */
    state: p.string(),
    /** The commit whose message closed the record. */
    source_commit: p.string().nullable(),
  },
});

/** An issue got a label, or lost it. */
export const IssueLabelEvent = defineEntity({
  name: 'IssueLabelEvent',
  tableName: 'issue_label_events',
  properties: {
    ...common,
    /** Null once the label is gone. */
    label_id: relation(Label).nullable(),
    /** `add` or `remove`. */
    action: p.string(),
  },
});

/** An issue was planned for a milestone, or for none any more. */
export const IssueMilestoneEvent = defineEntity({
  name: 'IssueMilestoneEvent',
  tableName: 'issue_milestone_events',
  properties: {
    ...common,
    milestone_id: relation(Milestone).nullable(),
    /** `add` or `remove`. */
    action: p.string(),
    /** The issue's state at that time. */
    state: p.string(),
  },
});

/** An issue got another weight. */
export const IssueWeightEvent = defineEntity({
  name: 'IssueWeightEvent',
  tableName: 'issue_weight_events',
  properties: {
    ...common,
    /** Null if it was removed. */
    weight: p.integer().nullable(),
  },
});

/** Who did it, null once they are gone; and to what. */
interface ByUser {
  user: UserSummary | null;
  resource_id: number;
  resource_type: string;
}

/** The fields of an event that do not depend on the kind of record. */
type Said<T> = Omit<T, 'issue_id'> & ByUser;

export type StateEventRecord = Said<InferEntity<typeof IssueStateEvent>>;
export type LabelEventRecord = Said<InferEntity<typeof IssueLabelEvent>> & { label: Label | null };
export type MilestoneEventRecord = Said<InferEntity<typeof IssueMilestoneEvent>>;
export type WeightEventRecord = InferEntity<typeof IssueWeightEvent> & ByUser;
