import { out, shape } from '../core/shape.js';
import type { Context } from '../core/context.js';
import { invitedToProjects } from '../shares/share.finder.js';
import { invitedGroupShape } from '../shares/share.shape.js';
import type { ProjectRecord } from './project.finder.js';
import { isArchived, projectPolicy } from './project.policy.js';

const webUrl = (project: ProjectRecord, ctx: Context) => `${ctx.config.externalUrl}/${project.full_path}`;
const codeOnly = <V>(project: ProjectRecord, ctx: Context, value: V): V | undefined =>
  projectPolicy.read_code(ctx.caller, project) ? value : undefined;

const namespaceShape = shape<ProjectRecord['namespace']>('ProjectNamespace', {
  id: out.integer((namespace) => namespace.id),
  name: out.text((namespace) => namespace.name),
  path: out.text((namespace) => namespace.path),
  kind: out.text((namespace) => namespace.kind, { enum: ['user', 'group'] }),
  full_path: out.text((namespace) => namespace.full_path),
  parent_id: out.maybeInteger((namespace) => namespace.parent_id),
  avatar_url: out.maybeText(() => null),
  web_url: out.text((namespace, ctx) =>
    namespace.kind === 'group'
      ? `${ctx.config.externalUrl}/groups/${namespace.full_path}`
      : `${ctx.config.externalUrl}/${namespace.full_path}`,
  ),
});

/** The basic record: anonymous lists, and `simple=true` (projects.md section 4). */
export const basicProject = shape<ProjectRecord>('BasicProject', {
  id: out.integer((project) => project.id),
  description: out.maybeText((project) => project.description),
  name: out.text((project) => project.name),
  name_with_namespace: out.text((project) => project.full_name),
  path: out.text((project) => project.path),
  path_with_namespace: out.text((project) => project.full_path),
  created_at: out.instant((project) => project.created_at),
  default_branch: out.maybeText((project, ctx) => codeOnly(project, ctx, project.default_branch), { optional: true }),
  tag_list: out.texts(() => []),
  topics: out.texts(() => []),
  ssh_url_to_repo: out.text(
    (project, ctx) => `git@${new URL(ctx.config.externalUrl).hostname}:${project.full_path}.git`,
  ),
  http_url_to_repo: out.text((project, ctx) => `${webUrl(project, ctx)}.git`),
  web_url: out.text(webUrl),
  avatar_url: out.maybeText(() => null),
  star_count: out.integer((project) => project.star_count),
  last_activity_at: out.instant((project) => project.last_activity_at),
  visibility: out.text((project) => project.visibility, { enum: ['private', 'internal', 'public'] }),
  namespace: out.record(namespaceShape, (project) => project.namespace),
});

const link = (suffix: string) => (project: ProjectRecord, ctx: Context) =>
  `${ctx.config.externalUrl}/api/v4/projects/${project.id}${suffix}`;

const linksShape = shape<ProjectRecord>('ProjectLinks', {
  self: out.text(link('')),
  repo_branches: out.text(link('/repository/branches')),
  members: out.text(link('/members')),
});

/** The day of marking; a plan without delayed deletion has none to show (README "Plans and offerings"). */
function markedOn(project: ProjectRecord, ctx: Context): string | null {
  return ctx.hasPlan('premium') ? (project.marked_for_deletion_at?.toISOString().slice(0, 10) ?? null) : null;
}

async function loadShares(ctx: Context, projects: readonly ProjectRecord[]): Promise<void> {
  const shared = projects.filter((project) => project.shared);
  if (shared.length === 0) return;
  const invited = await invitedToProjects(ctx, shared);
  for (const project of shared) project.shared_with_groups = invited.get(project.id) ?? [];
}

/** What a signed-in caller sees. It grows with the areas that fill it. */
export const fullProject = shape<ProjectRecord>(
  'Project',
  {
    ...basicProject.fields,
    _links: out.record(linksShape, (project) => project),
    empty_repo: out.flag((project) => project.default_branch === null),
    archived: out.flag(isArchived),
    creator_id: out.maybeInteger((project) => project.creator_id),
    updated_at: out.instant((project) => project.updated_at),
    public_jobs: out.flag((project) => project.public_jobs),
    builds_access_level: out.text((project) => project.builds_access_level),
    repository_access_level: out.text((project) => project.repository_access_level),
    marked_for_deletion_at: out.maybeDay(markedOn),
    marked_for_deletion_on: out.maybeDay(markedOn),
    ci_pipeline_variables_minimum_override_role: out.text(
      (project, ctx) =>
        projectPolicy.admin_project(ctx.caller, project)
          ? project.ci_pipeline_variables_minimum_override_role
          : undefined,
      { optional: true },
    ),
    shared_with_groups: out.records(invitedGroupShape, (project) => project.shared_with_groups ?? []),
  },
  { load: loadShares },
);
