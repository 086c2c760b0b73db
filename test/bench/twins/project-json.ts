import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { declaredSettings } from '../../../shared/tenancy/projects/declared-settings.js';
import { FIELD_ORDER } from '../../../shared/tenancy/projects/field-order.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

/** A row of {@link PROJECT_COLUMNS}: the columns of project and settings unchanged, and the renamed ones. */
export interface ProjectRow extends Record<string, unknown> {
  id: number;
  path: string;
  name: string;
  default_branch: string | null;
  marked_for_deletion_at: Date | null;
  last_activity_at: Date;
  created_at: Date;
  updated_at: Date;
  full_path: string;
  full_name: string;
  access: number;
  topics: string[];
  emails_enabled: boolean;
  package_registry_access_level: string;
  container_expiration_policy: Record<string, unknown>;
  container_expiration_next_run_at: Date | null;
  description: string | null;
  project_access: number | null;
  group_access: number | null;
  open_issues: number;
}

const HELD = `m.user_id = $1 and (m.expires_on is null or m.expires_on > current_date)`;

/** @param group which memberships of groups `m` are included, as SQL */
const columnsWith = (group: string) => `
  s.*, p.*, r.path as full_path, r.name as full_name, n.id as namespace_id, n.name as namespace_name,
  n.path as namespace_path, n.kind as namespace_kind, n.parent_id as namespace_parent_id,
  nr.path as namespace_full_path, st.readme_path,
  array(select t.name from project_topics pt join topics t on t.id = pt.topic_id
         where pt.project_id = p.id order by lower(t.name)) as topics,
  (select coalesce(sum(c.opened), 0)::int from project_issue_counts c where c.project_id = p.id) as open_issues,
  (select count(*) from projects f where f.forked_from_id = p.id and f.removal_started_at is null) as forks_count,
  (select m.access_level from project_members m where m.project_id = p.id and ${HELD}) as project_access,
  (select max(m.access_level) from group_members m where ${group} and ${HELD}) as group_access`;

/** For one project, and for lists. */
const PROJECT_COLUMNS = columnsWith('m.namespace_id = any(n.traversal_ids)');
export const LISTED_COLUMNS = columnsWith('m.namespace_id = n.id');

export const PROJECT_TABLES = `projects p
  join namespaces n on n.id = p.namespace_id
  join routes r on r.project_id = p.id
  join routes nr on nr.namespace_id = n.id`;

/** With the additional tables of the full record. */
export const FULL_TABLES = `${PROJECT_TABLES}
  join project_settings s on s.project_id = p.id
  join project_statistics st on st.project_id = p.id`;

const BEFORE_EXPIRATION = [
  'request_access_enabled',
  'emails_enabled',
  'show_default_award_emojis',
  'show_diff_preview_in_email',
  'warn_about_potentially_unwanted_characters',
  'enforce_auth_checks_on_uploads',
  'secret_push_protection_enabled',
  'shared_runners_enabled',
];
const LEVELS = [
  'issues_access_level',
  'repository_access_level',
  'merge_requests_access_level',
  'forking_access_level',
  'wiki_access_level',
  'builds_access_level',
  'snippets_access_level',
  'analytics_access_level',
  'environments_access_level',
  'pages_access_level',
  'container_registry_access_level',
  'security_and_compliance_access_level',
  'releases_access_level',
  'feature_flags_access_level',
  'infrastructure_access_level',
  'monitor_access_level',
  'model_experiments_access_level',
  'model_registry_access_level',
  'package_registry_access_level',
];
const MERGING = [
  'merge_method',
  'squash_option',
  'only_allow_merge_if_pipeline_succeeds',
  'allow_merge_on_skipped_pipeline',
  'only_allow_merge_if_all_discussions_are_resolved',
  'remove_source_branch_after_merge',
  'printing_merge_request_link_enabled',
  'resolve_outdated_diff_discussions',
  'autoclose_referenced_issues',
  'merge_pipelines_enabled',
  'merge_trains_enabled',
  'allow_pipeline_trigger_approve_deployment',
  'suggestion_commit_message',
  'merge_commit_template',
  'squash_commit_template',
  'issue_branch_template',
  'approvals_before_merge',
  'issues_template',
  'merge_requests_template',
  'only_allow_merge_if_all_status_checks_passed',
  'compliance_frameworks',
];
const CI = [
  'ci_default_git_depth',
  'ci_delete_pipelines_in_seconds',
  'runner_token_expiration_interval',
  'ci_forward_deployment_enabled',
  'ci_forward_deployment_rollback_allowed',
  'ci_allow_fork_pipelines_to_run_in_parent_project',
  'ci_job_token_scope_enabled',
  'ci_separated_caches',
  'ci_push_repository_for_job_token_allowed',
  'ci_display_pipeline_variables',
  'protect_merge_request_pipelines',
  'keep_latest_artifact',
  'group_runners_enabled',
  'auto_devops_enabled',
  'ci_restrict_pipeline_cancellation_role',
  'build_git_strategy',
  'auto_cancel_pending_pipelines',
  'auto_devops_deploy_strategy',
  'resource_group_default_process_mode',
  'build_coverage_regex',
  'build_timeout',
  'ci_id_token_sub_claim_components',
  'ci_pipeline_variables_minimum_override_role',
];

/** Settings that came after these lists were written: the record shows them behind all others. */
const NEWER = settingEntries(declaredSettings).filter(([name]) => !FIELD_ORDER.includes(name));
const newerFor = (maintainer: boolean) =>
  NEWER.filter(
    ([, { options }]) => options.visibleTo === undefined || (maintainer && options.visibleTo === 'maintainers'),
  ).map(([name]) => name);

function copy(row: ProjectRow, names: readonly string[], into: Record<string, unknown>) {
  for (const name of names) into[name] = row[name];
}

const role = (level: number | null) => (level === null ? null : { access_level: level, notification_level: 3 });

/** The project of a group as the API shows it to a Developer or Maintainer; its features are open, its plan has all. */
export function projectJson(row: ProjectRow, base: string) {
  const url = `${base}/${row.full_path}`;
  const api = `${base}/api/v4/projects/${row.id}`;
  const marked = row.marked_for_deletion_at?.toISOString().slice(0, 10) ?? null;
  const body: Record<string, unknown> = {
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
      avatar_url: null,
      web_url: `${base}/groups/${String(row.namespace_full_path)}`,
    },
    default_branch: row.default_branch ?? 'main',
    readme_url: row.readme_path,
    forks_count: Number(row.forks_count),
    description_html: `<p dir="auto">${row.description}</p>`,
    _links: {
      self: api,
      issues: `${api}/issues`,
      merge_requests: `${api}/merge_requests`,
      repo_branches: `${api}/repository/branches`,
      labels: `${api}/labels`,
      events: `${api}/events`,
      members: `${api}/members`,
      cluster_agents: `${api}/cluster_agents`,
    },
    container_registry_image_prefix: `${new URL(base).host}/${row.full_path}`,
    empty_repo: row.default_branch === null,
    archived: row.archived,
    creator_id: row.creator_id,
    updated_at: row.updated_at.toISOString(),
    import_status: row.import_status,
    marked_for_deletion_at: marked,
    marked_for_deletion_on: marked,
    issues_enabled: true,
    merge_requests_enabled: true,
    wiki_enabled: true,
    jobs_enabled: true,
    snippets_enabled: true,
    container_registry_enabled: true,
    packages_enabled: row.package_registry_access_level !== 'disabled',
    security_and_compliance_enabled: true,
    service_desk_enabled: row.service_desk_enabled,
    lfs_enabled: row.lfs_enabled,
    can_create_merge_request_in: true,
  };
  copy(row, LEVELS, body);
  body.requirements_enabled = true;
  body.requirements_access_level = row.requirements_access_level;
  copy(row, BEFORE_EXPIRATION, body);
  body.emails_disabled = !row.emails_enabled;
  body.public_jobs = row.public_jobs;
  const { name_regex: regex, name_regex_keep: keep, ...rest } = row.container_expiration_policy;
  body.container_expiration_policy = {
    ...rest,
    name_regex: regex,
    name_regex_delete: regex,
    name_regex_keep: keep,
    next_run_at: row.container_expiration_next_run_at?.toISOString() ?? null,
  };
  copy(row, ['external_authorization_classification_label', 'max_artifacts_size', 'ci_config_path', 'mirror'], body);
  copy(row, MERGING, body);
  if (row.access >= 40) {
    copy(row, CI, body);
    body.restrict_user_defined_variables = row.ci_pipeline_variables_minimum_override_role !== 'developer';
    copy(row, ['import_url', 'import_type', 'import_error', 'runners_token'], body);
  }
  copy(row, newerFor(row.access >= 40), body);
  body.shared_with_groups = [];
  body.repository_object_format = 'sha1';
  body.service_desk_address = null;
  body.permissions = { project_access: role(row.project_access), group_access: role(row.group_access) };
  body.open_issues_count = row.open_issues;
  return body;
}

const TEXT = `select ${PROJECT_COLUMNS}, ${ACCESS} as access from ${FULL_TABLES} where p.id = $2`;

/** `GET /projects/:id` for members. */
export async function projectRead(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const [row] = await db.rows<ProjectRow>('project', TEXT, [userId, Number(match[1])]);
  if (!row || row.access < 10) return null;
  return { body: JSON.stringify(projectJson(row, db.externalUrl)) };
}
