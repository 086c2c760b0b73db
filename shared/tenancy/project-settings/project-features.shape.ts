import type { ProjectRecord } from '../projects/project.record.js';
import { out, shownIf } from '../../core/shape.js';
import type { OutField } from '../../core/shape.js';
import type { Context } from '../../core/context.js';
import { settingsOf } from '../projects/project-details.js';
import { featureOpen, projectPolicy } from '../projects/project.policy.js';

type Fields = Record<string, OutField<ProjectRecord>>;
type Level = (project: ProjectRecord, ctx: Context) => string;

const LEVELS = ['disabled', 'private', 'enabled'];

/** Levels of `projects`, then those of its settings. */
const HOT = [
  'issues_access_level',
  'repository_access_level',
  'merge_requests_access_level',
  'forking_access_level',
  'wiki_access_level',
  'builds_access_level',
  'snippets_access_level',
  'analytics_access_level',
  'environments_access_level',
] as const;
const COLD = [
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
] as const;

const levelFields: Fields = {
  ...Object.fromEntries(HOT.map((name) => [name, out.text<ProjectRecord>((p) => p[name], { enum: LEVELS })])),
  ...Object.fromEntries(
    COLD.map((name) => [
      name,
      out.text<ProjectRecord>((p, ctx) => settingsOf(p, ctx)[name], { enum: [...LEVELS, 'public'] }),
    ]),
  ),
};

/** Whether a feature is there for the caller. */
const enabled = (level: Level): OutField<ProjectRecord> =>
  out.boolean((project, ctx) => featureOpen(ctx.caller, project, level(project, ctx)));

/** Whether the caller may propose changes to the project: whoever reads its code, unless it is read-only. */
const mayPropose = (project: ProjectRecord, ctx: Context) => projectPolicy.create_merge_request_in(ctx.caller, project);

const hasUltimate = (_project: ProjectRecord, ctx: Context) => ctx.hasPlan('ultimate');

/** Features of a project: whether they are open, to whom, and to the caller (seed 2.10 "Feature switches"). */
export const featureFields: Fields = {
  issues_enabled: enabled((p) => p.issues_access_level),
  merge_requests_enabled: enabled((p) => p.merge_requests_access_level),
  wiki_enabled: enabled((p) => p.wiki_access_level),
  jobs_enabled: enabled((p) => p.builds_access_level),
  snippets_enabled: enabled((p) => p.snippets_access_level),
  container_registry_enabled: enabled((p, ctx) => settingsOf(p, ctx).container_registry_access_level),
  packages_enabled: out.boolean((p, ctx) => settingsOf(p, ctx).package_registry_access_level !== 'disabled'),
  security_and_compliance_enabled: enabled((p, ctx) => settingsOf(p, ctx).security_and_compliance_access_level),
  service_desk_enabled: out.boolean((p, ctx) => settingsOf(p, ctx).service_desk_enabled),
  lfs_enabled: out.boolean((p, ctx) => settingsOf(p, ctx).lfs_enabled),
  can_create_merge_request_in: out.boolean(mayPropose),
  ...levelFields,
  ...shownIf(hasUltimate, {
    requirements_enabled: enabled((p, ctx) => settingsOf(p, ctx).requirements_access_level),
    requirements_access_level: out.text((p, ctx) => settingsOf(p, ctx).requirements_access_level, { enum: LEVELS }),
  }),
};
