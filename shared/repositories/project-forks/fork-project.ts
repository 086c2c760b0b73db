import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { z } from 'zod';
import { copyAvatar } from '../../instance/avatars/avatars.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { TAKEN, translateDatabaseError } from '../../core/values/database-errors.js';
import { Conflict, Invalid, NotFound } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import { clearableText, boolean, integer, optional, oneOf, text } from '../../core/operations/fields.js';
import { isValidBranchName } from '../../git/index.js';
import { can, operation } from '../../core/operations/operation.js';
import { insertProject } from '../project-lifecycle/insert-project.js';
import { pick, recordNamesWith, settingNamesWith } from '../../tenancy/namespaces/declared-settings.js';
import { declaredSettings } from '../../tenancy/projects/declared-settings.js';
import type { SettingColumns } from '../../tenancy/projects/new-settings.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { findProject, project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { lessVisible, newProjectProblems } from '../../tenancy/projects/project.rules.js';
import { findProjectTarget, readableNamespaceId, requireRoom } from '../../tenancy/projects/project-target.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import { descriptionProblems } from '../../tenancy/projects/setting-rules.js';
import { requestTransfers } from '../repositories/request-transfers.js';
import { findRef } from '../repositories/repository-ref.finder.js';
import { forkTransfers } from '../repositories.jobs.js';
import { VISIBILITY } from '../../tenancy/namespaces/namespace.entity.js';

const forkParams = {
  namespace_id: optional(integer()).describe(
    "ID of the namespace to fork into; the caller's own namespace if omitted.",
  ),
  namespace_path: optional(text()).describe('Full path of the namespace to fork into.'),
  namespace: optional(text()).describe('ID or full path of the namespace to fork into. Deprecated.'),
  path: optional(text()).describe('Path of the fork; the path of the upstream if omitted.'),
  name: optional(text()).describe('Name of the fork; the name of the upstream if omitted.'),
  description: clearableText().describe('Description of the fork; the description of the upstream if omitted.'),
  visibility: optional(oneOf(VISIBILITY)).describe(
    'Visibility of the fork, lowered to what the upstream and the namespace allow.',
  ),
  branches: optional(text()).describe('Name of the only branch to fork; all branches if omitted.'),
  mr_default_target_self: optional(boolean()).describe('If `true`, merge requests target the fork itself.'),
};

type ForkInput = z.output<z.ZodObject<typeof forkParams>>;

/** @throws NotFound if it is missing, hidden, or the caller may not create projects in it */
async function getTarget(ctx: SignedInContext, input: ForkInput): Promise<ProjectTarget> {
  const reference = input.namespace_id ?? input.namespace_path ?? input.namespace;
  const id = reference === undefined ? ctx.caller.user.namespace_id : await readableNamespaceId(ctx, reference);
  const target = await findProjectTarget(ctx, id);
  if (!target) throw new NotFound('Target Namespace');
  return target;
}

/** The requested visibility, limited by those of the upstream project and the target group. */
function getVisibility(source: ProjectRecord, target: ProjectTarget, visibility = source.visibility): string {
  const allowed = lessVisible(visibility, source.visibility);
  return target.kind === 'user' ? allowed : lessVisible(allowed, target.visibility);
}

/** @throws NotFound where the one branch that shall be forked is not there */
async function requireBranch(ctx: Context, source: ProjectRecord, branch: string | undefined): Promise<void> {
  if (branch === undefined) return;
  if (isValidBranchName(branch) && (await findRef(ctx, source.id, `refs/heads/${branch}`))) return;
  throw new NotFound('Source Branch');
}

/** Reports all problems with the values: 409 if all of them are conflicts, otherwise 400. */
function assertNoProblems(problems: Record<string, string[]>): void {
  const texts = Object.values(problems).flat();
  if (texts.length > 0) throw new Invalid(problems, texts.every((text) => text === TAKEN) ? 409 : 400);
}

/** Settings that a fork copies from its upstream in addition to features: how code is handled, and by whom. */
async function inheritedSettings(ctx: Context, source: ProjectRecord): Promise<Partial<SettingColumns>> {
  const settings = await ctx.em.findOne(ProjectSettings, { project_id: source.id });
  return settings ? pick(settings, settingNamesWith(declaredSettings, 'inherited')) : {};
}

/**
 * Fork a project. Requires read access to its code, and a namespace in which the caller may create projects. The
 * response comes at once; a job imports the repository, and `import_status` shows its progress.
 */
export const forkProject = operation({
  name: 'forkProject',
  summary: 'Fork a project',
  example: { name: 'My rocket', path: 'my-rocket' },
  resource: project,
  can: can(projectPolicy, 'fork_project'),
  kind: 'write',
  statements: 31,
  params: forkParams,
  async run(ctx, source, input) {
    if (source.import_status === 'scheduled' || source.import_status === 'started')
      throw new Conflict('The repository of the project is still being imported.');
    await requireBranch(ctx, source, input.branches);
    const target = await getTarget(ctx, input);
    const { name = source.name, path = source.path, description = source.description ?? null, branches } = input;
    const attributes = { name, path, description, visibility: getVisibility(source, target, input.visibility) };
    await requireRoom(ctx, target);
    assertNoProblems({ ...(await newProjectProblems(ctx, target, attributes)), ...descriptionProblems(description) });
    const settings = await inheritedSettings(ctx, source);
    if (input.mr_default_target_self !== undefined) settings.mr_default_target_self = input.mr_default_target_self;
    const features = pick(source, recordNamesWith(declaredSettings, 'inherited'));
    const fork = await insertFork(ctx, target, { ...features, ...attributes }, source, settings);
    const picture = [{ kind: 'project', id: source.id }, source.avatar, { kind: 'project', id: fork.id }] as const;
    const avatar = await copyAvatar(ctx, ...picture);
    if (avatar !== null) await ctx.em.nativeUpdate(Project, { id: fork.id }, { avatar });
    const branch = branches === undefined ? {} : { branch: branches };
    await requestTransfers(ctx, forkTransfers, [{ project_id: fork.id, source_id: source.id, ...branch }]);
    return findProject(ctx, fork.id);
  },
});

/** @throws Invalid 409 if a concurrent request took the path or the name */
async function insertFork(
  ctx: SignedInContext,
  target: ProjectTarget,
  attributes: Parameters<typeof insertProject>[2],
  source: ProjectRecord,
  settings: Partial<SettingColumns>,
) {
  try {
    const values = { ...attributes, forked_from_id: source.id, import_status: 'scheduled' };
    return await insertProject(ctx, target, values, settings);
  } catch (cause) {
    const error = translateDatabaseError(cause);
    if (error instanceof Invalid && typeof error.detail === 'object' && !Array.isArray(error.detail))
      assertNoProblems(error.detail as Problems);
    throw error;
  }
}
