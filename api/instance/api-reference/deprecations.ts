import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLNamedType, GraphQLSchema } from 'graphql';
import { openApiDocument } from '../../core/openapi/document.js';
import { REST_BASE } from '../../core/routes.js';
import type { RestRoute } from '../../core/routes.js';
import { REST_DEPRECATED, getRemoval } from './removal-schedule.js';

/** Something that clients should no longer use. */
export interface Deprecation {
  api: 'REST' | 'GraphQL';
  name: string;
  /** What to use instead, in Markdown's inline code. */
  instead: string;
  /** The release that deprecated it, and the one that removes it, `X.Y`. */
  since: string;
  removed: string;
  /** Records and bodies that have the attribute, or operations that take the parameter. */
  usages: string[];
}

/** A deprecated item of a schema, with its location. */
interface Item {
  name: string;
  usage: string;
  instead: string;
}

interface Described {
  name?: string;
  description?: string;
  deprecated?: boolean;
}

interface Document {
  paths: Record<string, Record<string, { parameters?: Described[] }>>;
  components: { schemas: Record<string, { properties?: Record<string, Described> }> };
}

/** `Deprecated: use topics.` and `… Premium; deprecated.` without that they say so. */
const insteadIn = (description = ''): string =>
  description
    .replace(/^Deprecated: /, '')
    .replace(/[.;] [Dd]eprecated\.$/, '.')
    .replace(/^./, (letter) => letter.toUpperCase());

/** Every deprecated attribute and parameter of the REST API, by its description. */
export function restItems(routes: readonly RestRoute[]): Item[] {
  const { paths, components } = openApiDocument(routes) as unknown as Document;
  const attributes = Object.entries(components.schemas).flatMap(([usage, { properties = {} }]) =>
    Object.entries(properties).flatMap(([name, { deprecated, description }]) =>
      deprecated ? [{ name, usage, instead: insteadIn(description) }] : [],
    ),
  );
  const parameters = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters: params = [] }]) =>
      params.flatMap(({ name = '', deprecated, description }) =>
        deprecated
          ? [{ name, usage: `${method.toUpperCase()} ${REST_BASE}${path}`, instead: insteadIn(description) }]
          : [],
      ),
    ),
  );
  return [...attributes, ...parameters];
}

interface Deprecable {
  name: string;
  deprecationReason?: string | null | undefined;
}

function getItems(type: GraphQLNamedType): [name: string, reason: string][] {
  const getDeprecations = (prefix: string, { name, deprecationReason }: Deprecable): [string, string][] =>
    deprecationReason ? [[`${prefix}${name}`, deprecationReason]] : [];
  if (isEnumType(type)) return type.getValues().flatMap((value) => getDeprecations(`${type.name}.`, value));
  if (isInputObjectType(type))
    return Object.values(type.getFields()).flatMap((field) => getDeprecations(`${type.name}.`, field));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) => [
    ...getDeprecations(`${type.name}.`, field),
    ...field.args.flatMap((argument) => getDeprecations(`${type.name}.${field.name}: `, argument)),
  ]);
}

/** Own pattern: the form of a deprecation's reason (graphql.md section 8). */
const REASON = /^(.*?)\s*Deprecated in Service (\d+\.\d+)\.$/s;

/** Every deprecated field, argument, enum value and input field of GraphQL. @throws for a reason of another form */
export function graphqlDeprecations(schema: GraphQLSchema): Deprecation[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    getItems(type).map(([name, reason]): Deprecation => {
      const [, instead, since] = REASON.exec(reason) ?? [];
      if (instead === undefined || since === undefined) throw new Error(`${name}: ${reason}`);
      return { api: 'GraphQL', name, instead, since, removed: getRemoval(since), usages: [] };
    }),
  );
}

/** Deprecated attributes and parameters of REST: one entry per name and replacement. */
export function restDeprecations(routes: readonly RestRoute[]): Deprecation[] {
  const byUse = Map.groupBy(restItems(routes), ({ name, instead }) => `${name} ${instead}`);
  return [...byUse.values()].map((items): Deprecation => {
    const { name, instead } = items[0] as Item;
    const since = REST_DEPRECATED[name] ?? '';
    return { api: 'REST', name, instead, since, removed: getRemoval(since), usages: items.map(({ usage }) => usage) };
  });
}
