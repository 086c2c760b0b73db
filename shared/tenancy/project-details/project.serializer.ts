import type { UserSummary } from '../users/user.entity.js';
import type { ProjectRecord } from '../projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { getRegistryHost } from '../../core/network/external-url.js';
import { markdownHtml } from '../../core/markdown/markdown-html.js';
import { load } from '../../core/context/loads.js';
import { inView, out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { invitedToProjects } from '../members/share.finder.js';
import { invitedGroupSerializer } from '../members/member.serializer.js';
import { userSummary } from '../users/user.serializer.js';
import { featureOpen, isArchived, projectPolicy } from '../projects/project.policy.js';
import type { ProjectStatistics } from '../projects/project-statistics.entity.js';
import { basicFields, basicProject, basicViews } from './basic-project.serializer.js';
import {
  getProjectDetails,
  projectDetails,
  basicProjectDetails,
  projectStatistics,
  upstreams,
} from './project-details.js';
import type { RoleLevels } from './project-details.js';
import { constantFields, projectSettingFields } from './project-settings.serializer.js';

/** projects.md "Statistics"; sizes in bytes. */
export const statisticsSerializer = serializer<ProjectStatistics>('ProjectStatistics', {
  commit_count: out.integer((statistics) => statistics.commit_count),
  storage_size: out.integer((statistics) => statistics.storage_size),
  repository_size: out.integer((statistics) => statistics.repository_size),
  wiki_size: out.integer((statistics) => statistics.wiki_size),
  lfs_objects_size: out.integer((statistics) => statistics.lfs_objects_size),
  job_artifacts_size: out.integer((statistics) => statistics.job_artifacts_size),
  pipeline_artifacts_size: out.integer((statistics) => statistics.pipeline_artifacts_size),
  packages_size: out.integer((statistics) => statistics.packages_size),
  snippets_size: out.integer((statistics) => statistics.snippets_size),
  uploads_size: out.integer((statistics) => statistics.uploads_size),
  container_registry_size: out.integer((statistics) => statistics.container_registry_size),
});

export { basicProject } from './basic-project.serializer.js';

const link = (suffix: string) => (project: ProjectRecord, ctx: Context) =>
  `${ctx.config.externalUrl}/api/v4/projects/${project.id}${suffix}`;

const readsIssues = (project: ProjectRecord, ctx: Context) =>
  featureOpen(ctx.caller, project, project.issues_access_level);

const linksSerializer = serializer<ProjectRecord>('ProjectLinks', {
  self: out.text(link('')),
  ...visibleIf(readsIssues, { issues: out.text(link('/issues')) }),
  ...visibleIf<ProjectRecord>((project, ctx) => featureOpen(ctx.caller, project, project.merge_requests_access_level), {
    merge_requests: out.text(link('/merge_requests')),
  }),
  repo_branches: out.text(link('/repository/branches')),
  labels: out.text(link('/labels')),
  events: out.text(link('/events')),
  members: out.text(link('/members')),
  cluster_agents: out.text(link('/cluster_agents')),
});

/** Seed: `{id, name, created_at}`; the public API: the summary. Both together break neither's clients. */
const ownerSerializer = serializer<UserSummary & { created_at: Date }>('ProjectOwner', {
  ...(userSummary.fields as Record<string, OutField<UserSummary & { created_at: Date }>>),
  created_at: out.instant((owner) => owner.created_at),
});

const roleSerializer = serializer<RoleLevels>('ProjectRole', {
  access_level: out.integer(([level]) => level),
  notification_level: out.integer(([, level]) => level),
});

const permissionsSerializer = serializer<ProjectRecord>('ProjectPermissions', {
  project_access: out.nullableRecord(roleSerializer, (project, ctx) => getProjectDetails(project, ctx).project_access),
  group_access: out.nullableRecord(roleSerializer, (project, ctx) => getProjectDetails(project, ctx).group_access),
});

/** The day of marking; a plan without delayed deletion has none to show (contract/README.md "Plans and offerings"). */
function markedOn(project: ProjectRecord, ctx: Context): string | null {
  return ctx.hasPlan('premium') ? (project.marked_for_deletion_at?.toISOString().slice(0, 10) ?? null) : null;
}

/** What images of the project begin with in the container registry. */
const imagePrefix = (project: ProjectRecord, ctx: Context) =>
  `${getRegistryHost(ctx.config)}/${project.full_path}`.toLowerCase();

/** Groups that are invited to those projects of a page that have any. */
const invitedGroups = load(
  (project: Readonly<ProjectRecord>) => project.id,
  async (ctx, projects) => {
    const shared = projects.filter((project) => project.shared);
    return shared.length > 0 ? invitedToProjects(ctx, shared) : new Map<number, never>();
  },
);

/** The description as its reader sees it. */
export const projectHtml = markdownHtml<ProjectRecord, 'description'>(
  ({ description }) => ({ description }),
  ({ id }) => ({ kind: 'project', id }),
);

/** Loads and optional views of the full record. */
const whole = {
  loads: [projectDetails, invitedGroups, upstreams, projectHtml],
  // Lists omit the secret, like those of the public API: their responses are compressed.
  views: { ...basicViews, statistics: { loads: [projectStatistics] }, runners_token: { byDefault: true } },
};

const upstreamField: Record<string, OutField<ProjectRecord>> = {
  forked_from_project: out.record(basicProject, (project, ctx) => upstreams.of(project, ctx), { optional: true }),
};

const fields: Record<string, OutField<ProjectRecord>> = {
  ...basicFields,
  description_html: out.text((project, ctx) => projectHtml.of(project, ctx)?.description ?? ''),
  _links: out.record(linksSerializer, (project) => project),
  container_registry_image_prefix: out.text(imagePrefix),
  empty_repo: out.boolean((project) => project.default_branch === null),
  archived: out.boolean(isArchived),
  creator_id: out.nullableInteger((project) => project.creator_id),
  updated_at: out.instant((project) => project.updated_at),
  import_status: out.text((project) => project.import_status, {
    enum: ['none', 'scheduled', 'started', 'finished', 'failed'],
  }),
  marked_for_deletion_at: out.nullableDay(markedOn, { description: 'Deprecated: use `marked_for_deletion_on`.' }),
  marked_for_deletion_on: out.nullableDay(markedOn),
  ...visibleIf<ProjectRecord>((project) => project.namespace.kind === 'user', {
    owner: out.nullableRecord(ownerSerializer, (project, ctx) => getProjectDetails(project, ctx).owner),
  }),
  ...projectSettingFields,
  shared_with_groups: out.records(invitedGroupSerializer, (project, ctx) => invitedGroups.of(project, ctx) ?? []),
  ...constantFields('repository_object_format'),
  ...visibleIf<ProjectRecord>(
    (project, ctx) => projectPolicy.read_service_desk(ctx.caller, project),
    constantFields('service_desk_address'),
  ),
  ...visibleIf<ProjectRecord>((_project, ctx) => ctx.caller.admin, constantFields('repository_storage')),
  ...upstreamField,
  ...inView<ProjectRecord>('statistics', {
    statistics: out.record(statisticsSerializer, (project, ctx) => projectStatistics.of(project, ctx)),
  }),
};

/** The full record, as making and changing a project answer it (projects.md section 4). */
export const fullProject = serializer<ProjectRecord>('Project', fields, whole);

/** The full record with the caller's own roles: lists, and one project. */
export const projectWithPermissions = serializer<ProjectRecord>(
  'ProjectWithPermissions',
  { ...fields, permissions: out.record(permissionsSerializer, (project) => project) },
  whole,
);

/** Both as lists show them. */
export const listedProject = fullProject.showing([]);
export const listedProjectWithPermissions = projectWithPermissions.showing([]);

/** One project for anonymous callers: the basic record and the upstream project. */
export const anonymousProject = serializer<ProjectRecord>(
  'AnonymousProject',
  { ...basicFields, ...upstreamField },
  { loads: [basicProjectDetails, upstreams], views: basicViews },
);
