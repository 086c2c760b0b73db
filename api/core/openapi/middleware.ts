import type { Middleware } from 'koa';
import { REST_BASE } from '../routes.js';
import type { RestRoute } from '../routes.js';
import { openApiDocument } from './document.js';
import { sendStatic, staticForms } from '../server/static-answer.js';
import type { StaticForms } from '../server/static-answer.js';

const DOCUMENT_PATH = `${REST_BASE}/openapi.json`;

/**
 * Serves the description of the bound routes at `/api/v4/openapi.json` to everybody, also to the page `/-/api-docs`.
 * The document is made and compressed once, when first asked for.
 */
export function openApiMiddleware(routes: readonly RestRoute[]): Middleware {
  let document: Promise<StaticForms> | undefined;
  return async (koa, next) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return next();
    if (koa.path === DOCUMENT_PATH) {
      koa.state.pattern = DOCUMENT_PATH;
      document ??= staticForms('application/json', JSON.stringify(openApiDocument(routes)));
      return sendStatic(koa, await document);
    }
    await next();
  };
}
