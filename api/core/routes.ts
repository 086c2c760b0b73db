import type { Context as KoaContext } from 'koa';
import type { z } from 'zod';
import type { Caller } from '../../shared/core/context/callers.js';
import type { Context, Services } from '../../shared/core/context/context.js';
import type { List } from '../../shared/core/database/list.js';
import type { Operation } from '../../shared/core/operations/operation.js';
import type { Serializer } from '../../shared/core/operations/serializer.js';
import type { OffsetSource } from '../../shared/core/values/offset-source.js';
import type { ByContainer } from '../../shared/core/operations/container.js';
import type { ApiServices } from './services.js';

/** What every path of the REST API begins with. */
export const REST_BASE = '/api/v4';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a route presents of an operation's result: the records of a list, or the record itself. */
type Presented<R> =
  R extends List<infer T> ? T : R extends readonly (infer T)[] ? T : R extends OffsetSource<infer T> ? T : R;

interface RouteOptions<R> {
  /**
   * The serializer of the record, or of each record of a list; a function if it depends on caller and result (the API
   * description calls it without a result). Without a serializer the result is the body.
   */
  present?: Serializer<Presented<R>> | ((ctx: Context, result?: R) => Serializer<Presented<R>>);
  /** All serializers that `present` chooses between, where the result decides: the API's description names each. */
  serializers?: readonly Serializer<Presented<R>>[];
  /** JSON schema of an answer that is no record, such as `true`. */
  schema?: Record<string, unknown>;
  /** Lists: `offset`, `keyset` for those that offer both, or `none` for those that the contract answers whole. */
  paginate?: 'offset' | 'keyset' | 'none';
  /** 200 by default; 204 sends no body. */
  status?: number | ((result: R) => number);
  /** After the operation's transaction, waits for the result of a job, which replaces the operation's result. */
  settle?: (services: ApiServices, ctx: Context<Caller>, result: R) => Promise<R>;
  /** Headers that describe the result, in addition to the body. */
  headers?: (result: R) => Record<string, string>;
  /** Status of HEAD, if it differs from GET. */
  headStatus?: number;
  /** Writes the answer itself: raw content, streams, headers of its own. */
  respond?: (koa: KoaContext, ctx: Context<Caller>, result: R) => Promise<void> | void;
  /** Another path of a route that is described under its own. */
  alias?: true;
  /** Nothing can be written here yet: other methods are 404, as if the path were not there, and not 405. */
  readOnly?: true;
  /** Takes the credentials of clients of packages too: `Deploy-Token`, and `Authorization: Basic`. */
  packageCredentials?: true;
  /** Only refused requests count against the throttle; others have a limit of their own, by a token of another kind. */
  unthrottled?: true;
  /**
   * Headers that hold a parameter which neither query nor body has, by its name: the token of a program. Credentials of
   * users are ignored then.
   */
  headerParams?: Readonly<Record<string, string>>;
  /** Bytes that uploaded files may have together, where the operation takes some; 0 is unlimited. */
  uploadLimit?: (services: Services) => number;
}

/** One bound endpoint. */
export interface RestRoute {
  method: Method;
  /** Below `/api/v4`, with `:parameters`, each one segment. */
  path: string;
  operation: Operation<unknown, z.ZodRawShape, unknown>;
  options: RouteOptions<unknown>;
  /** The name of its area in the list of areas. */
  area?: string;
}

type Bind = <S, P extends z.ZodRawShape, R>(
  path: string,
  operation: Operation<S, P, R>,
  options?: RouteOptions<R>,
) => RestRoute;

const bind =
  (method: Method): Bind =>
  (path, operation, options = {}) =>
    ({ method, path, operation, options }) as RestRoute;

export const get = bind('GET');
export const post = bind('POST');
export const put = bind('PUT');
export const patch = bind('PATCH');
/** `delete` is a word of the language. */
export const del = bind('DELETE');

/** Binds the operations of one area below a common path. */
export function routes(base: string, list: RestRoute[]): RestRoute[] {
  return list.map((route) => ({ ...route, path: base + (route.path === '/' ? '' : route.path) }));
}

/** Routes that are other paths of routes which are described under their own. */
export const aliases = (list: readonly RestRoute[]): RestRoute[] =>
  list.map((route) => ({ ...route, options: { ...route.options, alias: true } }));

/**
 * Binds routes that are declared once for both kinds of containers: below `/projects/:id` and below `/groups/:id`.
 * @param below the common path below the container, such as `/members`
 * @param bind creates the routes from one kind's operations
 */
export function containerRoutes<T>(
  below: string,
  operations: ByContainer<T>,
  bind: (operations: T) => RestRoute[],
): RestRoute[] {
  return [
    ...routes(`/projects/:id${below}`, bind(operations.project)),
    ...routes(`/groups/:id${below}`, bind(operations.group)),
  ];
}

/**
 * The REST API of a domain. Its registry defines it, and `api/domains.ts` lists the domains. What GraphQL serves is found
 * by the names of its files, `<area>/<name>.graphql.ts`.
 */
export interface ApiDomain {
  /** Routes by area; the areas' names are tags in the API's description. */
  readonly areas: Readonly<Record<string, readonly RestRoute[]>>;
}
