import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { OutField, Serializer } from '../../../shared/core/operations/serializer.js';

export type Json = Record<string, unknown>;

/** Keys that zod writes into every schema, or that repeat other keys. */
const NOISE = new Set(['$schema', '~standard', 'propertyNames']);

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !NOISE.has(key))
      .map(([key, child]) => [key, withoutNoise(child)]),
  );
}

/** Descriptions that call what they describe deprecated, and say what to use instead. */
const DEPRECATED = /^Deprecated\b|[.;] [Dd]eprecated\.$/;

/** Sets `deprecated` on a schema whose description calls it deprecated, for programs to read. */
const marked = (schema: Json): Json =>
  typeof schema.description === 'string' && DEPRECATED.test(schema.description)
    ? { ...schema, deprecated: true }
    : schema;

/** The JSON schema of a declared parameter, as a caller sends it. */
export function paramSchema(field: z.ZodType): Json {
  const generated = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  return marked(withoutNoise({ ...generated, ...field.meta() }) as Json);
}

/** A file of a multipart request. */
export const isUpload = ({ format }: Json): boolean => format === 'binary';

/** Whether a parameter is required, according to its declaration. */
export function isRequired(field: z.ZodType): boolean {
  return !field.safeParse(undefined).success;
}

/** The schemas of all serializers and bodies that an API description names, each once. */
export class SchemaRegistry {
  readonly #schemas = new Map<string, Json>();

  /** A reference to the serializer's schema, which is written down with everything that it holds. */
  reference(serializer: Serializer<never>): Json {
    return this.register(serializer.name, this.#write(serializer));
  }

  /** A reference to a schema that is written down under this name. */
  register(name: string, schema: Json): Json {
    const existing = this.#schemas.get(name);
    if (existing && !isDeepStrictEqual(existing, schema)) throw new Error(`Two different schemas are named ${name}.`);
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** By name, in the order of their names. */
  all(): Record<string, Json> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #write(serializer: Serializer<never>): Json {
    const fields = Object.entries(serializer.fields as Record<string, OutField<never>>);
    const required = fields.filter(([, field]) => !field.optional).map(([key]) => key);
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(([key, field]) => [key, this.#field(field)])),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  #field({ schema }: OutField<never>): Json {
    const { 'x-serializer': nested, ...own } = schema;
    if (nested) this.reference(nested as Serializer<never>);
    return marked(own);
  }
}
