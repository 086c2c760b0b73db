import type { ProjectRecord } from '../projects/project.entity.js';
import { avatarUrl } from '../../instance/avatars/avatars.js';
import type { Context } from '../../core/context/context.js';
import { getExternalUrl } from '../../core/network/external-url.js';
import { inView, out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { attributesField, attributesView } from '../containers/custom-attribute.serializer.js';
import { projectPolicy } from '../projects/project.policy.js';
import { findLicense } from '../projects/license-list.js';
import type { License } from '../projects/license-list.js';
import { getBasicDetails, basicProjectDetails } from './project-details.js';

/** projects.md "License". */
const licenseSerializer = serializer<License>('License', {
  key: out.text((license) => license.key),
  name: out.text((license) => license.name),
  nickname: out.nullableText((license) => license.nickname),
  html_url: out.nullableText((license) => license.html_url),
  source_url: out.nullableText((license) => license.source_url),
});

/** The licence of a stored key; null where the repository has no licence file. */
const licenseByKey = (key: string | null): License | null => (key === null ? null : findLicense(key));

const webUrl = (project: ProjectRecord, ctx: Context) => `${ctx.config.externalUrl}/${project.full_path}`;

const readsCode = (project: ProjectRecord, ctx: Context) => projectPolicy.read_code(ctx.caller, project);

/** The page of a file of the default branch; null where there is no such file. */
function fileUrl(project: ProjectRecord, ctx: Context, path: string | null): string | null {
  if (path === null || !project.default_branch) return null;
  const encoded = `${project.default_branch}/${path}`.split('/').map(encodeURIComponent).join('/');
  return `${webUrl(project, ctx)}/-/blob/${encoded}`;
}

/** Avatar of the group, or of the user whose namespace it is. */
function namespaceAvatar(project: ProjectRecord, ctx: Context): string | null {
  const { namespace } = project;
  return namespace.kind === 'group'
    ? avatarUrl(ctx, { kind: 'group', id: namespace.id }, namespace.avatar)
    : avatarUrl(ctx, { kind: 'user', id: namespace.owner_id ?? 0 }, getBasicDetails(project, ctx).owner_avatar);
}

const namespaceSerializer = serializer<ProjectRecord>('ProjectNamespace', {
  id: out.integer(({ namespace }) => namespace.id),
  name: out.text(({ namespace }) => namespace.name),
  path: out.text(({ namespace }) => namespace.path),
  kind: out.text(({ namespace }) => namespace.kind, { enum: ['user', 'group'] }),
  full_path: out.text(({ namespace }) => namespace.full_path),
  parent_id: out.nullableInteger(({ namespace }) => namespace.parent_id),
  avatar_url: out.nullableText(namespaceAvatar),
  web_url: out.text(({ namespace }, ctx) =>
    namespace.kind === 'group'
      ? `${ctx.config.externalUrl}/groups/${namespace.full_path}`
      : `${ctx.config.externalUrl}/${namespace.full_path}`,
  ),
});

export const basicFields: Record<string, OutField<ProjectRecord>> = {
  id: out.integer((project) => project.id),
  description: out.nullableText((project) => project.description),
  name: out.text((project) => project.name),
  name_with_namespace: out.text((project) => project.full_name),
  path: out.text((project) => project.path),
  path_with_namespace: out.text((project) => project.full_path),
  created_at: out.instant((project) => project.created_at),
  tag_list: out.texts((project, ctx) => getBasicDetails(project, ctx).topics, {
    description: 'Deprecated: use `topics`.',
  }),
  topics: out.texts((project, ctx) => getBasicDetails(project, ctx).topics),
  ssh_url_to_repo: out.text((project, ctx) => `git@${getExternalUrl(ctx.config).hostname}:${project.full_path}.git`),
  http_url_to_repo: out.text((project, ctx) => `${webUrl(project, ctx)}.git`),
  web_url: out.text(webUrl),
  avatar_url: out.nullableText((project, ctx) => avatarUrl(ctx, { kind: 'project', id: project.id }, project.avatar)),
  star_count: out.integer((project) => project.star_count),
  last_activity_at: out.instant((project) => project.last_activity_at),
  visibility: out.text((project) => project.visibility, { enum: ['private', 'internal', 'public'] }),
  namespace: out.record(namespaceSerializer, (project) => project),
  ...visibleIf<ProjectRecord>(readsCode, {
    default_branch: out.text((project, ctx) => getBasicDetails(project, ctx).main_branch),
    readme_url: out.nullableText((project, ctx) => fileUrl(project, ctx, getBasicDetails(project, ctx).readme_path)),
    forks_count: out.integer((project, ctx) => getBasicDetails(project, ctx).forks_count),
  }),
  ...inView(
    'license',
    visibleIf<ProjectRecord>(readsCode, {
      license_url: out.nullableText((project, ctx) =>
        fileUrl(project, ctx, getBasicDetails(project, ctx).license_path),
      ),
      license: out.nullableRecord(licenseSerializer, (project, ctx) =>
        licenseByKey(getBasicDetails(project, ctx).license_key),
      ),
    }),
  ),
  ...attributesField<ProjectRecord>('project'),
};

/** Optional views of any project that callers may request. */
export const basicViews = { license: {}, ...attributesView<ProjectRecord>('project') };

/** The basic record: anonymous lists, and `simple=true` (projects.md section 4). */
export const basicProject = serializer<ProjectRecord>('BasicProject', basicFields, {
  loads: [basicProjectDetails],
  views: basicViews,
});
