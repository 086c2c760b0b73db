import Router from '@koa/router';
import type { RouterMiddleware } from '@koa/router';
import type { Context as KoaContext, Next } from 'koa';
import { NoSuchRoute, WrongMethod } from '../http-errors.js';
import { sendNothing } from '../respond.js';
import { REST_BASE } from '../routes.js';
import type { RestRoute } from '../routes.js';
import type { ApiServices } from '../services.js';
import { bindRoute } from './bound-route.js';
import { restMiddlewares } from './rest-middlewares.js';
import type { RestContext, RestState } from './rest-middlewares.js';

/** Literal segments before parameters, so that `/groups/import` does not match as a group. */
function bySpecificity({ path: one }: RestRoute, { path: other }: RestRoute): number {
  const rank = (path: string) => path.replace(/\/:\w+/g, '/~');
  return rank(one) < rank(other) ? -1 : Number(rank(one) > rank(other));
}

/** The router of one area: `GET /projects/:id/notes` and the like, each with all that its requests pass through. */
function areaRouter(services: ApiServices, routes: readonly RestRoute[]): Router<RestState> {
  const router = new Router<RestState>({ prefix: REST_BASE, sensitive: true });
  for (const route of [...routes].sort(bySpecificity)) {
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[method](route.path, ...restMiddlewares(services, bindRoute(route)));
  }
  return router;
}

/** Represents a parameter in the keys of routers. */
const ANY = ':';

/** By which segments a path below {@link REST_BASE} finds its area: those that hardly ever are parameters. */
function getSegments(path: string): [first: string, third: string, fifth: string] {
  const [, first = '', , third = '', , fifth = ''] = path.split('/', 6);
  return [first, third, fifth];
}

const getKey = (first: string, third: string, fifth: string) => `${first}/${third}/${fifth}`;

/** What finds a request's routers, the most literal first. */
function getKeys(path: string): string[] {
  const [first, third, fifth] = getSegments(path);
  return [getKey(first, third, fifth), getKey(first, third, ANY), getKey(first, ANY, fifth), getKey(first, ANY, ANY)];
}

const anyOf = (segment: string) => (segment.startsWith(':') ? ANY : segment);

/**
 * Sends a request to the router of its area. A router tries its routes one after the other, so a request is matched
 * only against the few areas whose routes share its first, third and fifth segment. Paths are matched raw: `%2F` stays
 * inside its segment (rest-conventions.md section 1).
 */
export class AreaRouters {
  readonly #routers = new Map<string, RouterMiddleware<RestState>[]>();
  /** Paths with more than routes that are `readOnly`. */
  readonly #writable = new Set<string>();

  constructor(services: ApiServices, routes: readonly RestRoute[]) {
    for (const area of Map.groupBy(routes, (route) => route.area).values()) {
      const serve = areaRouter(services, area).routes() as RouterMiddleware<RestState>;
      for (const { path, options } of area) {
        const [first, third, fifth] = getSegments(path);
        const key = getKey(first, anyOf(third), anyOf(fifth));
        const routers = this.#routers.get(key) ?? [];
        if (!routers.includes(serve)) this.#routers.set(key, [...routers, serve]);
        if (!options.readOnly) this.#writable.add(REST_BASE + path);
      }
    }
  }

  /** @throws NoSuchRoute, WrongMethod, and the errors of the route */
  async serve(koa: KoaContext): Promise<void> {
    const request = koa as RestContext;
    const candidates = getKeys(koa.path.slice(REST_BASE.length)).flatMap((key) => this.#routers.get(key) ?? []);
    let tried = 0;
    const next: Next = async () => {
      const router = candidates[tried];
      tried += 1;
      await (router ? router(request, next) : this.#unmatched(request));
    };
    await next();
  }

  /** The path exists with other methods, or not at all. `OPTIONS` without a browser's question: what it answers. */
  #unmatched(koa: RestContext): void {
    const { matched = [], method } = koa;
    const options = method === 'OPTIONS';
    const readOnly = !matched.some(({ path }) => this.#writable.has(String(path)));
    if (matched.length === 0 || (readOnly && !options)) throw new NoSuchRoute();
    const allowed = [...new Set(matched.flatMap((layer) => layer.methods)), 'OPTIONS'];
    if (!options) throw new WrongMethod(allowed);
    koa.set('Allow', allowed.join(', '));
    sendNothing(koa);
  }
}
