import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Milestone } from '../milestones/milestone.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import type { ReferenceBase } from './issue-references.js';

/** Something to do in a project: an issue, incident, test case or task. */
export const Issue = defineEntity({
  name: 'Issue',
  tableName: 'issues',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** Its number in the project; never reused. */
    iid: p.integer(),
    /** `issue`, `incident`, `test_case` or `task`. */
    issue_type: p.string(),
    title: p.string(),
    description: p.string().nullable(),
    /** `opened` or `closed`. */
    state: p.string(),
    confidential: p.boolean(),
    discussion_locked: p.boolean().nullable(),
    author_id: relation(User).nullable(),
    updated_by_id: relation(User).nullable(),
    closed_by_id: relation(User).nullable(),
    milestone_id: relation(Milestone).nullable(),
    weight: p.integer().nullable(),
    /** Of incidents: `unknown`, `low`, `medium`, `high` or `critical`. */
    severity: p.string(),
    start_date: p.date().nullable(),
    due_date: p.date().nullable(),
    relative_position: p.bigint('number').nullable(),
    /** Seconds. */
    time_estimate: p.integer(),
    /** Seconds. */
    total_time_spent: p.integer(),
    user_notes_count: p.integer(),
    merge_requests_count: p.integer(),
    upvotes: p.integer(),
    downvotes: p.integer(),
    /** Items of task lists in the description. */
    task_count: p.integer(),
    completed_task_count: p.integer(),
    moved_to_id: reference().nullable(),
    duplicated_to_id: reference().nullable(),
    service_desk_reply_to: p.string().nullable(),
    imported_from: p.string(),
    closed_at: timestamp().nullable(),
    last_edited_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Issue = InferEntity<typeof Issue>;

/** The client that created an issue. */
export const IssueUserAgent = defineEntity({
  name: 'IssueUserAgent',
  tableName: 'issue_user_agents',
  properties: {
    issue_id: relation(Issue).primary(),
    project_id: reference(),
    user_agent: p.string(),
    ip_address: p.string(),
  },
});
export type IssueUserAgent = InferEntity<typeof IssueUserAgent>;

/** A part of the count of open issues of a project; the count is the sum of all parts. */
export const ProjectIssueCount = defineEntity({
  name: 'ProjectIssueCount',
  tableName: 'project_issue_counts',
  properties: {
    project_id: relation(Project).primary(),
    opened: p.integer(),
    opened_confidential: p.integer(),
    part: p.smallint().primary().default(0),
  },
});

/** An issue as lists hold it, of whatever project. */
export interface ListedIssue extends Issue {
  author: UserSummary | null;
  closed_by: UserSummary | null;
  /** Of its project. */
  full_path: string;
  /** The context of the request; omitted if there is none. */
  reference_base?: ReferenceBase;
  /** The sort key, in lists that are not ordered by a column of the record. */
  ordering?: string | number;
  /** And after that. */
  label_priority?: number;
}

/** An issue with its project and whether the caller is an assignee, as needed for permission checks. */
export interface IssueRecord extends ListedIssue {
  project: ProjectRecord;
  /** The caller's own id where they are one of the assignees. */
  assigned_id: number | null;
}
