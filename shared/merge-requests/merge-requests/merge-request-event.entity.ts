import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import { Label } from '../../planning/labels/label.entity.js';
import { Milestone } from '../../planning/milestones/milestone.entity.js';

const common = {
  id: id(),
  project_id: reference(),
  merge_request_id: reference(),
  user_id: reference().nullable(),
  created_at: timestamp(),
};

/** A merge request was closed, opened again or merged. */
export const MergeRequestStateEvent = defineEntity({
  name: 'MergeRequestStateEvent',
  tableName: 'merge_request_state_events',
  properties: {
    ...common,
    /** `closed`, `reopened` or `merged`. */
    state: p.string(),
    source_commit: p.string().nullable(),
  },
});

/** A merge request got a label, or lost it. */
export const MergeRequestLabelEvent = defineEntity({
  name: 'MergeRequestLabelEvent',
  tableName: 'merge_request_label_events',
  properties: {
    ...common,
    /** Null once the label is gone. */
    label_id: relation(Label).nullable(),
    /** `add` or `remove`. */
    action: p.string(),
  },
});

/** A merge request was planned for a milestone, or for none any more. */
export const MergeRequestMilestoneEvent = defineEntity({
  name: 'MergeRequestMilestoneEvent',
  tableName: 'merge_request_milestone_events',
  properties: {
    ...common,
    milestone_id: relation(Milestone).nullable(),
    /** `add` or `remove`. */
    action: p.string(),
    /** The merge request's state at that time. */
    state: p.string(),
  },
});
