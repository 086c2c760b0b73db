import Router from '@koa/router';
import type { Layer } from '@koa/router';
import { bindRoute } from './bound-route.js';
import type { BoundRoute } from './bound-route.js';
import { NoSuchRoute, WrongMethod } from './http-errors.js';
import { decodePercent } from './nested-params.js';
import type { RestRoute } from './routes.js';

export interface Match {
  route: BoundRoute;
  params: Record<string, string>;
}

/** The layers of a router, as its `match` finds them. */
type Found = Pick<ReturnType<Router['match']>, 'path' | 'pathAndMethod'>;

/** Literal segments before parameters, so that `/groups/import` is not taken for a group. */
function bySpecificity({ path: one }: RestRoute, { path: other }: RestRoute): number {
  const rank = (path: string) => path.replace(/\/:\w+/g, '/~');
  return rank(one) < rank(other) ? -1 : Number(rank(one) > rank(other));
}

/**
 * Finds the route of a request. Paths are matched raw: `%2F` stays inside its segment, and each parameter is
 * decoded once, after matching (rest-conventions.md section 1).
 *
 * A router tries its layers one after the other. So there is a small router for each (first, third) pair of
 * path segments, such as `projects/pipeline_schedules`, and a request tries only its own few.
 */
export class RouteTable {
  readonly #routers = new Map<string, Router>();
  readonly #routes = new Map<Layer, BoundRoute>();

  constructor(routes: readonly RestRoute[]) {
    for (const route of [...routes].sort(bySpecificity)) this.#add(bindRoute(route));
  }

  #add(route: BoundRoute) {
    const third = route.path.split('/', 4)[3];
    const key = third?.startsWith(':') ? tableKey(route.path, ANY) : tableKey(route.path);
    let router = this.#routers.get(key);
    if (!router) {
      router = new Router({ sensitive: true });
      this.#routers.set(key, router);
    }
    const methods = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
    // The layer only matches; what runs is found by it.
    const layer = router.register(route.path, methods, () => undefined);
    this.#routes.set(layer as Layer, route);
  }

  #find(method: string, path: string): Found {
    const [own, other] = [tableKey(path), tableKey(path, ANY)].map((key) =>
      this.#routers.get(key)?.match(path, method),
    );
    return own && own.path.length > 0 ? own : (other ?? { path: [], pathAndMethod: [] });
  }

  /** Whether a path is told of as absent to methods that it does not answer. */
  #isAbsent(found: Found): boolean {
    return found.path.every((layer) => this.#routes.get(layer as unknown as Layer)?.options.readOnly === true);
  }

  /** @throws NoSuchRoute, WrongMethod */
  match(method: string, path: string): Match {
    const found = this.#find(method, path);
    const layer = found.pathAndMethod[0] as unknown as Layer | undefined;
    if (!layer) throw this.#isAbsent(found) ? new NoSuchRoute() : new WrongMethod(methodsOf(found));
    return { route: this.#routes.get(layer) as BoundRoute, params: paramsOf(layer, path) };
  }

  /** The methods that a path answers, OPTIONS included. @throws NoSuchRoute */
  methodsOf(path: string): string[] {
    const found = this.#find('OPTIONS', path);
    if (found.path.length === 0) throw new NoSuchRoute();
    return methodsOf(found);
  }
}

function methodsOf(found: Found): string[] {
  return [...new Set(found.path.flatMap((layer) => layer.methods)), 'OPTIONS'];
}

function paramsOf(layer: Layer, path: string): Record<string, string> {
  const params: Record<string, string> = {};
  layer.captures(path).forEach((captured, index) => {
    params[layer.paramNames[index]?.name as string] = decodePercent(captured);
  });
  return params;
}

/** Stands for the third segment of the few routes that have a parameter there, such as `/projects/user/:user_id`. */
const ANY = ':';

/** The segments that hardly ever are parameters in this API: the first and, where there is one, the third. */
function tableKey(path: string, given?: string): string {
  const [, first, , third] = path.split('/', 4);
  return `${first ?? ''}/${given ?? third ?? ''}`;
}
