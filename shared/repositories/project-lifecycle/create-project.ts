import type { Problems } from '../../core/values/errors.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { z } from 'zod';
import { avatarParam, replaceAvatar } from '../../instance/avatars/avatars.js';
import { UserCaller } from '../../core/context/callers.js';
import type { CallerUser } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { BadParams, Invalid, NotFound } from '../../core/values/errors.js';
import { clearableText, boolean, integer, optional, oneOf, text } from '../../core/operations/fields.js';
import { isValidBranchName } from '../../git/index.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { importUrlProblem } from '../../tenancy/projects/import-url.js';
import { sealImportUrl } from '../../tenancy/projects/project-secrets.js';
import { importTransfers } from '../repositories.jobs.js';
import { projectRunnersProblems } from '../../tenancy/groups/shared-runners.js';
import { recordMirrorChange } from '../project-mirrors/record-mirror-change.js';
import { startMirror, mirrorProblems } from '../project-mirrors/mirror-state.js';
import { pathFromName } from '../../tenancy/namespaces/paths.js';
import { commitToBranch } from '../repositories/commit-to-branch.js';
import { requestTransfers } from '../repositories/request-transfers.js';
import { setTopics, topicNames, topicsProblem } from '../../tenancy/topics/set-topics.js';
import { changedExpiration, expirationProblems } from '../../tenancy/projects/container-expiration.js';
import { insertProject } from './insert-project.js';
import { MAIN_BRANCH, NEW_HOT_SETTINGS, NEW_PROJECT_SETTINGS } from '../../tenancy/projects/new-settings.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { settingParams } from '../../tenancy/projects/project.params.js';
import { newProjectProblems, projectVisibilityProblems } from '../../tenancy/projects/project.rules.js';
import { findProjectTarget, requireRoom } from '../../tenancy/projects/project-target.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import {
  descriptionProblems,
  levelProblems,
  settingProblems,
  storageProblems,
} from '../../tenancy/projects/setting-rules.js';
import { projectSettingValues, readTopics } from '../../tenancy/projects/setting-values.js';
import type { ProjectSettingValues } from '../../tenancy/projects/setting-values.js';
import { callerSelection } from '../../tenancy/users/caller-columns.js';

const createParams = {
  name: optional(text()).describe('Name of the project; derived from the path if omitted.'),
  path: optional(text()).describe('Path of the project; derived from the name if omitted.'),
  namespace_id: optional(integer()).describe(
    "ID of the namespace of the project; the caller's own namespace if omitted.",
  ),
  default_branch: optional(text()).describe('Name of the first branch; requires `initialize_with_readme`.'),
  initialize_with_readme: optional(boolean()).describe('If `true`, creates the repository with a README.'),
  repository_object_format: optional(oneOf(['sha1'])).describe('Hash format of the object names in the repository.'),
  avatar: avatarParam(),
  ...settingParams,
  import_url: clearableText().describe('URL of a git repository to import: http, https or git.'),
};

type CreateInput = z.output<z.ZodObject<typeof createParams>>;

/** The instance's default, as far as the group that the project is made in allows it. */
function defaultVisibility(ctx: Context, namespace: ProjectTarget): string {
  const fallback = ctx.settings.default_project_visibility;
  return projectVisibilityProblems(fallback, namespace).length === 0 ? fallback : namespace.visibility;
}

/** The settings of a new project from the input, and the problems with them. */
function newSettings(ctx: SignedInContext, input: CreateInput): { values: ProjectSettingValues; problems: Problems } {
  const values = projectSettingValues(ctx, input);
  const problems = { ...settingProblems(values.settings), ...levelProblems({ ...NEW_HOT_SETTINGS, ...values.hot }) };
  const sent = input.container_expiration_policy_attributes;
  if (sent) {
    const policy = changedExpiration(NEW_PROJECT_SETTINGS.container_expiration_policy, sent);
    Object.assign(problems, expirationProblems(policy));
    values.settings.container_expiration_policy = policy;
  }
  const topics = topicsProblem(topicNames(readTopics(input) ?? []));
  if (topics) problems.topics = [topics];
  const url = input.import_url ? importUrlProblem(ctx, input.import_url) : null;
  if (url) problems.import_url = [url];
  Object.assign(problems, mirrorProblems(values.settings.mirror ?? false, input.import_url));
  return { values, problems };
}

/** Stores data outside the project's row: topics and avatar. Also starts the import of the repository. */
async function addBelongings(ctx: Context, project: Project, input: CreateInput, { settings }: ProjectSettingValues) {
  const topics = readTopics(input);
  if (topics && topics.length > 0) await setTopics(ctx, project.id, topics);
  if (input.avatar) {
    const avatar = await replaceAvatar(ctx, { kind: 'project', id: project.id }, null, input.avatar);
    await ctx.em.nativeUpdate(Project, { id: project.id }, { avatar });
  }
  if (input.import_url) {
    const sealed = sealImportUrl(ctx, project.id, input.import_url);
    await ctx.em.nativeUpdate(ProjectSettings, { project_id: project.id }, { import_url: sealed });
    const branch = input.default_branch === undefined ? {} : { default_branch: input.default_branch };
    await requestTransfers(ctx, importTransfers, [{ project_id: project.id, ...branch }]);
    if (settings.mirror) await startMirror(ctx, project.id, { later: true });
  }
}

const readme = (project: Project) => `# ${project.name}\n${project.description ? `\n${project.description}\n` : ''}`;

/**
 * Makes a project as the caller.
 * @throws BadParams, Invalid with everything that is wrong with the values, Forbidden when the namespace is full
 */
async function makeProject(ctx: SignedInContext, input: CreateInput): Promise<ProjectRecord> {
  const name = input.name ?? input.path;
  if (name === undefined) throw new BadParams(['name, path are missing, at least one parameter must be provided']);
  const namespace = await findProjectTarget(ctx, input.namespace_id ?? ctx.caller.user.namespace_id);
  if (!namespace) throw new Invalid({ namespace: ['is not valid'] });
  const { visibility = defaultVisibility(ctx, namespace), path = pathFromName(name), description = null } = input;
  const branch = input.default_branch ?? namespace.default_branch ?? MAIN_BRANCH;
  const { values, problems: faults } = newSettings(ctx, input);
  await requireRoom(ctx, namespace);
  const problems = {
    ...(await newProjectProblems(ctx, namespace, { name, path, visibility })),
    ...descriptionProblems(description),
    ...storageProblems(ctx, input.repository_storage),
    ...projectRunnersProblems(values.settings.shared_runners_enabled, namespace.shared_runners_setting),
    ...(isValidBranchName(branch) ? {} : { default_branch: ['is invalid'] }),
    ...faults,
  };
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
  const imported = input.import_url ? { import_type: 'git', import_status: 'scheduled' } : {};
  const attributes = { ...values.hot, ...imported, name, path, visibility, description };
  const project = await insertProject(ctx, namespace, attributes, values.settings);
  await addBelongings(ctx, project, input, values);
  // An imported repository has a first commit already.
  if (input.initialize_with_readme && !input.import_url) {
    await commitToBranch(ctx, project, {
      branch,
      message: 'Initial commit',
      actions: [{ action: 'create', file_path: 'README.md', content: Buffer.from(readme(project)) }],
    });
  }
  const newProject = await findProject(ctx, project.id);
  if (input.import_url) {
    const after = { url: new URL(input.import_url), settings: values.settings };
    recordMirrorChange(ctx, newProject, { url: null, settings: NEW_PROJECT_SETTINGS }, after);
  }
  return newProject;
}

/** Create a project in one's own namespace or in a group where one is at least Developer. */
export const createProject = operation({
  name: 'createProject',
  summary: 'Create a project',
  example: { name: 'Rocket' },
  resource: instance,
  kind: 'write',
  statements: 30,
  params: createParams,
  run: (ctx, _instance, input) => makeProject(ctx, input),
});

/**
 * Create a project for another user. Requires an administrator. The user becomes its creator and, in their own
 * namespace, its Owner.
 */
export const createProjectForUser = operation({
  name: 'createProjectForUser',
  summary: 'Create a project for a user',
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  statements: 32,
  params: {
    user_id: integer().describe('ID of the user.'),
    ...createParams,
    name: text()
      .describe('Name of the project.')
      .meta({ examples: ['Rocket'] }),
  },
  async run(ctx, _instance, { user_id: userId, ...input }) {
    const user: CallerUser | undefined = await ctx.em
      .getKysely<RepositoriesDatabase>()
      .selectFrom('users as u')
      .leftJoin('namespaces as n', 'n.owner_id', 'u.id')
      .select(callerSelection())
      .where('u.id', '=', userId)
      .executeTakeFirst();
    if (!user) throw new NotFound('User');
    const newProject = await makeProject(ctx.as(new UserCaller(user)), input);
    return findProject(ctx, newProject.id);
  },
});
