import { oneOf } from '../../core/operations/fields.js';
import { declareSettings } from '../namespaces/declared-settings.js';
import { MOST, olderFlag } from '../namespaces/setting-kinds.js';
import { kind } from './declared-kinds.js';

const forMaintainers = { visibleTo: 'maintainers' } as const;
const audited = { ...forMaintainers, audited: true } as const;

/** How a project's pipelines run (projects.md "CI", "Delivery"). Times in seconds, sizes in MiB. */
export const pipelineSettings = declareSettings({
  public_jobs: kind.flag(true, 'If `true`, pipelines are visible to everyone who can see the project.', {
    inRecord: true,
    inherited: true,
    audited: true,
  }),
  public_builds: olderFlag('public_jobs', (on) => on),
  shared_runners_enabled: kind.flag(true, 'If `true`, instance runners are enabled for the project.', {
    inherited: true,
    audited: true,
  }),
  group_runners_enabled: kind.flag(true, 'If `true`, group runners are enabled for the project.', audited),
  ci_execution: kind.choice(
    ['auto', 'external', 'required'],
    'auto',
    'Source of the jobs of pipelines: `auto` for the CI configuration where there is one, `external` for outside executors alone, `required` for the CI configuration, without which there is no pipeline.',
    audited,
  ),
  ci_config_path: kind.text(255, 'Path of the CI configuration.', { inherited: true, visibleTo: 'code_readers' }),
  ci_default_git_depth: kind.openNumber(
    20,
    { low: 0, high: 1000 },
    'Number of commits that jobs fetch; 0 fetches all of them.',
    forMaintainers,
  ),
  ci_delete_pipelines_in_seconds: kind.openNumber(
    null,
    { low: 86_400, high: 31_536_000 },
    'Seconds after which finished pipelines of the CI configuration are removed; null keeps them. Owners.',
    audited,
  ),
  ci_forward_deployment_enabled: kind.flag(true, 'If `true`, outdated deployment jobs are prevented.', forMaintainers),
  ci_forward_deployment_rollback_allowed: kind.flag(
    true,
    'If `true`, job retries for rollback deployments are allowed.',
    forMaintainers,
  ),
  ci_allow_fork_pipelines_to_run_in_parent_project: kind.flag(
    true,
    'If `true`, pipelines of merge requests from forks can run in this project.',
    forMaintainers,
  ),
  ci_job_token_scope_enabled: kind.flag(
    false,
    'If `true`, job tokens can access only projects on the allowlist.',
    audited,
  ),
  ci_separated_caches: kind.flag(true, 'If `true`, protected branches have a separate cache.', forMaintainers),
  ci_restrict_pipeline_cancellation_role: kind.choice(
    ['developer', 'maintainer', 'no_one'],
    'developer',
    'Role required to cancel pipelines.',
    audited,
  ),
  // Of a new project: as the instance has it.
  ci_pipeline_variables_minimum_override_role: kind.choice(
    ['no_one_allowed', 'developer', 'maintainer', 'owner'],
    undefined,
    'Role required to set pipeline variables.',
    { ...audited, inRecord: true },
  ),
  // The older switch knew two answers; the role behind it knows more [unverified].
  restrict_user_defined_variables: olderFlag('ci_pipeline_variables_minimum_override_role', (restricted) =>
    restricted ? 'maintainer' : 'developer',
  ),
  ci_push_repository_for_job_token_allowed: kind.flag(
    false,
    'If `true`, job tokens can push to the repository.',
    audited,
  ),
  ci_id_token_sub_claim_components: kind.texts(
    oneOf(['project_path', 'ref_type', 'ref', 'environment_protected', 'deployment_tier']),
    ['project_path', 'ref_type', 'ref'],
    'Components of the `sub` claim of ID tokens; the first is `project_path`.',
    forMaintainers,
  ),
  ci_display_pipeline_variables: kind.flag(false, 'If `true`, variables of pipelines are displayed.', forMaintainers),
  protect_merge_request_pipelines: kind.flag(
    true,
    'If `true`, merge request pipelines can access protected variables and runners.',
    audited,
  ),
  allow_pipeline_trigger_approve_deployment: kind.flag(
    false,
    'If `true`, the user who triggers a deployment can approve it.',
    {},
  ),
  auto_cancel_pending_pipelines: kind.choice(
    ['enabled', 'disabled'],
    'enabled',
    'Setting of auto-canceling redundant pipelines.',
    forMaintainers,
  ),
  auto_devops_enabled: kind.flag(false, 'If `true`, Auto DevOps is enabled for the project.', forMaintainers),
  auto_devops_deploy_strategy: kind.choice(
    ['continuous', 'manual', 'timed_incremental'],
    'continuous',
    'Deployment strategy of Auto DevOps.',
    forMaintainers,
  ),
  build_git_strategy: kind.choice(['fetch', 'clone'], 'fetch', 'Git strategy of jobs.', forMaintainers),
  build_timeout: kind.number(
    3600,
    { low: 600, high: 2_592_000 - 1, message: 'needs to be between 10 minutes and 1 month' },
    'Seconds that a job may take.',
    forMaintainers,
  ),
  build_coverage_regex: kind.text(255, 'Finds the coverage in the output of jobs.', forMaintainers),
  keep_latest_artifact: kind.flag(true, 'If `true`, the latest artifacts of each ref are kept.', forMaintainers),
  max_artifacts_size: kind.openNumber(null, { low: 1, high: MOST }, 'Largest artifact, in MiB.', {}),
  resource_group_default_process_mode: kind.choice(
    ['unordered', 'oldest_first', 'newest_first', 'newest_ready_first'],
    'unordered',
    'In which order new resource groups let jobs in.',
    forMaintainers,
  ),
  runner_token_expiration_interval: kind.openNumber(
    null,
    { low: 7200, high: MOST },
    "Seconds that new runners' tokens last.",
    forMaintainers,
  ),
});
