import { buildSchema, findBreakingChanges } from 'graphql';

type Json = Record<string, unknown>;

/** A guarantee to clients, one per row; `in` is sent by clients, `out` is returned. */
export interface RestRow {
  side: 'in' | 'out';
  name: string;
  /** Types it may be of. */
  types: string[];
  /** Must be sent, or is always answered. */
  required: boolean;
}

function getTypes(schema: Json): string[] {
  if (typeof schema.$ref === 'string') return [schema.$ref.split('/').at(-1) as string];
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return choices.flatMap(getTypes);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one));
  const types = [schema.type ?? 'any'].flat() as string[];
  const items = schema.items as Json | undefined;
  return types.map((type) => (type === 'array' && items ? `[${getTypes(items).sort().join('|')}]` : type));
}

/** Rows of the fields of a named schema: for request bodies the sent ones, for others the returned ones. */
function schemaRows(name: string, schema: Json): RestRow[] {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([key, field]) => ({
    side: name.endsWith('Body') ? 'in' : 'out',
    name: `${name}.${key}`,
    types: getTypes(field),
    required: required.has(key),
  }));
}

function operationRows(route: string, operation: Json): RestRow[] {
  const parameters = ((operation.parameters ?? []) as Json[]).filter((parameter) => 'name' in parameter);
  return [
    { side: 'out', name: route, types: ['operation'], required: true },
    ...parameters.map((parameter): RestRow => ({
      side: 'in',
      name: `${route} ${String(parameter.name)}`,
      types: getTypes((parameter.schema ?? {}) as Json),
      required: parameter.required === true,
    })),
  ];
}

/** Everything in a description of the REST API that a client may rely on. */
export function restRows(document: Json): RestRow[] {
  const paths = document.paths as Record<string, Record<string, Json>>;
  const { schemas } = document.components as { schemas: Record<string, Json> };
  return [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        operationRows(`${method.toUpperCase()} ${path}`, operation),
      ),
    ),
    ...Object.entries(schemas).flatMap(([name, schema]) => schemaRows(name, schema)),
  ];
}

/** A row as text: `in GET /projects search: string`, with `!` after required ones. */
export const writeRow = ({ side, name, types, required }: RestRow): string =>
  `${side} ${name}: ${[...new Set(types)].sort().join(' | ')}${required ? ' !' : ''}`;

/** The row of a text that {@link writeRow} wrote. */
export function readRow(text: string): RestRow {
  const [, side, name = '', types = '', required] = /^(in|out) (.+?): (.*?)( !)?$/.exec(text) ?? [];
  return { side: side as 'in' | 'out', name, types: types.split(' | '), required: required !== undefined };
}

const isWithin = (few: readonly string[], many: readonly string[]): boolean => few.every((one) => many.includes(one));

function restBreak(old: RestRow, now: RestRow | undefined): string | null {
  if (!now) return `${old.name} is gone`;
  // Values that clients send must still be accepted; returned values must be within their expectations.
  const fits = old.side === 'in' ? isWithin(old.types, now.types) : isWithin(now.types, old.types);
  if (!fits && !now.types.includes('any'))
    return `${old.name} was ${old.types.join(' | ')} and is ${now.types.join(' | ')}`;
  if (old.side === 'in' && now.required && !old.required) return `${old.name} is required now`;
  if (old.side === 'out' && old.required && !now.required) return `${old.name} is not always there any more`;
  return null;
}

/** Descriptions of the guarantees of a released REST API that no longer hold. */
export function restBreaks(released: readonly RestRow[], now: readonly RestRow[]): string[] {
  const key = ({ side, name }: RestRow) => `${side} ${name}`;
  const byName = new Map(now.map((row) => [key(row), row]));
  const keys = new Set(released.map(key));
  const operations = new Set(released.filter(({ types }) => types[0] === 'operation').map(({ name }) => name));
  const bodies = new Set(released.filter(({ side }) => side === 'in').map(({ name }) => name.split('.')[0]));
  const demanded = now
    .filter((row) => row.side === 'in' && row.required && !keys.has(key(row)))
    // Of an operation or a body that is new as well nothing is expected yet.
    .filter(({ name }) => operations.has(name.split(' ').slice(0, 2).join(' ')) || bodies.has(name.split('.')[0]))
    .map(({ name }) => `${name} is new and required`);
  return [...released.flatMap((row) => restBreak(row, byName.get(key(row))) ?? []), ...demanded];
}

/** Descriptions of the guarantees of a released GraphQL schema that no longer hold. @param released schema language */
export const schemaBreaks = (released: string, now: string): string[] =>
  findBreakingChanges(buildSchema(released), buildSchema(now)).map(({ description }) => description);
