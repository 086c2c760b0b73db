/** A row of {@link PROJECT_COLUMNS}. */
export interface ProjectRow {
  id: number;
  creator_id: number | null;
  name: string;
  path: string;
  description: string | null;
  visibility: string;
  default_branch: string | null;
  archived: boolean;
  marked_for_deletion_at: Date | null;
  public_jobs: boolean;
  builds_access_level: string;
  repository_access_level: string;
  override_role: string;
  star_count: number;
  last_activity_at: Date;
  created_at: Date;
  updated_at: Date;
  full_path: string;
  full_name: string;
  namespace_id: number;
  namespace_name: string;
  namespace_path: string;
  namespace_kind: string;
  namespace_parent_id: number | null;
  namespace_full_path: string;
  access: number;
}

export const PROJECT_COLUMNS = `
  p.id, p.creator_id, p.name, p.path, p.description, p.visibility, p.default_branch, p.archived,
  p.marked_for_deletion_at, p.public_jobs, p.builds_access_level, p.repository_access_level,
  p.ci_pipeline_variables_minimum_override_role as override_role, p.star_count, p.last_activity_at, p.created_at,
  p.updated_at, r.path as full_path, r.name as full_name, n.id as namespace_id, n.name as namespace_name,
  n.path as namespace_path, n.kind as namespace_kind, n.parent_id as namespace_parent_id,
  nr.path as namespace_full_path`;

export const PROJECT_TABLES = `projects p
  join namespaces n on n.id = p.namespace_id
  join routes r on r.project_id = p.id
  join routes nr on nr.namespace_id = n.id`;

/** The project as the API shows it to a Maintainer. */
export function projectJson(row: ProjectRow, base: string) {
  const url = `${base}/${row.full_path}`;
  const marked = row.marked_for_deletion_at?.toISOString().slice(0, 10) ?? null;
  return {
    id: row.id,
    description: row.description,
    name: row.name,
    name_with_namespace: row.full_name,
    path: row.path,
    path_with_namespace: row.full_path,
    created_at: row.created_at.toISOString(),
    default_branch: row.default_branch,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: `git@${new URL(base).hostname}:${row.full_path}.git`,
    http_url_to_repo: `${url}.git`,
    web_url: url,
    avatar_url: null,
    star_count: row.star_count,
    last_activity_at: row.last_activity_at.toISOString(),
    visibility: row.visibility,
    namespace: {
      id: row.namespace_id,
      name: row.namespace_name,
      path: row.namespace_path,
      kind: row.namespace_kind,
      full_path: row.namespace_full_path,
      parent_id: row.namespace_parent_id,
      avatar_url: null,
      web_url: `${base}/${row.namespace_kind === 'group' ? 'groups/' : ''}${row.namespace_full_path}`,
    },
    _links: {
      self: `${base}/api/v4/projects/${row.id}`,
      repo_branches: `${base}/api/v4/projects/${row.id}/repository/branches`,
      members: `${base}/api/v4/projects/${row.id}/members`,
    },
    empty_repo: row.default_branch === null,
    archived: row.archived,
    creator_id: row.creator_id,
    updated_at: row.updated_at.toISOString(),
    public_jobs: row.public_jobs,
    builds_access_level: row.builds_access_level,
    repository_access_level: row.repository_access_level,
    marked_for_deletion_at: marked,
    marked_for_deletion_on: marked,
    ci_pipeline_variables_minimum_override_role: row.access >= 40 ? row.override_role : undefined,
  };
}
