import type { Context } from '../../core/context/context.js';
import { containerOfRow } from '../../core/operations/container.js';
import type { CiVariable } from './ci-variable.entity.js';

/** What a value is bound to: a value that is copied to another owner, key or scope does not decrypt. */
type BoundTo = Pick<CiVariable, 'project_id' | 'namespace_id' | 'key' | 'environment_scope'>;

function getBinding(row: BoundTo): string {
  const owner = containerOfRow(row);
  // A key has no colon, so that what follows it is the whole scope.
  return `ci_variables:${owner ? `${owner.kind}:${owner.id}` : 'instance'}:${row.key}:${row.environment_scope}`;
}

/** A value as it is stored in that row. */
export const encryptValue = (ctx: Context, row: BoundTo, value: string): Buffer<ArrayBuffer> =>
  ctx.services.keys.encrypt(value, getBinding(row));

/** The value of a stored variable. @throws Error if it was encrypted with another key, or for another row */
export const decryptValue = (ctx: Context, row: BoundTo & Pick<CiVariable, 'value'>): string =>
  ctx.services.keys.decrypt(Buffer.from(row.value), getBinding(row));
