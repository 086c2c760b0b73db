import type { z } from 'zod';
import type { RestRoute } from '../routes.js';
import { isRequired, paramSchema } from './schemas.js';
import type { Json } from './schemas.js';

/**
 * An example value of a schema: the one in its declaration, otherwise one derived from its type if that is specific
 * enough.
 */
function getValue(schema: Json): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === 'boolean') return true;
  if (type === 'integer') return schema.minimum ?? 1;
  if (type === 'array' && schema.items) {
    const item = getValue(schema.items as Json);
    return item === undefined ? undefined : [item];
  }
  return undefined;
}

/** The value that a parameter's own declaration shows. */
export const declaredExample = (field: z.ZodType): unknown =>
  (paramSchema(field).examples as unknown[] | undefined)?.[0];

/**
 * The example call in a route's description: its required parameters, and those in the operation's own `example`. No
 * others, so that sending it unchanged sets no filters and attributes unintentionally.
 */
export function buildExample({ operation }: RestRoute): Record<string, unknown> {
  const exampleValues: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(operation.params.shape) as [string, z.ZodType][]) {
    const chosen = operation.example?.[name];
    const value = chosen ?? (isRequired(field) ? getValue(paramSchema(field)) : undefined);
    if (value !== undefined) exampleValues[name] = value;
  }
  return exampleValues;
}
