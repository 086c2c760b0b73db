import type { Json } from './schemas.js';

/*
 * The types of `openapi-fetch`, from the description of the API. The generator made for that needs the compiler's own
 * interface, which TypeScript 7 does not have.
 */

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

const BASIC: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const isDefined = (value: unknown): boolean => value !== undefined && value !== null;

/** `#/components/schemas/Project` to `Schemas["Project"]`. */
const referenced = (reference: string): string => `Schemas[${JSON.stringify(reference.split('/').at(-1))}]`;

const either = (types: string[]): string => [...new Set(types)].join(' | ');

function objectType(schema: Json): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const required = new Set((schema.required ?? []) as string[]);
  if (properties.length === 0) {
    const { additionalProperties: others } = schema;
    return `Record<string, ${others !== null && typeof others === 'object' ? getType(others as Json) : 'unknown'}>`;
  }
  const lines = properties.map(
    ([name, child]) => `${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${getType(child)};`,
  );
  return `{ ${lines.join(' ')} }`;
}

function typeText(name: string, schema: Json): string {
  if (name === 'object') return objectType(schema);
  if (name === 'array') return `(${schema.items ? getType(schema.items as Json) : 'unknown'})[]`;
  return BASIC[name] ?? 'unknown';
}

/** The TypeScript type of a JSON schema; `unknown` if the schema has no information. */
export function getType(schema: Json): string {
  if (typeof schema.$ref === 'string') return referenced(schema.$ref);
  if (Array.isArray(schema.enum)) return either(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const alternatives = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  // `anyOf` next to `properties` states which of them are required, which is irrelevant for a type.
  if (alternatives && !schema.properties) return either(alternatives.map(getType));
  const names = [schema.type].flat().filter(isDefined) as string[];
  return names.length > 0 ? either(names.map((name) => typeText(name, schema))) : 'unknown';
}

function resolve(document: Json, node: Json): Json {
  if (typeof node.$ref !== 'string') return node;
  const steps = node.$ref.slice(2).split('/');
  return steps.reduce((found, step) => found[step] as Json, document);
}

function parametersType(document: Json, operation: Json, where: 'path' | 'query'): string | null {
  const parameters = ((operation.parameters ?? []) as Json[]).map((parameter) => resolve(document, parameter));
  const fields = parameters
    .filter((parameter) => parameter.in === where)
    .map(({ name, required, schema }) => `${JSON.stringify(name)}${required ? '' : '?'}: ${getType(schema as Json)};`);
  if (fields.length === 0) return null;
  const needed = parameters.some((parameter) => parameter.in === where && parameter.required);
  return `${where}${needed ? '' : '?'}: { ${fields.join(' ')} };`;
}

function contentType({ content }: Json): string {
  const json = (content as Record<string, { schema?: Json }> | undefined)?.['application/json'];
  return json ? `{ 'application/json': ${getType(json.schema ?? {})} }` : 'never';
}

function operationType(document: Json, operation: Json): string {
  const parameters = (['path', 'query'] as const).map((where) => parametersType(document, operation, where));
  const body = operation.requestBody as Json | undefined;
  const answers = Object.entries(operation.responses as Record<string, Json>).map(([status, answer]) => {
    const key = /^\d+$/.test(status) ? status : JSON.stringify(status);
    return `${key}: { headers: Record<string, unknown>; content: ${contentType(resolve(document, answer))} };`;
  });
  return [
    `{ parameters: { ${parameters.filter((part) => part !== null).join(' ')} };`,
    body ? `requestBody${body.required ? '' : '?'}: { content: ${contentType(body)} };` : 'requestBody?: never;',
    `responses: { ${answers.join(' ')} } }`,
  ].join(' ');
}

/**
 * The source of a module that exports `paths`, as expected by `createClient<paths>()`, and `Schemas`.
 * @param document the OpenAPI document
 */
export function printTypescript(document: Json): string {
  const { schemas } = document.components as { schemas: Record<string, Json> };
  const paths = Object.entries(document.paths as Record<string, Record<string, Json>>).map(([path, item]) => {
    const operations = METHODS.map((method) => {
      const operation = item[method];
      return operation ? `${method}: ${operationType(document, operation)};` : `${method}?: never;`;
    });
    return `  ${JSON.stringify(path)}: { ${operations.join(' ')} };`;
  });
  const schemaTypes = Object.entries(schemas).map(([name, schema]) => `  ${JSON.stringify(name)}: ${getType(schema)};`);
  return ['export interface Schemas {', ...schemaTypes, '}', 'export interface paths {', ...paths, '}', ''].join('\n');
}
