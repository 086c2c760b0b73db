import { milestoneJson, userColumns, userJson } from './issue-json.js';
import type { MilestoneRow, UserRow } from './issue-json.js';

/** A row of {@link MERGE_REQUEST_COLUMNS}. */
export interface MergeRequestRow {
  id: number;
  iid: number;
  project_id: number;
  title: string;
  description: string | null;
  state: string;
  draft: boolean;
  created_at: Date;
  updated_at: Date;
  merged_at: Date | null;
  closed_at: Date | null;
  prepared_at: Date;
  source_branch: string;
  target_branch: string;
  upvotes: number;
  head_sha: string;
  base_sha: string;
  start_sha: string;
  merge_commit_sha: string | null;
  full_path: string;
  author: UserRow;
  merger: UserRow | null;
  closed_by: UserRow | null;
  labels: string[];
  assignees: UserRow[];
  reviewers: UserRow[];
  milestone: MilestoneRow | null;
  squash_option: string;
  threads: boolean;
  approvals: number;
  required: number;
  has_branches: boolean;
}

const people = (table: string) => `
  (select coalesce(json_agg(${userColumns('u')} order by u.id), '[]') from merge_request_${table} x join users u on u.id = x.user_id
    where x.merge_request_id = i.id)`;

/**
 * The columns of a merge request `i` with its project's route `r`, settings `s`, author `a`, merger `m` and closer `c`.
 */
export const MERGE_REQUEST_COLUMNS = `
  i.id, i.iid, i.project_id, i.title, i.description, i.state, i.draft, i.created_at, i.updated_at, i.merged_at, i.closed_at,
  i.prepared_at, i.source_branch, i.target_branch, i.upvotes, i.head_sha, i.base_sha, i.start_sha, i.merge_commit_sha,
  r.path as full_path, ${userColumns('a')} as author,
  case when m.id is not null then ${userColumns('m')} end as merger,
  case when c.id is not null then ${userColumns('c')} end as closed_by,
  array(select l.title from merge_request_labels x join labels l on l.id = x.label_id
         where x.merge_request_id = i.id order by l.title, l.id) as labels,
  ${people('assignees')} as assignees, ${people('reviewers')} as reviewers,
  (select row_to_json(k) from milestones k where k.id = i.milestone_id) as milestone, s.squash_option,
  exists (select 1 from notes n where n.merge_request_id = i.id and n.type is not null and not n.system and n.resolved_at is null)
    as threads,
  (select count(*)::int from merge_request_approvals x where x.merge_request_id = i.id) as approvals,
  coalesce(i.approvals_before_merge, s.approvals_before_merge) as required,
  i.state = 'opened' and (
    select count(*) from repository_refs b where b.project_id = i.project_id
       and b.full_name in ('refs/heads/' || i.source_branch, 'refs/heads/' || i.target_branch)) = 2 as has_branches`;

export const MERGE_REQUEST_TABLES = `join routes r on r.project_id = i.project_id
  join project_settings s on s.project_id = i.project_id left join users a on a.id = i.author_id
  left join users m on m.id = i.merge_user_id left join users c on c.id = i.closed_by_id`;

function getStatus({ state, draft, ...row }: MergeRequestRow): string {
  if (state !== 'opened') return 'not_open';
  if (!row.has_branches) return 'commits_status';
  return draft ? 'draft_status' : 'mergeable';
}

/** A merge request of the large dataset: within one project, without threads, time and squashes. */
export function mergeRequestJson(row: MergeRequestRow, base: string, relative: string) {
  const users = (rows: UserRow[]) => rows.map((one) => userJson(one, base));
  const assignees = users(row.assignees);
  const merger = row.state === 'merged' && row.merger ? userJson(row.merger, base) : null;
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    merged_by: merger,
    merge_user: merger,
    merged_at: row.merged_at?.toISOString() ?? null,
    closed_by: row.closed_by && userJson(row.closed_by, base),
    closed_at: row.closed_at?.toISOString() ?? null,
    target_branch: row.target_branch,
    source_branch: row.source_branch,
    user_notes_count: 0,
    upvotes: row.upvotes,
    downvotes: 0,
    author: userJson(row.author, base),
    assignees,
    assignee: assignees[0] ?? null,
    reviewers: users(row.reviewers),
    source_project_id: row.project_id,
    target_project_id: row.project_id,
    labels: row.labels,
    draft: row.draft,
    work_in_progress: row.draft,
    imported: false,
    imported_from: 'none',
    milestone: milestoneJson(row.milestone, row.full_path, base),
    merge_when_pipeline_succeeds: false,
    merge_status: 'can_be_merged',
    detailed_merge_status: getStatus(row),
    sha: row.head_sha,
    merge_commit_sha: row.merge_commit_sha,
    squash_commit_sha: null,
    merge_after: null,
    discussion_locked: null,
    should_remove_source_branch: null,
    force_remove_source_branch: null,
    allow_collaboration: false,
    allow_maintainer_to_push: false,
    prepared_at: row.prepared_at.toISOString(),
    reference: `!${row.iid}`,
    references: { short: `!${row.iid}`, relative, full: `${row.full_path}!${row.iid}` },
    web_url: `${base}/${row.full_path}/-/merge_requests/${row.iid}`,
    time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
    squash: false,
    squash_on_merge: row.squash_option === 'always',
    task_completion_status: { count: 0, completed_count: 0 },
    has_conflicts: false,
    blocking_discussions_resolved: !row.threads,
    approvals_before_merge: null,
  };
}
