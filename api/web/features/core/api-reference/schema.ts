import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../../data/session.js';
import { holds } from './contents.js';

/** A type in an introspection: a name, or a list or non-null wrapper of another type. */
export interface TypeRef {
  kind: string;
  name: string | null;
  ofType: TypeRef | null;
}

/** An argument, a field of an input, a field or a value of an enum. */
export interface Member {
  name: string;
  description: string | null;
  isDeprecated?: boolean;
  deprecationReason?: string | null;
  type?: TypeRef;
  args?: readonly Member[];
  defaultValue?: string | null;
}

export interface SchemaType {
  kind: string;
  name: string;
  description: string | null;
  fields: readonly Member[] | null;
  inputFields: readonly Member[] | null;
  enumValues: readonly Member[] | null;
  interfaces: readonly TypeRef[] | null;
  possibleTypes: readonly TypeRef[] | null;
}

/** Something to read: a type, or a field. */
export interface Entry {
  group: string;
  /** `Project`, or `Project.name`. */
  id: string;
  /** As the list shows it. */
  label: string;
  text: string;
}

export interface Reference {
  types: ReadonlyMap<string, SchemaType>;
  /** The list's entries: root fields and types. */
  entries: readonly Entry[];
  /** Fields of types, which only a search shows. */
  fields: readonly Entry[];
}

const GROUPS: Readonly<Record<string, string>> = {
  OBJECT: 'Objects',
  INTERFACE: 'Interfaces',
  UNION: 'Unions',
  INPUT_OBJECT: 'Inputs',
  ENUM: 'Enums',
  SCALAR: 'Scalars',
};

/** In the order of the list. */
const ORDER = ['Queries', 'Mutations', ...Object.values(GROUPS)];

const ROOTS: Readonly<Record<string, string>> = { Query: 'Queries', Mutation: 'Mutations' };

export const getMembers = ({ fields, inputFields, enumValues }: SchemaType): readonly Member[] =>
  fields ?? inputFields ?? enumValues ?? [];

function getEntries(type: SchemaType): { items: Entry[]; found: Entry[] } {
  const { name: owner, description } = type;
  const root = ROOTS[owner];
  const members = getMembers(type).map(({ name, description: text }): Entry => {
    const id = `${owner}.${name}`;
    return { group: root ?? 'Fields', id, label: root ? name : id, text: `${id} ${text ?? ''}` };
  });
  if (root) return { items: members, found: [] };
  const group = GROUPS[type.kind] ?? 'Other';
  return { items: [{ group, id: owner, label: owner, text: `${owner} ${description ?? ''}` }], found: members };
}

interface Introspection {
  data: { __schema: { types: readonly SchemaType[] } };
}

function read({ data }: Introspection): Reference {
  const types = data.__schema.types
    .filter(({ name }) => !name.startsWith('__'))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const found = types.map(getEntries);
  const entries = found.flatMap(({ items }) => items);
  return {
    types: new Map(types.map((type) => [type.name, type])),
    entries: entries.toSorted((one, other) => ORDER.indexOf(one.group) - ORDER.indexOf(other.group)),
    fields: found.flatMap(({ found: members }) => members),
  };
}

/** The schema from the service. It only changes with the service's version. */
export const schemaQuery = queryOptions({
  queryKey: ['graphql-schema'],
  queryFn: async () => read(await ask<Introspection>('GET', '/-/api-docs/graphql.json')),
  staleTime: Infinity,
});

/** Maximum number of fields in search results, which may number thousands. */
const MOST_FIELDS = 100;

/** The entries that match the search text; without one, all except the fields of types. */
export function matching({ entries, fields }: Reference, typed: string): Entry[] {
  if (typed.trim() === '') return [...entries];
  const fitting = (list: readonly Entry[]) => list.filter(({ text }) => holds(text, typed));
  return [...fitting(entries), ...fitting(fields).slice(0, MOST_FIELDS)];
}

/** The address of a type or a field on the page. */
export const getHash = (id: string): string => `#/${id.replace('.', '/')}`;

/** `#/Project/name` to its type and field. */
export function parseHash(hash: string): { owner: string; member: string } {
  const [owner = '', member = ''] = hash.replace(/^#\/?/, '').split('/');
  return { owner, member };
}

/** The name within lists and non-nulls. */
export const getName = ({ name, ofType }: TypeRef): string => name ?? (ofType ? getName(ofType) : '');

/** `[Issue!]!` to the text before and after the name. */
export function aroundName(type: TypeRef): [before: string, after: string] {
  if (!type.ofType) return ['', ''];
  const [before, after] = aroundName(type.ofType);
  return type.kind === 'LIST' ? [`[${before}`, `${after}]`] : [before, `${after}!`];
}
