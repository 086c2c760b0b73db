import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { Label } from '../labels/label.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** A user assigned to an issue. */
export const IssueAssignee = defineEntity({
  name: 'IssueAssignee',
  tableName: 'issue_assignees',
  properties: {
    project_id: reference(),
    issue_id: reference().primary(),
    user_id: relation(User).primary(),
  },
});

/** A label of an issue. Triggers keep copies of the issue's closed and confidential flags in this table. */
export const IssueLabel = defineEntity({
  name: 'IssueLabel',
  tableName: 'issue_labels',
  properties: {
    project_id: reference(),
    issue_id: reference().primary(),
    label_id: relation(Label).primary(),
    closed: p.boolean().default(false),
    confidential: p.boolean().default(false),
  },
});

/** Whether a user subscribed to an issue or unsubscribed from it. */
export const IssueSubscription = defineEntity({
  name: 'IssueSubscription',
  tableName: 'issue_subscriptions',
  properties: {
    project_id: reference(),
    issue_id: reference().primary(),
    user_id: relation(User).primary(),
    subscribed: p.boolean(),
  },
});

/** Time that was spent on an issue. */
export const IssueTimelog = defineEntity({
  name: 'IssueTimelog',
  tableName: 'issue_timelogs',
  properties: {
    id: id(),
    project_id: reference(),
    issue_id: reference(),
    user_id: relation(User).nullable(),
    time_spent: p.integer(),
    summary: p.string().nullable(),
    spent_at: timestamp(),
    created_at: timestamp(),
  },
});

/** A user mentioned in the description of an issue. */
export const IssueMention = defineEntity({
  name: 'IssueMention',
  tableName: 'issue_mentions',
  properties: {
    project_id: reference(),
    issue_id: reference().primary(),
    user_id: relation(User).primary(),
  },
});

/** A source that mentions an issue. */
export const IssueCrossReference = defineEntity({
  name: 'IssueCrossReference',
  tableName: 'issue_cross_references',
  properties: {
    project_id: reference(),
    issue_id: reference().primary(),
    source_issue_id: reference().nullable(),
    source_project_id: relation(Project).nullable(),
    source_sha: p.string().nullable(),
    created_at: timestamp().primary(),
    source_merge_request_id: reference().nullable(),
    source_epic_id: reference().nullable(),
  },
});
