import Router from '@koa/router';
import type { Layer } from '@koa/router';
import type { Method, Route } from './routes.js';
import { NoSuchRoute, WrongMethod } from './http-errors.js';

export interface Match {
  route: Route;
  params: Record<string, string>;
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
  readonly #routes = new Map<Layer, Route>();

  constructor(readonly routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  #add(route: Route) {
    const key = tableKey(route.path);
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

  /** @throws NoSuchRoute, WrongMethod */
  match(method: string, path: string): Match {
    const found = this.#routers.get(tableKey(path))?.match(path, method) ?? this.#none;
    const layer = found.pathAndMethod[0];
    if (layer) {
      const route = this.#routes.get(layer as unknown as Layer) as Route;
      return { route, params: layer.params(path, layer.captures(path)) };
    }
    if (found.path.length === 0) throw new NoSuchRoute();
    const allowed = new Set(found.path.flatMap((candidate) => candidate.methods));
    throw new WrongMethod([...allowed, 'OPTIONS'] as Method[]);
  }

  readonly #none = { path: [], pathAndMethod: [], route: false } as unknown as ReturnType<Router['match']>;
}

/** The segments that never are parameters in this API: the first and, where there is one, the third. */
function tableKey(path: string): string {
  const [, first, , third] = path.split('/', 4);
  return `${first ?? ''}/${third ?? ''}`;
}
