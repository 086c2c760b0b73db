import type { Context } from '../core/context.js';
import { BadParams, Invalid } from '../core/errors.js';
import { clearableText, flag, integer, maybe, oneOf, text } from '../core/fields.js';
import { isValidBranchName } from '../core/git/index.js';
import { instance, operation } from '../core/operation.js';
import { pathFromName } from '../namespaces/paths.js';
import { commitToBranch } from '../repositories/commit-to-branch.js';
import { insertProject } from './insert-project.js';
import type { Project } from './project.entity.js';
import { findProject } from './project.finder.js';
import { placeProblems, VISIBILITY, visibilityProblems } from './project.rules.js';
import { findProjectTarget, requireRoom } from './project-target.js';
import type { ProjectTarget } from './project-target.js';

/** The instance's default, as far as the group that the project is made in allows it. */
function defaultVisibility(ctx: Context, namespace: ProjectTarget): string {
  const fallback = ctx.settings.default_project_visibility;
  return visibilityProblems(fallback, namespace).length === 0 ? fallback : namespace.visibility;
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
    const namespace = await findProjectTarget(ctx, input.namespace_id ?? ctx.signedInUser.namespace_id);
    if (!namespace) throw new Invalid({ namespace: ['is not valid'] });
    const visibility = input.visibility ?? defaultVisibility(ctx, namespace);
    const given = { name, path: input.path ?? pathFromName(name), visibility };
    const branch = input.default_branch ?? namespace.default_branch ?? 'main';
    if (!isValidBranchName(branch)) throw new Invalid({ default_branch: ['is invalid'] });
    await requireRoom(ctx, namespace);
    const problems = await placeProblems(ctx, namespace, given);
    if (Object.keys(problems).length > 0) throw new Invalid(problems);
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
