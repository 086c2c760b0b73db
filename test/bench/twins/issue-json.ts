/** A row that `userColumns` selects. */
export interface UserRow {
  id: number;
  username: string;
  public_email: string | null;
  name: string;
  state: string;
}

export interface MilestoneRow {
  id: number;
  iid: number;
  project_id: number;
  title: string;
  description: string | null;
  state: string;
  created_at: string;
  updated_at: string;
  due_date: string | null;
  start_date: string | null;
}

/** A row of {@link ISSUE_COLUMNS}. */
export interface IssueRow {
  id: number;
  iid: number;
  project_id: number;
  title: string;
  description: string | null;
  state: string;
  created_at: Date;
  updated_at: Date;
  closed_at: Date | null;
  confidential: boolean;
  weight: number | null;
  due_day: string | null;
  upvotes: number;
  user_notes_count: number;
  full_path: string;
  author: UserRow;
  closed_by: UserRow | null;
  labels: string[];
  assignees: UserRow[];
  milestone: MilestoneRow | null;
  blocking: number;
  epic_id: number | null;
}

/** The JSON of a user. */
export const userColumns = (alias: string) => `json_build_object('id', ${alias}.id, 'username', ${alias}.username,
  'public_email', ${alias}.public_email, 'name', ${alias}.name, 'state', ${alias}.state)`;

/** The columns of an issue `i` with its project's route `r`, author `a` and closer `c`, by one statement. */
export const ISSUE_COLUMNS = `
  i.id, i.iid, i.project_id, i.title, i.description, i.state, i.created_at, i.updated_at, i.closed_at, i.confidential,
  i.weight, to_char(i.due_date, 'YYYY-MM-DD') as due_day, i.upvotes, i.user_notes_count, r.path as full_path, ${userColumns('a')} as author,
  case when c.id is not null then ${userColumns('c')} end as closed_by,
  array(select l.title from issue_labels x join labels l on l.id = x.label_id where x.issue_id = i.id order by l.title, l.id) as labels,
  (select coalesce(json_agg(${userColumns('u')} order by u.id), '[]') from issue_assignees x join users u on u.id = x.user_id
    where x.issue_id = i.id) as assignees,
  (select row_to_json(m) from milestones m where m.id = i.milestone_id) as milestone,
  (select count(*)::int from issue_links l join issues b on b.id = l.target_id and b.state = 'opened'
    where l.source_id = i.id and l.link_type = 'blocks') as blocking,
  (select e.id from epic_issues x join epics e on e.id = x.epic_id where x.issue_id = i.id) as epic_id`;

export const ISSUE_TABLES = `join routes r on r.project_id = i.project_id left join users a on a.id = i.author_id
  left join users c on c.id = i.closed_by_id`;

export function userJson(row: UserRow, base: string) {
  return {
    id: row.id,
    username: row.username,
    public_email: row.public_email ?? '',
    name: row.name,
    state: row.state,
    locked: false,
    avatar_url: `${base}/-/identicons/users/${row.id}.svg`,
    web_url: `${base}/${row.username}`,
  };
}

export function milestoneJson(row: MilestoneRow | null, fullPath: string, base: string) {
  return (
    row && {
      id: row.id,
      iid: row.iid,
      project_id: row.project_id,
      title: row.title,
      description: row.description,
      state: row.state,
      created_at: new Date(row.created_at).toISOString(),
      updated_at: new Date(row.updated_at).toISOString(),
      due_date: row.due_date,
      start_date: row.start_date,
      expired: row.due_date !== null && row.due_date < new Date().toISOString().slice(0, 10),
      web_url: `${base}/${fullPath}/-/milestones/${row.iid}`,
    }
  );
}

/** An issue of the large dataset: of no other kind, without tasks, spent time and votes against it, in no epic. */
export function issueJson(row: IssueRow, base: string, relative: string) {
  if (row.epic_id !== null) throw new Error('The twin knows no epics of issues.');
  const assignees = row.assignees.map((one) => userJson(one, base));
  const project = `${base}/api/v4/projects/${row.project_id}`;
  const self = `${project}/issues/${row.iid}`;
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    closed_by: row.closed_by && userJson(row.closed_by, base),
    labels: row.labels,
    milestone: milestoneJson(row.milestone, row.full_path, base),
    assignees,
    author: userJson(row.author, base),
    type: 'ISSUE',
    assignee: assignees[0] ?? null,
    user_notes_count: row.user_notes_count,
    merge_requests_count: 0,
    upvotes: row.upvotes,
    downvotes: 0,
    start_date: null,
    due_date: row.due_day,
    confidential: row.confidential,
    discussion_locked: null,
    issue_type: 'issue',
    web_url: `${base}/${row.full_path}/-/issues/${row.iid}`,
    time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
    task_completion_status: { count: 0, completed_count: 0 },
    weight: row.weight,
    blocking_issues_count: row.blocking,
    has_tasks: false,
    task_status: '',
    _links: {
      self,
      notes: `${self}/notes`,
      award_emoji: `${self}/award_emoji`,
      project,
      closed_as_duplicate_of: null,
    },
    references: { short: `#${row.iid}`, relative, full: `${row.full_path}#${row.iid}` },
    severity: 'UNKNOWN',
    moved_to_id: null,
    imported: false,
    imported_from: 'none',
    service_desk_reply_to: null,
    epic_iid: null,
    epic: null,
  };
}
