import type { Middleware } from 'koa';
import { sendStatic, staticForms } from '../../core/server/static-answer.js';
import type { StaticForms } from '../../core/server/static-answer.js';
import type { RestRoute } from '../../core/routes.js';
import type { GraphqlEngine } from '../../core/graphql/requests/engine.js';

const TYPE = 'application/json';

const getFile = (value: unknown): Promise<StaticForms> => staticForms(TYPE, JSON.stringify(value));

/**
 * The contents of the pages next to `/-/api-docs`, by path: the whole introspection of the GraphQL schema,
 * deprecations, limits and plans, and the values that settings accept. The same for all callers; none of it reveals the
 * running version.
 */
function documents(
  routes: readonly RestRoute[],
  load: () => Promise<GraphqlEngine>,
): Record<string, () => Promise<StaticForms>> {
  // Loaded on the first request, like the engine: a process that serves REST alone needs neither.
  const contents = () => import('./contents.js');
  return {
    '/-/api-docs/graphql.json': async () => {
      const [{ schemaContents }, { schema }] = await Promise.all([contents(), load()]);
      return getFile(schemaContents(schema));
    },
    '/-/api-docs/contents.json': async () => {
      const [{ referenceContents }, { schema }] = await Promise.all([contents(), load()]);
      return getFile(referenceContents(routes, schema));
    },
    '/-/api-docs/settings.json': async () => {
      const { settingsContents } = await import('./settings.js');
      return getFile(settingsContents(routes));
    },
  };
}

/** Serves the documents. Each is generated on its first request, and cached in compressed form as well. */
export function apiReferenceMiddleware(routes: readonly RestRoute[], load: () => Promise<GraphqlEngine>): Middleware {
  const makers = documents(routes, load);
  const files = new Map<string, Promise<StaticForms>>();
  return async (koa, next) => {
    const make = makers[koa.path];
    if (!make || (koa.method !== 'GET' && koa.method !== 'HEAD')) return next();
    koa.state.pattern = koa.path;
    const file = files.get(koa.path) ?? make();
    files.set(koa.path, file);
    try {
      sendStatic(koa, await file);
    } catch (error) {
      files.delete(koa.path);
      throw error;
    }
  };
}
