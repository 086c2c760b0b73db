import type { ProjectRecord } from '../projects/project.record.js';
import { inView, out, shownIf } from '../../core/operations/shape.js';
import type { OutField } from '../../core/operations/shape.js';
import type { Context } from '../../core/context/context.js';
import { inOrder, settingFields } from '../namespaces/setting-fields.js';
import type { ProjectAudience } from '../projects/declared-kinds.js';
import { declaredSettings } from '../projects/declared-settings.js';
import { FIELD_ORDER } from '../projects/field-order.js';
import { shownImportUrl } from '../projects/import-url.js';
import { featureFields } from './project-features.shape.js';
import { settingsOf } from './project-details.js';
import { openRunnersToken } from '../projects/project-secrets.js';
import { projectPolicy } from '../projects/project.policy.js';

type Fields = Record<string, OutField<ProjectRecord>>;
type Condition = (project: ProjectRecord, ctx: Context) => boolean;

const isMaintainer: Condition = (project, ctx) => projectPolicy.admin_project(ctx.caller, project);

/** Whom declared settings are shown to. */
const audiences: Record<ProjectAudience, Condition> = {
  maintainers: isMaintainer,
  code_readers: (project, ctx) => projectPolicy.read_code(ctx.caller, project),
  of_forks: (project) => typeof project.forked_from_id === 'number',
  mirror_maintainers: (project, ctx) => settingsOf(project, ctx).mirror && isMaintainer(project, ctx),
};

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

const runnersToken = (p: ProjectRecord, ctx: Context) =>
  openRunnersToken(ctx, p.id, settingsOf(p, ctx).runners_token ?? null);

/** What follows from settings, and what is kept beside them. */
const writtenFields: Fields = {
  emails_disabled: out.boolean((p, ctx) => !settingsOf(p, ctx).emails_enabled, {
    description: 'Deprecated: the inverse of emails_enabled.',
  }),
  container_expiration_policy: out.any(expiration, { type: 'object' }),
  // Where the repository comes from, and the runners' token.
  ...shownIf<ProjectRecord>(isMaintainer, {
    restrict_user_defined_variables: out.boolean((p) => p.ci_pipeline_variables_minimum_override_role !== 'developer'),
    import_url: out.nullableText((p, ctx) => shownImportUrl(ctx, p.id, settingsOf(p, ctx).import_url ?? null)),
    import_type: out.nullableText((p) => p.import_type),
    import_error: out.nullableText((p) => p.import_error),
    ...inView<ProjectRecord>('runners_token', { runners_token: out.nullableText(runnersToken, { secret: true }) }),
  }),
};

/** What a project is set to, as its full record shows it (seed 2.10). */
export const projectSettingFields: Fields = inOrder(
  {
    ...featureFields,
    ...settingFields<ProjectRecord>(
      declaredSettings,
      { record: (project) => project, settings: settingsOf },
      audiences,
    ),
    ...writtenFields,
  },
  FIELD_ORDER,
);
