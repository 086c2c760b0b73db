import type { Context } from '../../../shared/core/context/context.js';
import type { Serializer } from '../../../shared/core/operations/serializer.js';

/**
 * The value that REST returns for a key of a serializer, for fields whose value is more than a column: computed in one
 * place.
 */
export function presentField<T>(serializer: Serializer<T>, key: string, record: T, ctx: Context): unknown {
  const field = serializer.fields[key];
  if (!field) throw new Error(`${serializer.name} has no field ${key}.`);
  return field.get(record, ctx) ?? null;
}
