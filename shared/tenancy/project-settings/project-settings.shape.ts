import type { ProjectRecord } from '../projects/project.record.js';
import { out, shownIf } from '../../core/shape.js';
import type { OutField } from '../../core/shape.js';
import type { Context } from '../../core/context.js';
import { shownImportUrl } from './import-url.js';
import { settingsOf } from '../projects/project-details.js';
import { openRunnersToken } from './project-secrets.js';
import type { ProjectSettings } from './project-settings.entity.js';
import { projectPolicy } from '../projects/project.policy.js';

type Fields = Record<string, OutField<ProjectRecord>>;
/** Names of columns whose values are of a type. */
type Named<V> = { [K in keyof ProjectSettings]-?: ProjectSettings[K] extends V ? K : never }[keyof ProjectSettings] &
  string;

const each = <K extends string>(names: readonly K[], field: (name: K) => OutField<ProjectRecord>): Fields =>
  Object.fromEntries(names.map((name) => [name, field(name)]));
const flags = (...names: Named<boolean>[]) => each(names, (name) => out.boolean((p, ctx) => settingsOf(p, ctx)[name]));
const words = (...names: Named<string>[]) => each(names, (name) => out.text((p, ctx) => settingsOf(p, ctx)[name]));
const maybeTexts = (...names: Named<string | null | undefined>[]) =>
  each(names, (name) => out.nullableText((p, ctx) => settingsOf(p, ctx)[name]));
const maybeNumbers = (...names: Named<number | null | undefined>[]) =>
  each(names, (name) => out.nullableInteger((p, ctx) => settingsOf(p, ctx)[name]));

const isMaintainer = (project: ProjectRecord, ctx: Context) => projectPolicy.admin_project(ctx.caller, project);
const hasPremium = (_project: ProjectRecord, ctx: Context) => ctx.hasPlan('premium');
const hasUltimate = (_project: ProjectRecord, ctx: Context) => ctx.hasPlan('ultimate');
const mirrored = (project: ProjectRecord, ctx: Context) =>
  ctx.hasPlan('premium') && settingsOf(project, ctx).mirror && isMaintainer(project, ctx);

/** How images of the container registry are removed; the older name of the expression beside the newer one. */
function expiration(project: ProjectRecord, ctx: Context) {
  const { container_expiration_policy: policy, container_expiration_next_run_at: next } = settingsOf(project, ctx);
  const { name_regex: regex, name_regex_keep: keep, ...rest } = policy;
  return {
    ...rest,
    name_regex: regex,
    name_regex_delete: regex,
    name_regex_keep: keep,
    next_run_at: next?.toISOString() ?? null,
  };
}

/** Seed 2.10 "Merge settings" and "Templates". */
export const mergeFields: Fields = {
  ...words('merge_method', 'squash_option'),
  ...flags(
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
  ),
  ...maybeTexts(
    'suggestion_commit_message',
    'merge_commit_template',
    'squash_commit_template',
    'issue_branch_template',
  ),
  ...shownIf<ProjectRecord>(hasPremium, {
    ...maybeNumbers('approvals_before_merge'),
    ...maybeTexts('issues_template', 'merge_requests_template'),
  }),
  ...shownIf<ProjectRecord>(hasUltimate, {
    ...flags('only_allow_merge_if_all_status_checks_passed'),
    compliance_frameworks: out.texts((p, ctx) => settingsOf(p, ctx).compliance_frameworks),
  }),
  ...shownIf<ProjectRecord>((p) => typeof p.forked_from_id === 'number', flags('mr_default_target_self')),
};

/** What everybody signed in sees of CI/CD, delivery and the rest. */
export const openSettingFields: Fields = {
  ...flags(
    'request_access_enabled',
    'emails_enabled',
    'show_default_award_emojis',
    'show_diff_preview_in_email',
    'warn_about_potentially_unwanted_characters',
    'enforce_auth_checks_on_uploads',
    'secret_push_protection_enabled',
    'shared_runners_enabled',
  ),
  emails_disabled: out.boolean((p, ctx) => !settingsOf(p, ctx).emails_enabled),
  public_jobs: out.boolean((p) => p.public_jobs),
  container_expiration_policy: out.any(expiration, { type: 'object' }),
  ...maybeTexts('external_authorization_classification_label'),
  ...maybeNumbers('max_artifacts_size'),
  ci_config_path: out.nullableText(
    (p, ctx) => (projectPolicy.read_code(ctx.caller, p) ? settingsOf(p, ctx).ci_config_path : undefined),
    { optional: true },
  ),
  ...shownIf<ProjectRecord>(hasPremium, flags('mirror')),
  ...shownIf<ProjectRecord>(mirrored, {
    ...maybeNumbers('mirror_user_id'),
    ...flags('mirror_trigger_builds', 'only_mirror_protected_branches', 'mirror_overwrites_diverged_branches'),
  }),
};

/** What Maintainers see: how pipelines run, where the repository comes from, and the runners' token. */
export const maintainerFields: Fields = shownIf<ProjectRecord>(isMaintainer, {
  ...maybeNumbers('ci_default_git_depth', 'ci_delete_pipelines_in_seconds', 'runner_token_expiration_interval'),
  ...flags(
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
  ),
  ...words(
    'ci_restrict_pipeline_cancellation_role',
    'build_git_strategy',
    'auto_cancel_pending_pipelines',
    'auto_devops_deploy_strategy',
    'resource_group_default_process_mode',
  ),
  ...maybeTexts('build_coverage_regex'),
  build_timeout: out.integer((p, ctx) => settingsOf(p, ctx).build_timeout),
  ci_id_token_sub_claim_components: out.texts((p, ctx) => settingsOf(p, ctx).ci_id_token_sub_claim_components),
  ci_pipeline_variables_minimum_override_role: out.text((p) => p.ci_pipeline_variables_minimum_override_role),
  restrict_user_defined_variables: out.boolean((p) => p.ci_pipeline_variables_minimum_override_role !== 'developer'),
  import_url: out.nullableText((p, ctx) => shownImportUrl(ctx, p.id, settingsOf(p, ctx).import_url ?? null)),
  import_type: out.nullableText((p) => p.import_type),
  import_error: out.nullableText((p) => p.import_error),
  runners_token: out.nullableText((p, ctx) => openRunnersToken(ctx, p.id, settingsOf(p, ctx).runners_token ?? null)),
});
