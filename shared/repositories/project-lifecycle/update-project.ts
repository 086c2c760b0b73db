import type { Problems } from '../../core/values/errors.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { avatarParam, replaceAvatar } from '../../instance/avatars/avatars.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { authorize, can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { columns } from '../../core/database/columns.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { projectRunnersProblems } from '../../tenancy/groups/shared-runners.js';
import { setTopics, topicNames, topicsProblem } from '../../tenancy/topics/set-topics.js';
import { changedExpiration, expirationProblems, nextExpiration } from '../../tenancy/projects/container-expiration.js';
import { changeDefaultBranch, defaultBranchProblems } from '../repositories/default-branch.js';
import { importUrlProblem } from '../../tenancy/projects/import-url.js';
import { openImportUrl, sealImportUrl } from '../../tenancy/projects/project-secrets.js';
import { recordMirrorChange } from '../project-mirrors/record-mirror-change.js';
import { applyMirrorSettings, mirrorProblems } from '../project-mirrors/mirror-state.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import { mustKeepPath } from '../../tenancy/projects/path-holds.js';
import { editedProject } from '../../tenancy/projects/lock-project.js';
import { findProject, onProjects } from '../../tenancy/projects/project.finder.js';
import { settingParams } from '../../tenancy/projects/project.params.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { renameProblems, renameRoute } from './rename-project.js';
import { newVisibilityProblems } from '../../tenancy/projects/project.rules.js';
import {
  descriptionProblems,
  levelProblems,
  settingProblems,
  storageProblems,
} from '../../tenancy/projects/setting-rules.js';
import { projectSettingValues, readTopics } from '../../tenancy/projects/setting-values.js';
import type { SettingInput, ProjectSettingValues } from '../../tenancy/projects/setting-values.js';

const updateParams = {
  name: text().optional().describe('Name of the project. Owners.'),
  path: text().optional().describe('Path of the project; the old path leads to the project from then on. Owners.'),
  default_branch: optional(text()).describe('Name of the default branch, which must exist.'),
  avatar: avatarParam(),
  ...settingParams,
};

type UpdateInput = SettingInput & {
  name?: string | undefined;
  path?: string | undefined;
  default_branch?: string | undefined;
};

/** Renaming, moving and showing a project to others, and removing its pipelines, is for Owners (core-resources.md section 5). */
function requireOwnerRights(ctx: Context, found: ProjectRecord, input: UpdateInput): void {
  if (input.name !== undefined || input.path !== undefined) authorize(ctx, projectPolicy, 'rename_project', found);
  if (input.visibility !== undefined) authorize(ctx, projectPolicy, 'change_visibility', found);
  if (input.ci_delete_pipelines_in_seconds !== undefined) authorize(ctx, projectPolicy, 'prune_pipelines', found);
}

/** Whether runners of the instance may be switched on, by the group that the project lies in. */
async function runnersProblems(ctx: Context, found: ProjectRecord, enabled: boolean | undefined): Promise<Problems> {
  if (!enabled) return {};
  const group = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('group_settings as gs')
    .select('gs.shared_runners_setting as setting')
    .where('gs.namespace_id', '=', found.namespace_id)
    .executeTakeFirst();
  return projectRunnersProblems(enabled, group?.setting ?? null);
}

/** Everything that is wrong with what was sent, by field. */
async function getProblems(
  ctx: Context,
  found: ProjectRecord,
  input: UpdateInput,
  values: ProjectSettingValues,
): Promise<Problems> {
  const topics = topicsProblem(topicNames(readTopics(input) ?? []));
  const url = values.importUrl ? importUrlProblem(ctx, values.importUrl) : null;
  return {
    ...(await renameProblems(ctx, found, input)),
    ...descriptionProblems(input.description),
    ...(await newVisibilityProblems(ctx, found, input.visibility)),
    ...(await defaultBranchProblems(ctx, found, input.default_branch)),
    ...storageProblems(ctx, input.repository_storage),
    ...settingProblems(values.settings),
    ...levelProblems({ ...found, ...values.hot }),
    ...(await runnersProblems(ctx, found, values.settings.shared_runners_enabled)),
    ...(values.settings.container_expiration_policy
      ? expirationProblems(values.settings.container_expiration_policy)
      : {}),
    ...(topics ? { topics: [topics] } : {}),
    ...(url ? { import_url: [url] } : {}),
  };
}

/** A mirror needs its URL, whichever of the two was sent. */
function urlProblems(settings: ProjectSettings, { settings: changes, importUrl }: ProjectSettingValues): Problems {
  if (changes.mirror === undefined && importUrl === undefined) return {};
  return mirrorProblems(changes.mirror ?? settings.mirror, importUrl === undefined ? settings.import_url : importUrl);
}

/** The user who changes a mirror's URL or credentials becomes its mirror user, unless one is specified. */
function answerForUrl(ctx: SignedInContext, settings: ProjectSettings, values: ProjectSettingValues): void {
  const stored = getUrl(ctx, settings)?.href ?? null;
  const sent = values.importUrl;
  if (sent === undefined || sent === null || !URL.canParse(sent)) return;
  if (new URL(sent).href === stored) values.importUrl = undefined;
  else if (values.settings.mirror ?? settings.mirror) values.settings.mirror_user_id ??= ctx.caller.user.id;
}

/** The URL that is stored, secrets among it. */
const getUrl = (ctx: Context, { project_id: id, import_url: url }: ProjectSettings): URL | null =>
  url ? openImportUrl(ctx, id, url) : null;

/** The values to store, the expiration of images among them. */
function getValues(ctx: SignedInContext, settings: ProjectSettings, input: UpdateInput): ProjectSettingValues {
  const values = projectSettingValues(ctx, input);
  answerForUrl(ctx, settings, values);
  const sent = input.container_expiration_policy_attributes;
  if (sent) {
    const policy = changedExpiration(settings.container_expiration_policy, sent);
    values.settings.container_expiration_policy = policy;
    values.settings.container_expiration_next_run_at = nextExpiration(policy, ctx.clock.now());
  }
  return values;
}

const getSettings = (ctx: Context, projectId: number): Promise<ProjectSettings | undefined> =>
  ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('project_settings as s')
    .select(columns(ProjectSettings, 's'))
    .where('s.project_id', '=', projectId)
    .executeTakeFirst();

/** Stores the settings that were sent, and answers all of them as they now are. */
async function storeSettings(
  ctx: Context,
  old: ProjectSettings,
  values: ProjectSettingValues,
): Promise<ProjectSettings> {
  const { project_id } = old;
  const url = values.importUrl;
  const changed = {
    ...values.settings,
    ...(url === undefined ? {} : { import_url: sealImportUrl(ctx, project_id, url) }),
  };
  await ctx.em.nativeUpdate(ProjectSettings, { project_id }, changed);
  return { ...old, ...changed };
}

const IMAGES_STAY = 'Cannot rename project because it contains container registry tags!';

/** Edit a project: Maintainers; another name, path or visibility Owners. */
export const updateProject = operation({
  name: 'updateProject',
  summary: 'Edit a project',
  example: { description: 'Flies to the moon.' },
  // Waits for concurrent renames of ancestor groups, and makes them wait.
  resource: editedProject,
  can: can(projectPolicy, 'admin_project'),
  kind: 'write',
  statements: 30,
  params: updateParams,
  rules: [getAtLeastOne(...Object.keys(updateParams))],
  async run(ctx, project, input) {
    requireOwnerRights(ctx, project, input);
    const old = await getSettings(ctx, project.id);
    if (!old) throw new NotFound('Project');
    const values = getValues(ctx, old, input);
    const problems = { ...(await getProblems(ctx, project, input, values)), ...urlProblems(old, values) };
    if (Object.keys(problems).length > 0) throw new Invalid(problems);
    const { name = project.name, path = project.path, visibility = project.visibility } = input;
    if (path !== project.path && (await mustKeepPath(ctx, onProjects('p.id', '=', project.id))))
      throw new Invalid(IMAGES_STAY);
    const description = input.description === undefined ? (project.description ?? null) : input.description;
    const avatar = await replaceAvatar(ctx, { kind: 'project', id: project.id }, project.avatar, input.avatar);
    const edited = { ...values.hot, name, path, visibility, description, avatar, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(Project, { id: project.id }, edited);
    const settings = await storeSettings(ctx, old, values);
    const topics = readTopics(input);
    if (topics) await setTopics(ctx, project.id, topics);
    await renameRoute(ctx, project, { name, path });
    // Without any branch nothing changes: only the default branch shown in the record can be submitted.
    const branch = project.default_branch === null ? null : (input.default_branch ?? project.default_branch);
    await applyMirrorSettings(ctx, project.id, old, settings);
    ctx.record({
      type: 'project.updated',
      project,
      before: { ...project, settings: old },
      after: { ...project, ...edited, default_branch: branch, settings },
    });
    recordMirrorChange(
      ctx,
      project,
      { url: getUrl(ctx, old), settings: old },
      { url: getUrl(ctx, settings), settings },
    );
    await changeDefaultBranch(ctx, project, input.default_branch);
    return findProject(ctx, project.id);
  },
});
