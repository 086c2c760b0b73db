/** A row of {@link BASIC_COLUMNS}. */
export interface BasicRow {
  id: number;
  name: string;
  path: string;
  description: string | null;
  visibility: string;
  default_branch: string | null;
  star_count: number;
  last_activity_at: Date;
  created_at: Date;
  full_path: string;
  full_name: string;
  namespace_id: number;
  namespace_name: string;
  namespace_path: string;
  namespace_kind: string;
  namespace_owner_id: number | null;
  namespace_parent_id: number | null;
  namespace_full_path: string;
  access: number;
  topics: string[];
  forks_count: number;
}

export const BASIC_COLUMNS = `
  p.id, p.name, p.path, p.description, p.visibility, p.default_branch, p.star_count, p.last_activity_at, p.created_at,
  r.path as full_path, r.name as full_name, n.id as namespace_id, n.name as namespace_name, n.path as namespace_path,
  n.kind as namespace_kind, n.owner_id as namespace_owner_id, n.parent_id as namespace_parent_id, nr.path as namespace_full_path,
  array(select t.name from project_topics pt join topics t on t.id = pt.topic_id
         where pt.project_id = p.id order by lower(t.name)) as topics,
  (select count(*)::int from projects f where f.forked_from_id = p.id and f.removal_started_at is null) as forks_count`;

/** The simple record of a project of the large dataset: it has no avatar and no files in its repository. */
export function basicProjectJson(row: BasicRow, base: string, readsCode: boolean) {
  const url = `${base}/${row.full_path}`;
  return {
    id: row.id,
    description: row.description,
    name: row.name,
    name_with_namespace: row.full_name,
    path: row.path,
    path_with_namespace: row.full_path,
    created_at: row.created_at.toISOString(),
    tag_list: row.topics,
    topics: row.topics,
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
      avatar_url: row.namespace_owner_id === null ? null : `${base}/-/identicons/users/${row.namespace_owner_id}.svg`,
      web_url: `${base}/${row.namespace_kind === 'group' ? 'groups/' : ''}${row.namespace_full_path}`,
    },
    ...(readsCode
      ? { default_branch: row.default_branch ?? 'main', readme_url: null, forks_count: row.forks_count }
      : {}),
  };
}
