import type { ProjectRecord } from '../projects/project.record.js';
import { out, shownIf } from '../../core/operations/shape.js';
import type { OutField } from '../../core/operations/shape.js';
import type { Context } from '../../core/context/context.js';
import { settingsOf } from './project-details.js';
import { featureOpen, projectPolicy } from '../projects/project.policy.js';

type Fields = Record<string, OutField<ProjectRecord>>;
type Level = (project: ProjectRecord, ctx: Context) => string;

/** Whether a feature is there for the caller. */
const enabled = (level: Level, details: { description?: string } = {}): OutField<ProjectRecord> =>
  out.boolean((project, ctx) => featureOpen(ctx.caller, project, level(project, ctx)), details);

/** Whether the caller may propose changes to the project: whoever reads its code, unless it is read-only. */
const mayPropose = (project: ProjectRecord, ctx: Context) => projectPolicy.create_merge_request_in(ctx.caller, project);

const hasUltimate = (_project: ProjectRecord, ctx: Context) => ctx.hasPlan('ultimate');

/** Whether the features of a project are open to the caller (seed 2.10 "Feature switches"). */
export const featureFields: Fields = {
  issues_enabled: enabled((p) => p.issues_access_level),
  merge_requests_enabled: enabled((p) => p.merge_requests_access_level),
  wiki_enabled: enabled((p) => p.wiki_access_level),
  jobs_enabled: enabled((p) => p.builds_access_level),
  snippets_enabled: enabled((p) => p.snippets_access_level),
  container_registry_enabled: enabled((p) => p.container_registry_access_level, {
    description: 'Deprecated: use container_registry_access_level.',
  }),
  packages_enabled: out.boolean((p) => p.package_registry_access_level !== 'disabled'),
  security_and_compliance_enabled: enabled((p, ctx) => settingsOf(p, ctx).security_and_compliance_access_level),
  can_create_merge_request_in: out.boolean(mayPropose),
  ...shownIf(hasUltimate, {
    requirements_enabled: enabled((p, ctx) => settingsOf(p, ctx).requirements_access_level),
  }),
};
