import { defineEntity, id, instant, p, reference } from '../../core/entity.js';
import type { InferEntity } from '../../core/entity.js';

/** When images of the container registry are removed; `next_run_at` is a column of its own. */
export interface ContainerExpiration {
  cadence: string;
  enabled: boolean;
  keep_n: number | null;
  older_than: string | null;
  name_regex: string | null;
  name_regex_keep: string | null;
}

const flag = () => p.boolean();
const word = () => p.string();
const maybeText = () => p.string().nullable();

/**
 * What a project is set to, as far as no right and no filter of lists depends on it: those are columns of `projects`,
 * which every request reads. Made with the project.
 */
export const ProjectSettings = defineEntity({
  name: 'ProjectSettings',
  tableName: 'project_settings',
  properties: {
    id: id(),
    project_id: reference(),
    // Features: `disabled`, `private` (members only) or `enabled`; pages and packages also `public`.
    pages_access_level: word(),
    container_registry_access_level: word(),
    package_registry_access_level: word(),
    security_and_compliance_access_level: word(),
    requirements_access_level: word(),
    releases_access_level: word(),
    feature_flags_access_level: word(),
    infrastructure_access_level: word(),
    monitor_access_level: word(),
    model_experiments_access_level: word(),
    model_registry_access_level: word(),
    service_desk_enabled: flag(),
    lfs_enabled: flag(),
    request_access_enabled: flag(),
    emails_enabled: flag(),
    show_default_award_emojis: flag(),
    show_diff_preview_in_email: flag(),
    warn_about_potentially_unwanted_characters: flag(),
    enforce_auth_checks_on_uploads: flag(),
    secret_push_protection_enabled: flag(),
    external_authorization_classification_label: maybeText(),
    compliance_frameworks: p.array(),
    // Merging.
    merge_method: word(),
    squash_option: word(),
    only_allow_merge_if_pipeline_succeeds: flag(),
    only_allow_merge_if_all_discussions_are_resolved: flag(),
    only_allow_merge_if_all_status_checks_passed: flag(),
    allow_merge_on_skipped_pipeline: flag(),
    remove_source_branch_after_merge: flag(),
    printing_merge_request_link_enabled: flag(),
    resolve_outdated_diff_discussions: flag(),
    autoclose_referenced_issues: flag(),
    merge_pipelines_enabled: flag(),
    merge_trains_enabled: flag(),
    /** In a fork: merge requests go to the fork itself, not upstream, unless told. */
    mr_default_target_self: flag(),
    approvals_before_merge: p.integer(),
    suggestion_commit_message: maybeText(),
    merge_commit_template: maybeText(),
    squash_commit_template: maybeText(),
    issue_branch_template: maybeText(),
    issues_template: maybeText(),
    merge_requests_template: maybeText(),
    // Continuous integration.
    shared_runners_enabled: flag(),
    group_runners_enabled: flag(),
    ci_config_path: maybeText(),
    ci_default_git_depth: p.integer().nullable(),
    ci_delete_pipelines_in_seconds: p.integer().nullable(),
    ci_forward_deployment_enabled: flag(),
    ci_forward_deployment_rollback_allowed: flag(),
    ci_allow_fork_pipelines_to_run_in_parent_project: flag(),
    ci_job_token_scope_enabled: flag(),
    ci_separated_caches: flag(),
    ci_restrict_pipeline_cancellation_role: word(),
    ci_push_repository_for_job_token_allowed: flag(),
    ci_id_token_sub_claim_components: p.array(),
    ci_display_pipeline_variables: flag(),
    protect_merge_request_pipelines: flag(),
    allow_pipeline_trigger_approve_deployment: flag(),
    auto_cancel_pending_pipelines: word(),
    auto_devops_enabled: flag(),
    auto_devops_deploy_strategy: word(),
    build_git_strategy: word(),
    /** Seconds. */
    build_timeout: p.integer(),
    build_coverage_regex: maybeText(),
    keep_latest_artifact: flag(),
    /** MiB; null follows the instance. */
    max_artifacts_size: p.integer().nullable(),
    resource_group_default_process_mode: word(),
    /** Seconds. */
    runner_token_expiration_interval: p.integer().nullable(),
    /** Encrypted, bound to `project_settings.runners_token:<project id>`. */
    runners_token: p.uint8array().nullable(),
    /** One value, read and written whole. */
    container_expiration_policy: p.json<ContainerExpiration>(),
    container_expiration_next_run_at: instant().nullable(),
    /** Encrypted, since it may hold credentials; bound to `project_settings.import_url:<project id>`. */
    import_url: p.uint8array().nullable(),
    mirror: flag(),
    mirror_user_id: reference().nullable(),
    mirror_trigger_builds: flag(),
    only_mirror_protected_branches: flag(),
    mirror_overwrites_diverged_branches: flag(),
  },
});
export type ProjectSettings = InferEntity<typeof ProjectSettings>;
