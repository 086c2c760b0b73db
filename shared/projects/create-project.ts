import type { Context } from '../core/context.js';
import { BadParams, Forbidden, Invalid } from '../core/errors.js';
import { clearableText, flag, integer, maybe, oneOf, text } from '../core/fields.js';
import { instance, operation } from '../core/operation.js';
import { roleIn } from '../core/policy.js';
import { columns, sql } from '../core/sql.js';
import { namespaceAccess, today } from '../members/access.js';
import { ProjectMember } from '../members/member.entity.js';
import { claimPath, holdNamespace } from '../namespaces/claim-path.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { pathFromName, pathProblem } from '../namespaces/paths.js';
import { commitToBranch } from '../repositories/commit-to-branch.js';
import { isValidBranchName } from '../core/git/index.js';
import { Project } from './project.entity.js';
import { findProject } from './project.finder.js';

type Target = Namespace & {
  full_path: string;
  full_name: string;
  access: number;
  project_creation_level: ProjectCreationLevel | null;
  default_branch: string | null;
};

const VISIBILITY = ['private', 'internal', 'public'] as const;

type ProjectCreationLevel = 'noone' | 'owner' | 'maintainer' | 'developer' | 'administrator';

/** Who may make projects in a namespace: its person, or by the group's `project_creation_level` (section 5). */
function mayCreateIn(ctx: Context, namespace: Target): boolean {
  if (namespace.frozen) return false;
  if (namespace.kind === 'user') return namespace.owner_id === ctx.caller.id || ctx.caller.admin;
  const level = namespace.project_creation_level ?? 'developer';
  if (level === 'noone' || level === 'administrator') return level === 'administrator' && ctx.caller.admin;
  return roleIn(ctx.caller, namespace, level);
}

async function targetNamespace(ctx: Context, namespaceId: number | undefined): Promise<Target> {
  const { signedInUser: user } = ctx;
  const id = namespaceId ?? user.namespace_id;
  if (id === null || !(await holdNamespace(ctx, id))) throw new Invalid({ namespace: ['is not valid'] });
  const namespace = await ctx.queryOne<Target>(sql`
    select ${columns(Namespace, 'n')}, r.path as "full_path", r.name as "full_name",
           gs.project_creation_level as "project_creation_level", gs.default_branch as "default_branch",
           ${namespaceAccess(user.id, today(ctx))} as "access"
      from namespaces n join routes r on r.namespace_id = n.id
      left join group_settings gs on gs.namespace_id = n.id
     where n.id = ${id}`);
  if (!namespace || !mayCreateIn(ctx, namespace)) throw new Invalid({ namespace: ['is not valid'] });
  return namespace;
}

/** @throws Forbidden when the personal namespace is full */
async function requireRoom(ctx: Context, namespace: Target): Promise<void> {
  if (namespace.kind !== 'user') return;
  // Locked by a statement of its own: the next one sees what the one that held the lock has made.
  await ctx.query(sql`
    select up.id from user_profiles up where up.user_id = ${namespace.owner_id} for no key update`);
  const row = await ctx.queryOne<{ projects_limit: number; count: number }>(sql`
    select up.projects_limit as "projects_limit",
           (select count(*) from projects p where p.namespace_id = ${namespace.id}) as "count"
      from user_profiles up where up.user_id = ${namespace.owner_id}`);
  if (!row || row.count < row.projects_limit) return;
  const limit = row.projects_limit;
  throw new Forbidden(`The limit of ${limit} personal project${limit === 1 ? '' : 's'} is reached`);
}

/** Emoji are more than one character: joiner and presentation selector belong to them. */
const PROJECT_NAME =
  /^(?:\p{L}|\p{N}|\p{Extended_Pictographic}|_)(?:\p{L}|\p{N}|\p{M}|\p{Pd}|\p{Extended_Pictographic}|\u200d|\ufe0f|[_. +])*$/u;

function checkName(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  if (name.length > 255) return ['is too long (maximum is 255 characters)'];
  return PROJECT_NAME.test(name)
    ? []
    : [
        "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.",
      ];
}

function checkVisibility(visibility: string, namespace: Target): string[] {
  if (namespace.kind === 'user') return [];
  const allowed = VISIBILITY.indexOf(visibility as never) <= VISIBILITY.indexOf(namespace.visibility as never);
  return allowed ? [] : [`${visibility} is not allowed in a ${namespace.visibility} group.`];
}

const TAKEN = 'has already been taken';
/** The instance's default, as far as the group that the project is made in allows it. */
function defaultVisibility(ctx: Context, namespace: Target): string {
  const fallback = ctx.settings.default_project_visibility;
  return checkVisibility(fallback, namespace).length === 0 ? fallback : namespace.visibility;
}

async function validate(ctx: Context, namespace: Target, given: { name: string; path: string; visibility: string }) {
  const problems: Record<string, string[]> = {};
  const name = checkName(given.name);
  if (name.length > 0) problems.name = name;
  const path = pathProblem(given.path, 'nested');
  if (path) problems.path = [path];
  const visibility = checkVisibility(given.visibility, namespace);
  if (visibility.length > 0) problems.visibility_level = visibility;
  const taken = await ctx.queryOne<{ path: boolean | null; name: boolean | null }>(sql`
    select (select true from routes where lower(path) = lower(${`${namespace.full_path}/${given.path}`})) as path,
           (select true from projects where namespace_id = ${namespace.id} and name = ${given.name} limit 1) as name`);
  if (taken?.path) problems.path = [...(problems.path ?? []), TAKEN];
  if (taken?.name) problems.name = [...(problems.name ?? []), TAKEN];
  if (taken?.path ?? taken?.name) problems['project_namespace.name'] = [TAKEN];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Create a project in one's own namespace or in a group where one is at least Developer. */
export const createProject = operation({
  summary: 'Create a project',
  subject: instance,
  kind: 'write',
  params: {
    name: maybe(text()).describe('Name; made from the path when left out.'),
    path: maybe(text()).describe('Path; made from the name when left out.'),
    namespace_id: maybe(integer()).describe("Namespace; the caller's own when left out."),
    description: clearableText().describe('Description.'),
    visibility: maybe(oneOf(VISIBILITY)).describe("Who may see it; the instance's default when left out."),
    default_branch: maybe(text()).describe('Name of the first branch; needs initialize_with_readme.'),
    initialize_with_readme: maybe(flag()).describe('Make the repository with a README.'),
  },
  async run(ctx, _instance, input) {
    const name = input.name ?? input.path;
    if (name === undefined) throw new BadParams(['name, path are missing, at least one parameter must be provided']);
    const namespace = await targetNamespace(ctx, input.namespace_id);
    const visibility = input.visibility ?? defaultVisibility(ctx, namespace);
    const given = { name, path: input.path ?? pathFromName(name), visibility };
    const branch = input.default_branch ?? namespace.default_branch ?? 'main';
    if (!isValidBranchName(branch)) throw new Invalid({ default_branch: ['is invalid'] });
    await requireRoom(ctx, namespace);
    await validate(ctx, namespace, given);
    const project = await insertProject(ctx, namespace, { ...given, description: input.description ?? null });
    if (input.initialize_with_readme) {
      await commitToBranch(ctx, project, {
        branch,
        message: 'Initial commit',
        actions: [{ action: 'create', file_path: 'README.md', content: Buffer.from(readme(project)) }],
      });
    }
    return findProject(ctx, project.id);
  },
});

function readme(project: Project): string {
  return `# ${project.name}\n${project.description ? `\n${project.description}\n` : ''}`;
}

async function insertProject(
  ctx: Context,
  namespace: Target,
  given: { name: string; path: string; visibility: string; description: string | null },
): Promise<Project> {
  const now = ctx.clock.now();
  const { signedInUser: user } = ctx;
  const project = ctx.em.create(Project, {
    ...given,
    namespace_id: namespace.id,
    creator_id: user.id,
    default_branch: null,
    repository_created: false,
    archived: false,
    marked_for_deletion_at: null,
    removal_started_at: null,
    forked_from_id: null,
    import_status: 'none',
    import_error: null,
    public_jobs: true,
    builds_access_level: 'enabled',
    repository_access_level: 'enabled',
    ci_pipeline_variables_minimum_override_role: ctx.settings.ci_pipeline_variables_minimum_override_role,
    star_count: 0,
    last_activity_at: now,
    created_at: now,
    updated_at: now,
  });
  await ctx.em.flush();
  const claimed = await claimPath(
    ctx,
    { project_id: project.id },
    { path: `${namespace.full_path}/${given.path}`, name: `${namespace.full_name} / ${given.name}` },
  );
  if (!claimed) throw new Invalid({ path: [TAKEN], 'project_namespace.name': [TAKEN] });
  // In one's own namespace one is the project's Owner, also as a member that lists show.
  if (namespace.kind === 'user' && typeof namespace.owner_id === 'number')
    ctx.em.create(ProjectMember, {
      project_id: project.id,
      user_id: namespace.owner_id,
      access_level: 50,
      created_by_id: user.id,
      expires_on: null,
      created_at: now,
    });
  await ctx.em.flush();
  return project;
}
