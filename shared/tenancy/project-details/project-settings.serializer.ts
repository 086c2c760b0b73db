import type { ProjectRecord } from '../projects/project.entity.js';
import { inView, out, visibleIf } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import type { Context } from '../../core/context/context.js';
import { inOrder, settingFields } from '../namespaces/setting-fields.js';
import type { ProjectAudience } from '../projects/declared-kinds.js';
import { declaredSettings } from '../projects/declared-settings.js';
import { FIELD_ORDER } from '../projects/field-order.js';
import { getProjectSettings } from './project-details.js';
import { openRunnersToken, publicImportUrl } from '../projects/project-secrets.js';
import { featureOpen, projectPolicy } from '../projects/project.policy.js';

type Fields = Record<string, OutField<ProjectRecord>>;
type Condition = (project: ProjectRecord, ctx: Context) => boolean;
type Level = (project: ProjectRecord, ctx: Context) => string;

interface Constant {
  field: OutField<ProjectRecord>;
  /** Why nothing changes it. */
  reason: string;
}

/** Fields of the project record that are the same for every project here, each with its reason. */
export const CONSTANT_FIELDS = {
  service_desk_address: {
    field: out.nullableText(() => null),
    reason: 'The service receives no mail, so there is no address to write to.',
  },
  repository_object_format: {
    field: out.text(() => 'sha1'),
    reason: 'Repositories are made with SHA-1, which every git client speaks; another format is refused.',
  },
  repository_storage: {
    field: out.text(() => 'default'),
    reason: 'All repositories lie in one place, below DATA_DIR.',
  },
} satisfies Record<string, Constant>;

/** Statistics that nothing fills yet: they stay 0. */
export const CONSTANT_STATISTICS: Record<string, string> = {
  lfs_objects_size: 'Large files are not stored apart yet.',
  job_artifacts_size: 'Outside executors keep their artifacts.',
  pipeline_artifacts_size: 'Outside executors keep their artifacts.',
};

/** The fields of these names. */
export function constantFields(...names: (keyof typeof CONSTANT_FIELDS)[]): Record<string, OutField<ProjectRecord>> {
  return Object.fromEntries(names.map((name) => [name, CONSTANT_FIELDS[name].field]));
}

/** Whether a feature is there for the caller. */
const enabled = (level: Level, details: { description?: string } = {}): OutField<ProjectRecord> =>
  out.boolean((project, ctx) => featureOpen(ctx.caller, project, level(project, ctx)), details);

/** Whether the caller may propose changes to the project: read access to its code suffices, unless it is read-only. */
const mayPropose = (project: ProjectRecord, ctx: Context) => projectPolicy.create_merge_request_in(ctx.caller, project);

const hasUltimate = (_project: ProjectRecord, ctx: Context) => ctx.hasPlan('ultimate');

/** Whether the features of a project are open to the caller (projects.md "Feature switches"). */
const featureFields: Fields = {
  issues_enabled: enabled((p) => p.issues_access_level),
  merge_requests_enabled: enabled((p) => p.merge_requests_access_level),
  wiki_enabled: enabled((p) => p.wiki_access_level),
  jobs_enabled: enabled((p) => p.builds_access_level),
  snippets_enabled: enabled((p) => p.snippets_access_level),
  container_registry_enabled: enabled((p) => p.container_registry_access_level, {
    description: 'Deprecated: use `container_registry_access_level`.',
  }),
  packages_enabled: out.boolean((p) => p.package_registry_access_level !== 'disabled'),
  security_and_compliance_enabled: enabled((p, ctx) => getProjectSettings(p, ctx).security_and_compliance_access_level),
  can_create_merge_request_in: out.boolean(mayPropose),
  ...visibleIf(hasUltimate, {
    requirements_enabled: enabled((p, ctx) => getProjectSettings(p, ctx).requirements_access_level),
  }),
};

const isMaintainer: Condition = (project, ctx) => projectPolicy.admin_project(ctx.caller, project);

/** Conditions for the audiences of declared settings. */
const audiences: Record<ProjectAudience, Condition> = {
  maintainers: isMaintainer,
  code_readers: (project, ctx) => projectPolicy.read_code(ctx.caller, project),
  of_forks: (project) => typeof project.forked_from_id === 'number',
  mirror_maintainers: (project, ctx) => getProjectSettings(project, ctx).mirror && isMaintainer(project, ctx),
};

/** The cleanup policy of the container registry, including the deprecated name of its regular expression. */
function expiration(project: ProjectRecord, ctx: Context) {
  const { container_expiration_policy: policy, container_expiration_next_run_at: next } = getProjectSettings(
    project,
    ctx,
  );
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
  openRunnersToken(ctx, p.id, getProjectSettings(p, ctx).runners_token ?? null);

/** Fields derived from settings, and values stored next to them. */
const writtenFields: Fields = {
  emails_disabled: out.boolean((p, ctx) => !getProjectSettings(p, ctx).emails_enabled, {
    description: 'Deprecated: the inverse of `emails_enabled`.',
  }),
  container_expiration_policy: out.any(expiration, { type: 'object' }),
  // Where the repository comes from, and the runners' token.
  ...visibleIf<ProjectRecord>(isMaintainer, {
    restrict_user_defined_variables: out.boolean((p) => p.ci_pipeline_variables_minimum_override_role !== 'developer'),
    import_url: out.nullableText((p, ctx) => publicImportUrl(ctx, p.id, getProjectSettings(p, ctx).import_url ?? null)),
    import_type: out.nullableText((p) => p.import_type),
    import_error: out.nullableText((p) => p.import_error),
    ...inView<ProjectRecord>('runners_token', { runners_token: out.nullableText(runnersToken, { secret: true }) }),
  }),
};

/** Setting fields of the full project record (projects.md). */
export const projectSettingFields: Fields = inOrder(
  {
    ...featureFields,
    ...settingFields<ProjectRecord>(
      declaredSettings,
      { record: (project) => project, settings: getProjectSettings },
      audiences,
    ),
    ...writtenFields,
  },
  FIELD_ORDER,
);
