import type { Project } from '../projects/project.entity.js';
import type { ProjectSettings } from './project-settings.entity.js';

/** Settings that are columns of `projects`: rights and filters of lists depend on them. */
export type HotSettings = Pick<
  Project,
  | 'public_jobs'
  | 'builds_access_level'
  | 'repository_access_level'
  | 'issues_access_level'
  | 'merge_requests_access_level'
  | 'forking_access_level'
  | 'wiki_access_level'
  | 'snippets_access_level'
  | 'environments_access_level'
  | 'analytics_access_level'
  | 'ci_pipeline_variables_minimum_override_role'
>;

export type SettingColumns = Omit<ProjectSettings, 'id' | 'project_id' | 'runners_token' | 'import_url'>;

/** The first branch of a repository, where neither its group nor whoever makes it says another. */
export const MAIN_BRANCH = 'main';

/** What a new project is set to, as far as neither the instance nor its visibility decides (projects.md section 4). */
export const NEW_HOT_SETTINGS: Omit<HotSettings, 'ci_pipeline_variables_minimum_override_role'> = {
  public_jobs: true,
  builds_access_level: 'enabled',
  repository_access_level: 'enabled',
  issues_access_level: 'enabled',
  merge_requests_access_level: 'enabled',
  forking_access_level: 'enabled',
  wiki_access_level: 'enabled',
  snippets_access_level: 'enabled',
  environments_access_level: 'enabled',
  analytics_access_level: 'enabled',
};

export const NEW_SETTINGS: Omit<SettingColumns, 'pages_access_level'> = {
  container_registry_access_level: 'enabled',
  package_registry_access_level: 'enabled',
  security_and_compliance_access_level: 'private',
  requirements_access_level: 'enabled',
  releases_access_level: 'enabled',
  feature_flags_access_level: 'enabled',
  infrastructure_access_level: 'enabled',
  monitor_access_level: 'enabled',
  model_experiments_access_level: 'enabled',
  model_registry_access_level: 'enabled',
  service_desk_enabled: false,
  lfs_enabled: true,
  request_access_enabled: true,
  emails_enabled: true,
  show_default_award_emojis: true,
  show_diff_preview_in_email: true,
  warn_about_potentially_unwanted_characters: true,
  enforce_auth_checks_on_uploads: true,
  secret_push_protection_enabled: false,
  external_authorization_classification_label: null,
  compliance_frameworks: [],
  merge_method: 'merge',
  squash_option: 'default_off',
  only_allow_merge_if_pipeline_succeeds: false,
  only_allow_merge_if_all_discussions_are_resolved: false,
  only_allow_merge_if_all_status_checks_passed: false,
  allow_merge_on_skipped_pipeline: false,
  remove_source_branch_after_merge: true,
  printing_merge_request_link_enabled: true,
  resolve_outdated_diff_discussions: false,
  autoclose_referenced_issues: true,
  merge_pipelines_enabled: false,
  merge_trains_enabled: false,
  mr_default_target_self: false,
  approvals_before_merge: 0,
  suggestion_commit_message: null,
  merge_commit_template: null,
  squash_commit_template: null,
  issue_branch_template: null,
  issues_template: null,
  merge_requests_template: null,
  shared_runners_enabled: true,
  group_runners_enabled: true,
  ci_config_path: null,
  ci_default_git_depth: 20,
  ci_delete_pipelines_in_seconds: null,
  ci_forward_deployment_enabled: true,
  ci_forward_deployment_rollback_allowed: true,
  ci_allow_fork_pipelines_to_run_in_parent_project: true,
  ci_job_token_scope_enabled: false,
  ci_separated_caches: true,
  ci_restrict_pipeline_cancellation_role: 'developer',
  ci_push_repository_for_job_token_allowed: false,
  ci_id_token_sub_claim_components: ['project_path', 'ref_type', 'ref'],
  ci_display_pipeline_variables: false,
  protect_merge_request_pipelines: true,
  allow_pipeline_trigger_approve_deployment: false,
  auto_cancel_pending_pipelines: 'enabled',
  auto_devops_enabled: false,
  auto_devops_deploy_strategy: 'continuous',
  build_git_strategy: 'fetch',
  build_timeout: 3600,
  build_coverage_regex: null,
  keep_latest_artifact: true,
  max_artifacts_size: null,
  resource_group_default_process_mode: 'unordered',
  runner_token_expiration_interval: null,
  container_expiration_policy: {
    cadence: '1d',
    enabled: false,
    keep_n: 10,
    older_than: '90d',
    name_regex: '.*',
    name_regex_keep: null,
  },
  container_expiration_next_run_at: null,
  mirror: false,
  mirror_user_id: null,
  mirror_trigger_builds: false,
  only_mirror_protected_branches: false,
  mirror_overwrites_diverged_branches: false,
};
