import { clearable, clearableText, boolean, integer, list, optional, oneOf } from '../../core/fields.js';

const onOff = (docs: string) => optional(boolean()).describe(docs);

/** How a project's pipelines run (seed 2.10 "CI", "Delivery"). Times in seconds, sizes in MiB. */
export const ciParams = {
  public_jobs: onOff('Whether who sees the project sees its pipelines.'),
  public_builds: onOff('Deprecated: use public_jobs.'),
  shared_runners_enabled: onOff('Whether runners of the instance work for it.'),
  group_runners_enabled: onOff("Whether its group's runners work for it."),
  ci_config_path: clearableText().describe('Path of the CI configuration.'),
  ci_default_git_depth: clearable(integer()).describe('How many commits jobs fetch; 0 is all.'),
  ci_delete_pipelines_in_seconds: clearable(integer()).describe('After how many seconds pipelines are removed.'),
  ci_forward_deployment_enabled: onOff('Whether an older deployment is kept from following a newer one.'),
  ci_forward_deployment_rollback_allowed: onOff('Whether going back to an older deployment is allowed all the same.'),
  ci_allow_fork_pipelines_to_run_in_parent_project: onOff("Whether forks' pipelines run in this project."),
  ci_job_token_scope_enabled: onOff('Whether job tokens open only listed projects.'),
  ci_separated_caches: onOff('Whether protected branches have a cache of their own.'),
  ci_restrict_pipeline_cancellation_role: optional(oneOf(['developer', 'maintainer', 'no_one'])).describe(
    'Who may cancel pipelines.',
  ),
  ci_pipeline_variables_minimum_override_role: optional(
    oneOf(['no_one_allowed', 'developer', 'maintainer', 'owner']),
  ).describe('Who may give pipelines variables of their own.'),
  restrict_user_defined_variables: onOff('Deprecated: use ci_pipeline_variables_minimum_override_role.'),
  ci_push_repository_for_job_token_allowed: onOff('Whether job tokens may push.'),
  ci_id_token_sub_claim_components: optional(
    list(oneOf(['project_path', 'ref_type', 'ref', 'environment_protected', 'deployment_tier'])),
  ).describe('What the subject of id tokens is made of; begins with project_path.'),
  ci_display_pipeline_variables: onOff('Whether variables of pipelines are shown.'),
  protect_merge_request_pipelines: onOff("Whether merge requests' pipelines get protected variables and runners."),
  allow_pipeline_trigger_approve_deployment: onOff('Whether who starts a deployment may approve it.'),
  auto_cancel_pending_pipelines: optional(oneOf(['enabled', 'disabled'])).describe(
    'Whether a newer pipeline cancels waiting ones.',
  ),
  auto_devops_enabled: onOff('Whether Auto DevOps runs.'),
  auto_devops_deploy_strategy: optional(oneOf(['continuous', 'manual', 'timed_incremental'])).describe(
    'How Auto DevOps deploys.',
  ),
  build_git_strategy: optional(oneOf(['fetch', 'clone'])).describe('How jobs get the repository.'),
  build_timeout: optional(integer()).describe('Seconds that a job may take.'),
  build_coverage_regex: clearableText().describe('Finds the coverage in the output of jobs.'),
  keep_latest_artifact: onOff('Whether the last artifacts of each ref are kept.'),
  max_artifacts_size: clearable(integer()).describe('Largest artifact, in MiB.'),
  resource_group_default_process_mode: optional(
    oneOf(['unordered', 'oldest_first', 'newest_first', 'newest_ready_first']),
  ).describe('In which order new resource groups let jobs in.'),
  runner_token_expiration_interval: clearable(integer()).describe("Seconds that new runners' tokens last."),
};

/** What images of the container registry are kept. */
export const containerExpirationParam = {
  cadence: optional(oneOf(['1d', '7d', '14d', '1month', '3month'])),
  enabled: optional(boolean()),
  keep_n: clearable(integer()),
  older_than: clearable(oneOf(['7d', '14d', '30d', '60d', '90d'])),
  name_regex: clearableText(),
  name_regex_delete: clearableText(),
  name_regex_keep: clearableText(),
};

/** Where a project's commits are mirrored from (seed 2.10 "Import/mirror"). */
export const mirrorParams = {
  import_url: clearableText().describe('URL that the repository is mirrored from. Premium.'),
  mirror: onOff('Whether it is mirrored from import_url. Premium.'),
  mirror_user_id: optional(integer()).describe('Who the mirrored changes are attributed to. Administrators; Premium.'),
  mirror_trigger_builds: onOff('Whether mirrored changes start pipelines. Premium.'),
  only_mirror_protected_branches: onOff('Whether only protected branches are mirrored. Premium.'),
  mirror_overwrites_diverged_branches: onOff('Whether branches that went other ways are overwritten. Premium.'),
};
