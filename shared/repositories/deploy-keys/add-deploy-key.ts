import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { SignedInContext } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { boolean, integer, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { containerOfProject, lockContainer } from '../../tenancy/containers/container.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { DeployKeysProject } from './deploy-key.entity.js';
import { findDeployKey, lockDeployKey, onKeys } from './deploy-key.finder.js';
import type { ProjectDeployKey } from './deploy-key.finder.js';
import { deployKeyPolicy } from './deploy-key.policy.js';
import { invalidKey, keyTakenError, titleProblems } from './deploy-key-values.js';
import { deployKeyParams, insertDeployKey } from './insert-deploy-key.js';
import type { NewDeployKey } from './insert-deploy-key.js';
import { readSshPublicKey } from './ssh-public-key.js';

/** Gives a project a key, unless it has it. @returns whether it had not */
async function link(
  ctx: SignedInContext,
  { id }: ProjectRecord,
  key: { id: number },
  canPush: boolean,
): Promise<boolean> {
  const now = ctx.clock.now();
  const added = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .insertInto('deploy_keys_projects')
    .values({ project_id: id, deploy_key_id: key.id, can_push: canPush, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['project_id', 'deploy_key_id']).doNothing())
    .returning('id')
    .execute();
  return added.length > 0;
}

/**
 * Enables another project's key in a project. If the project already has the key, its permissions there stay unchanged.
 */
async function enable(
  ctx: SignedInContext,
  found: ProjectRecord,
  key: { id: number },
  canPush: boolean,
): Promise<ProjectDeployKey> {
  const added = await link(ctx, found, key, canPush);
  const enabled = await findDeployKey(ctx, found, key.id);
  if (added) ctx.record({ type: 'deploy_key.enabled', project: found, key: enabled });
  return enabled;
}

interface NewProjectDeployKey extends NewDeployKey {
  readonly can_push: boolean;
}

/**
 * An existing key is not created again: a key of this project is returned unchanged, and a key of another project that
 * the caller is a member of, or a public one, is enabled here.
 * @throws Invalid for an invalid or taken key
 */
async function addKey(
  ctx: SignedInContext,
  found: ProjectRecord,
  attributes: NewProjectDeployKey,
): Promise<ProjectDeployKey> {
  const read = readSshPublicKey(attributes.key);
  if ('problems' in read) throw invalidKey({ ...titleProblems(attributes.title), ...read.problems });
  const { key, fingerprint_sha256 } = read.found;
  const existing = await lockDeployKey(ctx, onKeys('k.fingerprint_sha256', '=', fingerprint_sha256));
  if (existing) {
    const here = await ctx.em.count(DeployKeysProject, { project_id: found.id, deploy_key_id: existing.id });
    if (here > 0 ? existing.key !== key : !existing.accessible) throw keyTakenError();
    return enable(ctx, found, existing, attributes.can_push);
  }
  const { id } = await insertDeployKey(ctx, attributes, read.found, { isPublic: false });
  await link(ctx, found, { id }, attributes.can_push);
  const created = await findDeployKey(ctx, found, id);
  ctx.record({ type: 'deploy_key.created', project: found, key: created });
  return created;
}

/** Give a project a public key. */
export const createProjectDeployKey = operation({
  name: 'createProjectDeployKey',
  summary: 'Add a deploy key to a project, for git over SSH, which is not served yet',
  resource: project,
  can: can(deployKeyPolicy, 'create_deploy_key'),
  kind: 'write',
  params: {
    ...deployKeyParams,
    can_push: withDefault(boolean(), false).describe(
      'If `true`, the deploy key can also push to the repository of the project.',
    ),
  },
  async run(ctx, found, input) {
    await lockContainer(ctx, containerOfProject(found));
    return addKey(ctx, found, input);
  },
});

/** Let a project have a key that another one has. */
export const enableProjectDeployKey = operation({
  name: 'enableProjectDeployKey',
  summary: 'Enable a deploy key of another project',
  resource: project,
  can: can(deployKeyPolicy, 'create_deploy_key'),
  kind: 'write',
  params: {
    key_id: integer().describe('ID of the deploy key: of a project that the caller is a member of, or a public one.'),
  },
  async run(ctx, found, input) {
    await lockContainer(ctx, containerOfProject(found));
    const key = await lockDeployKey(ctx, onKeys('k.id', '=', input.key_id));
    if (!key?.accessible) throw NotFound.because('Deploy key Not Found');
    return enable(ctx, found, key, false);
  },
});
