import type { Context } from '../../../shared/core/context/context.js';
import type { Shape } from '../../../shared/core/operations/shape.js';

/** What REST shows under a key of a shape, for fields whose value is more than a column: computed in one place. */
export function presentField<T>(shape: Shape<T>, key: string, record: T, ctx: Context): unknown {
  const field = shape.fields[key];
  if (!field) throw new Error(`${shape.name} has no field ${key}.`);
  return field.get(record, ctx) ?? null;
}
