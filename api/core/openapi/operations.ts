import type { z } from 'zod';
import { needsCredential } from '../../../shared/core/operations/invoke.js';
import type { ParamRule } from '../../../shared/core/operations/params.js';
import type { RestRoute } from '../routes.js';
import { keysetFields, pageFields } from '../paging.js';
import { isPaged, getResponses } from './answers.js';
import { leastRole } from './least-role.js';
import { buildExample, declaredExample } from './examples.js';
import { isRequired, isUpload, paramSchema } from './schemas.js';
import type { Json, SchemaRegistry } from './schemas.js';

/** `/projects/:id/tags` to `/projects/{id}/tags`. */
export const getPathTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/** The parameters in a route's path. */
export const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The area of a route as a label: `pipelineSchedules` is `Pipeline schedules`. */
export function getOperationTag({ area = 'other' }: RestRoute): string {
  return capital(area.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

const formatRole = (role: string) => (role === 'admin' ? 'administrators only' : capital(role));

/** The role required in a private container, and the role required for the caller's own records. */
function roleDemand(route: RestRoute): string | null {
  const role = leastRole(route);
  if (!role) return null;
  const own = leastRole(route, { own: true });
  const exception = own && own !== role ? `; for the record's own owner or author ${formatRole(own)}` : '';
  return `Least role in a private project or group: ${formatRole(role)}${exception}.`;
}

/** What several parameters must be like together. */
function togetherDemand({ kind, names }: ParamRule): string {
  const listed = names.map((name) => `\`${name}\``).join(', ');
  if (kind === 'unless') return `Takes one of ${listed}.`;
  if (kind === 'together') return `Takes all or none of ${listed}.`;
  if (kind === 'one') return `Takes one of ${listed}.`;
  return kind === 'any' ? `Needs at least one of ${listed}.` : `Takes at most one of ${listed}.`;
}

/** The requirements of a declaration for caller, token and instance, in sentences. */
function demands(route: RestRoute): string {
  const { operation } = route;
  const role = roleDemand(route);
  const lines = [
    `Token scope: ${operation.scopes.map((scope) => `\`${scope}\``).join(' or ')}.`,
    needsCredential(operation) ? 'Needs a credential.' : 'Without a credential: what everybody may see.',
  ];
  if (operation.ability) lines.push(`Ability: \`${operation.ability}\`.`);
  if (role) lines.push(role);
  if (operation.plan && operation.plan !== 'free') lines.push(`Plan: ${capital(operation.plan)} or above.`);
  if (operation.offerings) lines.push(`Offered on: ${operation.offerings.join(', ')}.`);
  lines.push(...operation.rules.map(togetherDemand));
  return lines.join(' ');
}

function parameter(where: 'path' | 'query', name: string, field: z.ZodType, example?: unknown): Json {
  const { description, deprecated, examples: _declared, ...schema } = paramSchema(field);
  const nested = schema.type === 'object' || schema.type === 'array';
  return {
    name: where === 'query' && schema.type === 'array' ? `${name}[]` : name,
    in: where,
    required: where === 'path' || isRequired(field),
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    schema: example === undefined ? schema : { ...schema, examples: [example] },
    ...(where === 'query' && nested ? { style: schema.type === 'object' ? 'deepObject' : 'form', explode: true } : {}),
  };
}

const sharedParameter = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

/** Names of the pagination parameters of a route. */
function pagingParameters(route: RestRoute): string[] {
  if (!isPaged(route)) return [];
  return [...Object.keys(pageFields), ...(route.options.paginate === 'keyset' ? Object.keys(keysetFields) : [])];
}

/** `components.parameters`: the pagination parameters. */
export const sharedParameters: Json = Object.fromEntries(
  Object.entries({ ...pageFields, ...keysetFields }).map(([name, field]) => [
    name,
    parameter('query', name, field, declaredExample(field)),
  ]),
);

/** The body of a route, one schema for every form that it may come in. Multipart is for files. */
function requestBody(
  { operation }: RestRoute,
  fields: [string, z.ZodType][],
  exampleValues: Json,
  schemas: SchemaRegistry,
): Json {
  const required = fields.filter(([, field]) => isRequired(field)).map(([name]) => name);
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, paramSchema(field)]));
  const schema = schemas.register(`${capital(operation.name)}Body`, {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
  });
  const types = ['application/json', 'application/x-www-form-urlencoded'];
  if (Object.values(properties).some(isUpload)) types.push('multipart/form-data');
  const example = Object.fromEntries(Object.entries(exampleValues).filter(([name]) => name in properties));
  return {
    required: required.length > 0,
    // The example appears once: the forms differ in notation, not in content.
    content: Object.fromEntries(types.map((type, at) => [type, at === 0 ? { schema, example } : { schema }])),
  };
}

/** The inputs of a route: path parameters, and the others in the query or the body, depending on its method. */
function inputs(route: RestRoute, schemas: SchemaRegistry): Json {
  const inPath = pathNames(route.path);
  const fields = Object.entries(route.operation.params.shape) as [string, z.ZodType][];
  const byName = new Map(fields);
  const exampleValues = buildExample(route);
  const rest = fields.filter(([name]) => !inPath.includes(name));
  const parameters = inPath.map((name) => {
    const field = byName.get(name);
    if (!field) throw new Error(`${route.method} ${route.path}: its operation does not declare ${name}.`);
    return parameter('path', name, field, exampleValues[name]);
  });
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  if (!hasBody) parameters.push(...rest.map(([name, field]) => parameter('query', name, field, exampleValues[name])));
  parameters.push(
    ...pagingParameters(route)
      .filter((name) => !byName.has(name))
      .map(sharedParameter),
  );
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody && rest.length > 0 ? { requestBody: requestBody(route, rest, exampleValues, schemas) } : {}),
  };
}

/** Any of these; changes by a session also need its CSRF token. */
const getCredentials = ({ method }: RestRoute): Json[] => [
  { privateToken: [] },
  { bearer: [] },
  { privateTokenParameter: [] },
  { session: [], ...(method === 'GET' ? {} : { csrfToken: [] }) },
];

/** The OpenAPI operation of a bound route. */
export function describeRoute(route: RestRoute, schemas: SchemaRegistry): Json {
  const { operation } = route;
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: demands(route),
    tags: [getOperationTag(route)],
    // An empty requirement means that no credential is needed.
    security: needsCredential(operation) ? getCredentials(route) : [{}, ...getCredentials(route)],
    ...inputs(route, schemas),
    responses: getResponses(route, schemas),
  };
}
