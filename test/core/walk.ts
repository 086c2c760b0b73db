import type { z } from 'zod';
import { allRoutes } from '../../api/domains.js';
import { isRequired, paramSchema } from '../../api/core/openapi/schemas.js';
import type { Json } from '../../api/core/openapi/schemas.js';
import { pathNames } from '../../api/core/openapi/operations.js';
import type { RestRoute } from '../../api/core/routes.js';
import type { Answer, Client } from './client.js';
import { chosenParams, getName, paramExample, pathExample } from './examples.js';
import type { Sandbox } from './sandbox.js';

/** The maximum duration of a walk over all routes on a busy machine; between its results it prints nothing. */
export const WALK_MS = 600_000;

export { getName as nameOf };

/** Whether a route looks at the credentials of users: not where the token of a program is a parameter. */
export const takesUsers = ({ options }: RestRoute): boolean => options.headerParams === undefined;

/** A request to a bound route, before it is sent. */
export interface WalkRequest {
  route: RestRoute;
  path: Record<string, string>;
  params: Record<string, unknown>;
}

/** Whether the body is the raw file: the parameters are then part of the query. */
const takesRawFile = ({ operation }: RestRoute): boolean => operation.upload?.raw === true;

/** Declared parameters of a route, without those of its path, and without a file that is the body itself. */
export function ownFields(route: RestRoute): [string, z.ZodType][] {
  const inPath = new Set(pathNames(route.path));
  if (takesRawFile(route)) inPath.add(route.operation.upload?.param ?? '');
  return (Object.entries(route.operation.params.shape) as [string, z.ZodType][]).filter(([name]) => !inPath.has(name));
}

/** A value of a parameter's declared type. */
function typicalValue(schema: Json, name: string): unknown {
  const [type] = [schema.type].flat();
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.format === 'date') return '2031-01-01';
  if (schema.format === 'date-time') return '2031-01-01T00:00:00Z';
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'array') return schema.items ? [typicalValue(schema.items as Json, name)] : [];
  if (type === 'object') {
    const properties = (schema.properties ?? {}) as Record<string, Json>;
    const required = (schema.required ?? []) as string[];
    return Object.fromEntries(required.map((key) => [key, typicalValue(properties[key] ?? {}, key)]));
  }
  return `example ${name}`;
}

/** The request that a route should answer with success: fresh records in its path, every required parameter. */
export async function exampleRequest(sandbox: Sandbox, route: RestRoute): Promise<WalkRequest> {
  const params: Record<string, unknown> = {};
  const chosen = chosenParams(route);
  for (const [name, field] of ownFields(route)) {
    if (!isRequired(field) && !chosen.includes(name)) continue;
    params[name] =
      (await paramExample(sandbox, route, name)) ??
      (route.operation.upload?.param === name ? new Blob(['example']) : typicalValue(paramSchema(field), name));
  }
  return { route, path: await pathExample(sandbox, route), params };
}

const usesQuery = (route: RestRoute) => route.method === 'GET' || route.method === 'DELETE';

/** Parameters as pairs of a key and a text, or a file: `a[]`, `a[b]` where there are several below one name. */
function getPairs(params: Record<string, unknown>): [string, string | Blob][] {
  const of = (key: string, value: unknown): [string, string | Blob][] => {
    if (value instanceof Blob) return [[key, value]];
    if (Array.isArray(value)) return value.flatMap((item) => of(`${key}[]`, item));
    if (value !== null && typeof value === 'object')
      return Object.entries(value).flatMap(([inner, child]) => of(`${key}[${inner}]`, child));
    return [[key, String(value ?? '')]];
  };
  return Object.entries(params).flatMap(([name, value]) => of(name, value));
}

function getQuery(params: Record<string, unknown>): string {
  const encoded = (key: string) =>
    key.split(/([[\]])/).map((part) => (/[[\]]/.test(part) ? part : encodeURIComponent(part)));
  const pairs = getPairs(params).map(([key, value]) => `${encoded(key).join('')}=${encodeURIComponent(String(value))}`);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** The form of an operation that takes a file. */
function getForm(params: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [key, value] of getPairs(params)) form.append(key, value);
  return form;
}

/** The path of a request below `/api/v4`, each parameter encoded as one segment. */
export function getPath({ route, path }: WalkRequest): string {
  return route.path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(path[name] ?? ''));
}

/** Sends a request; parameters go into the query of GET and DELETE, else into a JSON body, or a form that has a file. */
export function send(client: Client, request: WalkRequest): Promise<Answer> {
  const { route, params } = request;
  const { upload } = route.operation;
  if (upload && !upload.raw) return client.raw(route.method, `/api/v4${getPath(request)}`, getForm(params));
  if (takesRawFile(route))
    return client.raw(
      route.method,
      `/api/v4${getPath(request)}${getQuery(params)}`,
      'a file',
      'application/octet-stream',
    );
  return usesQuery(route)
    ? client.request(route.method, getPath(request) + getQuery(params))
    : client.request(route.method, getPath(request), params);
}

const STATUSES = new Set([400, 401, 403, 404, 405, 406, 409, 412, 413, 414, 415, 422, 429]);
const KEYS = new Set(['message', 'error', 'error_description', 'scope']);

/**
 * The violation of the contract's format for refusals (rest-conventions.md sections 2, 3, 5 and 9), or null. Successful
 * responses are never violations.
 */
export function badForm({ status, headers, body, text }: Answer): string | null {
  if (status < 400) return null;
  if (!STATUSES.has(status)) return `status ${status}: ${text.slice(0, 200)}`;
  if (headers.get('content-type') !== 'application/json') return `type ${headers.get('content-type')}`;
  if (body === null || typeof body !== 'object') return `body ${text.slice(0, 200)}`;
  const { message, error } = body as { message?: unknown; error?: unknown };
  if (message === undefined && error === undefined) return `neither message nor error: ${text.slice(0, 200)}`;
  const strange = Object.keys(body as object).filter((key) => !KEYS.has(key));
  if (strange.length > 0) return `keys ${strange.join(', ')}`;
  const number = typeof message === 'string' && /^\d{3}\b/.exec(message)?.[0];
  return number && number !== String(status) ? `${status} says ${text.slice(0, 200)}` : null;
}

/** `401 {"message":"…"}`, for reporting an unexpected response. */
export const describeAnswer = ({ status, text }: Answer): string => `${status} ${text.slice(0, 300)}`;

/** After so many changes a sandbox is left: some records may only be so many in a project. */
const CHANGES = 3;

const collections = new Set(allRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path));

/** Whether a route may leave its project or group other than it was: it neither makes nor changes a part of it. */
const changesContainer = ({ method, path }: RestRoute) =>
  pathNames(path).length < 2 && !(method === 'POST' && collections.has(path));

/**
 * One of several concurrent walkers, each in a separate sandbox whose records are reused until a request changes them.
 */
export class Walker {
  #sandbox: Sandbox | null = null;
  #changes = 0;

  constructor(private readonly makeSandbox: () => Promise<Sandbox>) {}

  async sandbox(): Promise<Sandbox> {
    this.#sandbox ??= await this.makeSandbox();
    return this.#sandbox;
  }

  async example(route: RestRoute): Promise<WalkRequest> {
    return exampleRequest(await this.sandbox(), route);
  }

  /** Sends a request. If it changed data, later examples use new records. */
  async send(client: Client, request: WalkRequest): Promise<Answer> {
    const answer = await send(client, request);
    if (answer.status < 300 && request.route.operation.kind === 'write') {
      this.#changes += 1;
      this.#sandbox?.forget();
      if (this.#changes % CHANGES === 0 || changesContainer(request.route)) this.#sandbox = null;
    }
    return answer;
  }
}

/** Has a few walkers go over the routes at once, and gathers what `work` objects to. */
export async function walkRoutes(
  routes: readonly RestRoute[],
  makeSandbox: () => Promise<Sandbox>,
  work: (route: RestRoute, walker: Walker) => Promise<readonly (string | null)[]>,
  walkers = 3,
): Promise<string[]> {
  const problems: string[] = [];
  const waiting = [...routes];
  const walk = async () => {
    const walker = new Walker(makeSandbox);
    for (let route = waiting.shift(); route; route = waiting.shift())
      problems.push(...(await work(route, walker)).filter((problem) => problem !== null));
  };
  await Promise.all(Array.from({ length: walkers }, walk));
  return problems.sort();
}

/** Whether a route lies in a project or group, so that strangers must not know it. */
export function getContainer(route: RestRoute): 'Project' | 'Group' | null {
  // Only administrators have access to these: other callers receive 403, or the differently worded message that there
  // is no container.
  if (route.path.includes('/custom_attributes')) return null;
  if (/^\/projects\/:id(\/|$)/.test(route.path)) return 'Project';
  return /^\/groups\/:id(\/|$)/.test(route.path) ? 'Group' : null;
}
