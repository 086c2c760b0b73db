import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { SignedInContext } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { boolean, integer, optional, text, withDefault } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { DeployKey, DeployKeysProject } from './deploy-key.entity.js';
import { deployKeys, findDeployKeys, findDeployKey, findDeployKeyOrNull, onKeys } from './deploy-key.finder.js';
import { deployKeyPolicy } from './deploy-key.policy.js';
import { invalidKey, titleProblems } from './deploy-key-values.js';

const keyParam = { key_id: integer().describe('ID of the deploy key.') };

/** List all deploy keys of the instance, with the projects that have them. */
export const listDeployKeys = operation({
  name: 'listDeployKeys',
  summary: 'List all deploy keys',
  resource: instance,
  authentication: 'administrator',
  kind: 'read',
  statements: 4,
  params: {
    public: withDefault(boolean(), false).describe(
      'If `true`, returns only deploy keys that every project can enable.',
    ),
  },
  run: (_ctx, _instance, input) => Promise.resolve(deployKeys(input.public ? [onKeys.ref('k.public')] : [])),
});

/** List a project's deploy keys. */
export const listProjectDeployKeys = operation({
  name: 'listProjectDeployKeys',
  summary: 'List the deploy keys of a project',
  resource: project,
  can: can(deployKeyPolicy, 'read_deploy_key'),
  kind: 'read',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(findDeployKeys(found)),
});

/** Read one deploy key of a project. */
export const getProjectDeployKey = operation({
  name: 'getProjectDeployKey',
  summary: 'Read a deploy key of a project',
  resource: project,
  can: can(deployKeyPolicy, 'read_deploy_key'),
  kind: 'read',
  statements: 3,
  params: keyParam,
  run: (ctx, found, input) => findDeployKey(ctx, found, input.key_id),
});

/**
 * The title is common to all projects of the key: if there are, or may be, several, Maintainers of one project cannot
 * change it.
 */
async function mayRename(ctx: SignedInContext, found: ProjectRecord, key: DeployKey): Promise<boolean> {
  if (ctx.caller.admin) return true;
  if (key.public) return false;
  const elsewhere = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('deploy_keys_projects as d')
    .select('d.id')
    .where('d.deploy_key_id', '=', key.id)
    .where('d.project_id', '<>', found.id)
    .limit(1)
    .executeTakeFirst();
  return elsewhere === undefined;
}

/** Change the permissions of a key in a project, and its title. */
export const updateProjectDeployKey = operation({
  name: 'updateProjectDeployKey',
  summary: 'Edit a deploy key of a project',
  example: { can_push: true },
  resource: project,
  can: can(deployKeyPolicy, 'update_deploy_key'),
  kind: 'write',
  params: {
    ...keyParam,
    title: text()
      .optional()
      .describe(
        'Title of the deploy key. The title of a key of several projects does not change, unless an administrator edits it.',
      ),
    can_push: optional(boolean()).describe('If `true`, the deploy key can also push to the repository of the project.'),
  },
  rules: [getAtLeastOne('title', 'can_push')],
  async run(ctx, found, { key_id: id, title, can_push: canPush }) {
    const before = await findDeployKey(ctx, found, id);
    const problems = title === undefined ? {} : titleProblems(title);
    if (Object.keys(problems).length > 0) throw invalidKey(problems);
    const updated_at = ctx.clock.now();
    if (canPush !== undefined)
      await ctx.em.nativeUpdate(
        DeployKeysProject,
        { project_id: found.id, deploy_key_id: id },
        { can_push: canPush, updated_at },
      );
    if (title !== undefined && (await mayRename(ctx, found, before)))
      await ctx.em.nativeUpdate(DeployKey, { id }, { title, updated_at });
    const after = await findDeployKey(ctx, found, id);
    ctx.record({ type: 'deploy_key.updated', project: found, before, after });
    return after;
  },
});

/** Take a key from a project. One that no project has any more is gone, unless it is public. */
export const deleteProjectDeployKey = operation({
  name: 'deleteProjectDeployKey',
  summary: 'Remove a deploy key from a project',
  resource: project,
  can: can(deployKeyPolicy, 'destroy_deploy_key'),
  kind: 'write',
  params: keyParam,
  async run(ctx, found, { key_id: id }) {
    const key = await findDeployKeyOrNull(ctx, found, id);
    if (!key) throw NotFound.because('Deploy key Not Found');
    requireUnmodified(ctx, { updated_at: key.linked_at });
    // Entries of protected branches and tags that name it go with the link, and the key with its last one.
    await ctx.em.nativeDelete(DeployKeysProject, { project_id: found.id, deploy_key_id: id });
    ctx.record({ type: 'deploy_key.deleted', project: found, key });
  },
});
