import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Middleware } from 'koa';
import { sendWebFile } from '../../core/pages/files.js';
import type { WebFile } from '../../core/pages/files.js';
import { staticAnswer } from '../../core/server/static-answer.js';
import type { RestRoute } from '../../core/routes.js';
import type { GraphqlEngine } from '../../core/graphql/requests/engine.js';

const TYPE = 'application/json';

const packed = promisify(gzip);

async function fileOf(value: unknown): Promise<WebFile> {
  const text = JSON.stringify(value);
  const bytes = await packed(text, { level: 9 });
  return { plain: staticAnswer(TYPE, text), packed: [['gzip', staticAnswer(TYPE, bytes)]], immutable: false };
}

/**
 * What the pages beside `/-/api-docs` are made of, by path: the whole introspection of the GraphQL schema,
 * deprecations, limits and plans, and what settings may be set to. The same for everybody; nothing in it tells which version runs.
 */
function documents(
  routes: readonly RestRoute[],
  load: () => Promise<GraphqlEngine>,
): Record<string, () => Promise<WebFile>> {
  // Loaded when asked for, like the engine: a process that serves REST alone needs neither.
  const contents = () => import('./contents.js');
  return {
    '/-/api-docs/graphql.json': async () => {
      const [{ schemaContents }, { schema }] = await Promise.all([contents(), load()]);
      return fileOf(schemaContents(schema));
    },
    '/-/api-docs/facts.json': async () => {
      const [{ factContents }, { schema }] = await Promise.all([contents(), load()]);
      return fileOf(factContents(routes, schema));
    },
    '/-/api-docs/settings.json': async () => {
      const { settingsContents } = await import('./settings.js');
      return fileOf(settingsContents(routes));
    },
  };
}

/** Serves them. Each is made once, when first asked for, and kept packed as well. */
export function apiReferenceMiddleware(routes: readonly RestRoute[], load: () => Promise<GraphqlEngine>): Middleware {
  const makers = documents(routes, load);
  const made = new Map<string, Promise<WebFile>>();
  return async (koa, next) => {
    const make = makers[koa.path];
    if (!make || (koa.method !== 'GET' && koa.method !== 'HEAD')) return next();
    koa.state.pattern = koa.path;
    const file = made.get(koa.path) ?? make();
    made.set(koa.path, file);
    try {
      sendWebFile(koa, await file);
    } catch (error) {
      made.delete(koa.path);
      throw error;
    }
  };
}
