import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { Label } from '../../planning/labels/label.entity.js';
import { Issue } from '../../planning/issues/issue.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { MergeRequest } from './merge-request.entity.js';

/** The approval of a merge request by a user. */
export const MergeRequestApproval = defineEntity({
  name: 'MergeRequestApproval',
  tableName: 'merge_request_approvals',
  properties: {
    project_id: reference(),
    merge_request_id: relation(MergeRequest).primary(),
    user_id: relation(User).primary(),
    created_at: timestamp(),
  },
});

/** A user assigned to a merge request. */
export const MergeRequestAssignee = defineEntity({
  name: 'MergeRequestAssignee',
  tableName: 'merge_request_assignees',
  properties: {
    project_id: reference(),
    merge_request_id: relation(MergeRequest).primary(),
    user_id: relation(User).primary(),
  },
});

/** A label of a merge request. */
export const MergeRequestLabel = defineEntity({
  name: 'MergeRequestLabel',
  tableName: 'merge_request_labels',
  properties: {
    project_id: reference(),
    merge_request_id: relation(MergeRequest).primary(),
    label_id: relation(Label).primary(),
    opened: p.boolean().default(false),
  },
});

/** A user mentioned in the description of a merge request. */
export const MergeRequestMention = defineEntity({
  name: 'MergeRequestMention',
  tableName: 'merge_request_mentions',
  properties: {
    project_id: reference(),
    merge_request_id: relation(MergeRequest).primary(),
    user_id: relation(User).primary(),
  },
});

/** A reviewer of a merge request. */
export const MergeRequestReviewer = defineEntity({
  name: 'MergeRequestReviewer',
  tableName: 'merge_request_reviewers',
  properties: {
    project_id: reference(),
    merge_request_id: relation(MergeRequest).primary(),
    user_id: relation(User).primary(),
    state: p.string().default('unreviewed'),
    created_at: timestamp(),
  },
});

/** Whether a user subscribed to a merge request or unsubscribed from it. */
export const MergeRequestSubscription = defineEntity({
  name: 'MergeRequestSubscription',
  tableName: 'merge_request_subscriptions',
  properties: {
    project_id: reference(),
    merge_request_id: relation(MergeRequest).primary(),
    user_id: relation(User).primary(),
    subscribed: p.boolean(),
  },
});

/** Time that was spent on a merge request. */
export const MergeRequestTimelog = defineEntity({
  name: 'MergeRequestTimelog',
  tableName: 'merge_request_timelogs',
  properties: {
    id: id(),
    project_id: reference(),
    merge_request_id: relation(MergeRequest),
    user_id: relation(User).nullable(),
    time_spent: p.integer(),
    summary: p.string().nullable(),
    spent_at: timestamp(),
    created_at: timestamp(),
  },
});

/** An issue that a merge request names, and closes once it is merged where `closes` holds. */
export const MergeRequestClosingIssue = defineEntity({
  name: 'MergeRequestClosingIssue',
  tableName: 'merge_requests_closing_issues',
  properties: {
    project_id: reference(),
    merge_request_id: relation(MergeRequest).primary(),
    issue_id: relation(Issue).primary(),
    closes: p.boolean(),
  },
});

/** The number of open merge requests of a project. */
export const ProjectMergeRequestCount = defineEntity({
  name: 'ProjectMergeRequestCount',
  tableName: 'project_merge_request_counts',
  properties: {
    project_id: relation(Project).primary(),
    opened: p.integer(),
  },
});

/** An emoji that a user awarded to a merge request. A trigger updates its vote counts. */
export const MergeRequestAwardEmoji = defineEntity({
  name: 'MergeRequestAwardEmoji',
  tableName: 'merge_request_award_emojis',
  properties: {
    id: id(),
    project_id: reference(),
    merge_request_id: relation(MergeRequest),
    user_id: relation(User),
    /** Without colons: `thumbsup`. */
    name: p.string(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
