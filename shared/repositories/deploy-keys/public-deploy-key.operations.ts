import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { DeployKey } from './deploy-key.entity.js';
import { lockDeployKey, onKeys } from './deploy-key.finder.js';
import { invalidKey, keyTakenError, titleProblems } from './deploy-key-values.js';
import { deployKeyParams, insertDeployKey } from './insert-deploy-key.js';
import { readSshPublicKey } from './ssh-public-key.js';

/** Offer a key to all projects: callers who may add keys to a project can enable it there. */
export const createDeployKey = operation({
  name: 'createDeployKey',
  summary: 'Create a deploy key that every project may enable',
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  params: deployKeyParams,
  example: { key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOKPjq/Z5pcTM6kK30LM2tjTFez5BcBa2uk4rTKmzMOd' },
  async run(ctx, _instance, input): Promise<DeployKey> {
    const read = readSshPublicKey(input.key);
    if ('problems' in read) throw invalidKey({ ...titleProblems(input.title), ...read.problems });
    const { fingerprint_sha256: fingerprint } = read.found;
    if (await lockDeployKey(ctx, onKeys('k.fingerprint_sha256', '=', fingerprint))) throw keyTakenError();
    const key = await insertDeployKey(ctx, input, read.found, { isPublic: true });
    ctx.record({ type: 'public_deploy_key.created', key });
    return key;
  },
});

/** Remove a key that every project may enable, from all projects that have it. */
export const deleteDeployKey = operation({
  name: 'deleteDeployKey',
  summary: 'Delete a deploy key that every project may enable',
  resource: instance,
  authentication: 'administrator',
  kind: 'write',
  params: { key_id: integer().describe('ID of the deploy key.') },
  async run(ctx, _instance, { key_id: id }) {
    const key = await ctx.em
      .getKysely<RepositoriesDatabase>()
      .selectFrom('deploy_keys as k')
      .select(columns(DeployKey, 'k'))
      .where('k.id', '=', id)
      .where('k.public', '=', constant(true))
      .forUpdate()
      .executeTakeFirst();
    if (!key) throw NotFound.because('Deploy key Not Found');
    requireUnmodified(ctx, key);
    await ctx.em.nativeDelete(DeployKey, { id });
    ctx.record({ type: 'public_deploy_key.deleted', key });
  },
});
