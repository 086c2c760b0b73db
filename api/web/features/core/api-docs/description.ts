import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../../data/session.js';

/** What of a JSON schema the page shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'body';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

export interface Answer {
  description: string;
  content?: Record<string, Content>;
}

type Reference = { $ref: string };

interface Described {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, Answer | Reference>;
}

interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, unknown>>;
}

/** One operation as the page shows it, its references followed. */
export interface Operation {
  id: string;
  area: string;
  method: string;
  /** With `{parameters}`, below the API's own path. */
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  body: { schema: Schema; fields: Parameter[]; example: unknown; types: string[] } | null;
  answers: [status: string, answer: Answer][];
}

export interface Description {
  /** The path that all operations are below. */
  base: string;
  operations: Operation[];
  schema: (schema: Schema) => Schema;
}

const getName = (reference: string): string => reference.split('/').at(-1) ?? '';

/** The allowed values of a schema; null if there is no such list. */
export const enumOf = ({ enum: own, anyOf }: Schema): unknown[] | null =>
  own ?? anyOf?.find((schema) => schema.enum)?.enum ?? null;

/** The types of a value, except null. */
export const getTypes = ({ type }: Schema): string[] => [type ?? []].flat().filter((name) => name !== 'null');

/** The name in a reference, otherwise the type in the schema. */
export function formatType(schema: Schema): string {
  if (schema.$ref) return getName(schema.$ref);
  if (schema.enum) return schema.enum.map(String).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(formatType).join(' | ');
  if (schema.items) return `list of ${formatType(schema.items)}`;
  const types = [schema.type ?? 'any'].flat().join(' | ');
  return schema.format ? `${types} (${schema.format})` : types;
}

const getFields = ({ properties = {}, required = [] }: Schema): Parameter[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'body',
    required: required.includes(name),
    description: schema.description ?? '',
    schema,
  }));

function read(document: Document): Description {
  const found = <T>(node: T | Reference): T => {
    if (node === null || typeof node !== 'object' || !('$ref' in node)) return node as T;
    const [kind = '', name = ''] = node.$ref.split('/').slice(-2);
    return document.components[kind]?.[name] as T;
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const { requestBody } = described;
      const [content] = Object.values(requestBody?.content ?? {});
      const schema = found<Schema>(content?.schema ?? {});
      return {
        id: described.operationId,
        area: described.tags[0] ?? 'Other',
        method: method.toUpperCase(),
        path,
        summary: described.summary,
        description: described.description,
        parameters: (described.parameters ?? []).map((parameter) => found<Parameter>(parameter)),
        body: content
          ? {
              schema,
              fields: getFields(schema),
              example: content.example ?? {},
              types: Object.keys(requestBody?.content ?? {}),
            }
          : null,
        answers: Object.entries(described.responses).map(([status, answer]) => [status, found<Answer>(answer)]),
      };
    }),
  );
  return {
    base: document.servers[0]?.url ?? '',
    operations: operations.sort((one, other) => one.area.localeCompare(other.area)),
    schema: (schema) => found<Schema>(schema.items ?? schema),
  };
}

/** The description that the service gives of its own API. It changes with the service alone. */
export const descriptionQuery = queryOptions({
  queryKey: ['api-description'],
  queryFn: async () => read(await ask<Document>('GET', '/api/v4/openapi.json')),
  staleTime: Infinity,
});

/** Operations whose id, path, method, area or summary contains every search term. */
export function matching(operations: readonly Operation[], typed: string): Operation[] {
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ id, path, method, area, summary }) => {
    const text = `${id} ${method} ${path} /api/v4${path} ${area} ${summary}`.toLowerCase();
    return terms.every((word) => text.includes(word));
  });
}

/** The address of an operation, or of an area, on the page. */
export const getHash = (area: string, id?: string): string =>
  `#/${encodeURIComponent(area)}${id ? `/${encodeURIComponent(id)}` : ''}`;

/** Parses the part of an address after its `#`. */
export function parseHash(hash: string): { area: string; id: string } {
  const [area = '', id = ''] = hash.replace(/^#\/?/, '').split('/');
  const plain = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  return { area: plain(area), id: plain(id) };
}
