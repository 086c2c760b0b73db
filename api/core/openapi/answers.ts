import { ANONYMOUS, UserCaller } from '../../../shared/core/context/callers.js';
import type { UserOrAnonymous } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Services } from '../../../shared/core/context/context.js';
import type { Serializer } from '../../../shared/core/operations/serializer.js';
import type { RestRoute } from '../routes.js';
import type { Json, SchemaRegistry } from './schemas.js';

const response = (name: string) => ({ $ref: `#/components/responses/${name}` });
const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

const ERRORS: Record<string, { status: number; description: string; body?: Json; headers?: Json }> = {
  BadRequest: {
    status: 400,
    description: 'A parameter is missing or malformed, or a value violates a validation rule.',
  },
  Unauthorized: {
    status: 401,
    description: 'A required credential is missing, or the credential is unknown, expired or revoked.',
  },
  Forbidden: {
    status: 403,
    description: 'The role of the caller, or the scope of the token, does not allow the operation.',
  },
  NotFound: { status: 404, description: 'The resource does not exist, or is not visible to the caller.' },
  NotAllowed: {
    status: 405,
    description: 'The list does not support this kind of pagination, or not this far into the list.',
  },
  Conflict: { status: 409, description: 'The state of the record does not allow the operation.' },
  PreconditionFailed: { status: 412, description: 'The resource has changed since the time in `If-Unmodified-Since`.' },
  TooLarge: { status: 413, description: 'The request body is larger than the API accepts.' },
  UnsupportedType: { status: 415, description: 'The media type of the request body is not supported.' },
  Unprocessable: { status: 422, description: 'A value violates a validation rule.' },
  TooManyRequests: {
    status: 429,
    description: 'Too many requests; `Retry-After` indicates when to retry.',
    headers: {
      'Retry-After': { schema: { type: 'integer' }, description: 'Number of seconds to wait before the next request.' },
    },
  },
};

/** `components.responses`: every error that operations share. */
export const errorResponses: Json = Object.fromEntries(
  Object.entries(ERRORS).map(([name, { description, headers }]) => [
    name,
    {
      description,
      ...(headers ? { headers } : {}),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]),
);

/** The one form of error bodies: `message` or `error`, never another key (rest-conventions.md section 5). */
export const errorSchema: Json = {
  type: 'object',
  description: 'Error, described in `message` or in `error`.',
  properties: {
    message: {
      description: 'Text, list of texts, or violated validation rules by field.',
      anyOf: [
        { type: 'string' },
        { type: 'array', items: { type: 'string' } },
        { type: 'object', additionalProperties: true },
      ],
    },
    error: { type: 'string' },
    error_description: { type: 'string' },
    scope: { type: 'string', description: 'Scopes of which the token requires one.' },
  },
  anyOf: [{ required: ['message'] }, { required: ['error'] }],
};

/** `components.headers`: pagination headers of lists (rest-conventions.md section 7). */
export const pagingHeaders: Json = {
  Link: { description: 'URLs of the pages `prev`, `next`, `first` and `last`.', schema: { type: 'string' } },
  'X-Page': { description: 'Number of the current page.', schema: { type: 'string' } },
  'X-Per-Page': { description: 'Number of items per page.', schema: { type: 'string' } },
  'X-Next-Page': { description: 'Number of the next page, or empty.', schema: { type: 'string' } },
  'X-Prev-Page': { description: 'Number of the previous page, or empty.', schema: { type: 'string' } },
  'X-Total': {
    description: 'Total number of items; omitted above 10,000, or above 1,000 where counting is slow.',
    schema: { type: 'string' },
  },
  'X-Total-Pages': {
    description: 'Total number of pages; omitted where `X-Total` is omitted.',
    schema: { type: 'string' },
  },
};

/** Whether a route answers a list in pages. */
export const isPaged = ({ options: { paginate } }: RestRoute): boolean =>
  paginate === 'offset' || paginate === 'keyset';

/** The errors that a route can answer with, by what it declares. */
function getErrors(route: RestRoute): string[] {
  const { method, operation } = route;
  const names = ['Unauthorized', 'Forbidden', 'TooManyRequests'];
  if (Object.keys(operation.params.shape).length > 0 || isPaged(route)) names.push('BadRequest');
  if (route.path.includes(':') || operation.offerings) names.push('NotFound');
  if (operation.conditional && method === 'DELETE') names.push('PreconditionFailed');
  if (isPaged(route)) names.push('NotAllowed');
  if (operation.kind === 'write') names.push('Conflict', 'TooLarge', 'UnsupportedType', 'Unprocessable');
  return names;
}

/** A context for asking a route for its serializer, which reads only the caller. */
const getContext = (caller: UserOrAnonymous) => new Context({} as Services, caller);

const PERSON = {
  id: 1,
  username: '',
  name: '',
  state: 'active',
  auditor: false,
  external: false,
  bot: false,
  namespace_id: null,
};

/** The serializers of a route, as declared or by caller: anonymous callers, users, administrators. */
function getSerializers({ options: { present, serializers } }: RestRoute): Serializer<never>[] {
  if (serializers) return [...serializers] as Serializer<never>[];
  if (typeof present !== 'function') return present ? [present as Serializer<never>] : [];
  const callers = [ANONYMOUS, new UserCaller({ ...PERSON, admin: false }), new UserCaller({ ...PERSON, admin: true })];
  return [...new Set(callers.map((caller) => present(getContext(caller)) as Serializer<never>))];
}

function bodySchema(route: RestRoute, schemas: SchemaRegistry): Json {
  if (route.options.schema) return route.options.schema;
  const references = getSerializers(route).map((serializer) => schemas.reference(serializer));
  const one = references.length > 1 ? { anyOf: references } : (references[0] ?? {});
  return route.options.paginate ? { type: 'array', items: one } : one;
}

const DESCRIPTIONS: Record<string, string> = {
  200: 'The request succeeded.',
  201: 'The resource was created.',
  202: 'The request was accepted for processing.',
  204: 'The request succeeded; the response has no body.',
};

function success(route: RestRoute, schemas: SchemaRegistry): [string, Json] {
  const { status, respond } = route.options;
  // Where the result decides, it decides between two kinds of success.
  const code = typeof status === 'function' ? '2XX' : String(status ?? 200);
  const described: Json = { description: DESCRIPTIONS[code] ?? 'The request succeeded.' };
  if (code === '204') return [code, described];
  if (isPaged(route))
    described.headers = Object.fromEntries(Object.keys(pagingHeaders).map((name) => [name, header(name)]));
  described.content =
    respond && !route.options.schema
      ? { '*/*': { schema: {} } }
      : { 'application/json': { schema: bodySchema(route, schemas) } };
  return [code, described];
}

/** `responses` of a route: its success with the serializer that it presents, and its errors. */
export function getResponses(route: RestRoute, schemas: SchemaRegistry): Json {
  const [code, answer] = success(route, schemas);
  const failures = getErrors(route).map((name) => [String(ERRORS[name]?.status), response(name)] as const);
  return Object.fromEntries([[code, answer], ...failures.sort(([one], [other]) => Number(one) - Number(other))]);
}
