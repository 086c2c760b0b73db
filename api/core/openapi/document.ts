import type { Middleware } from 'koa';
import { REST_BASE } from '../routes.js';
import type { RestRoute } from '../routes.js';
import { sendStatic, staticForms } from '../server/static-answer.js';
import type { StaticForms } from '../server/static-answer.js';
import { shareAlike } from './alike.js';
import { errorResponses, errorSchema, pagingHeaders } from './answers.js';
import { describeRoute, sharedParameters, getOperationTag, getPathTemplate } from './operations.js';
import { SchemaRegistry } from './schemas.js';
import type { Json } from './schemas.js';

const DESCRIPTION = `Parameters are one set, wherever they come from: path, query and body (JSON, form or multipart), the path
winning over the body and the body over the query. Ids of projects and groups may be their full paths, URL-encoded.

Lists come in pages: \`page\` and \`per_page\` ask for one, the \`Link\` and \`X-\` headers name the others.

What a caller may not see is answered as if it did not exist: 404.`;

const CREDENTIALS: Json = {
  privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'An access token.' },
  privateTokenParameter: { type: 'apiKey', in: 'query', name: 'private_token', description: 'An access token.' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'Access token, including one that an application obtained through OAuth.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '_service_session',
    description: 'Session cookie, set by signing in.',
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'CSRF token, required with a session for requests that change data; returned by `GET /-/session`.',
  },
};

function getPaths(routes: readonly RestRoute[], schemas: SchemaRegistry): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const item = (paths[getPathTemplate(route.path)] ??= {});
    item[route.method.toLowerCase()] = describeRoute(route, schemas);
  }
  return paths;
}

/**
 * The OpenAPI 3.1 document of the bound routes, from their declarations alone. It omits the version of this service:
 * the document is public, and the version is hidden from anonymous callers (operations.md section 3).
 */
export function openApiDocument(bound: readonly RestRoute[]): Json {
  const routes = bound.filter(({ options }) => !options.alias);
  const schemas = new SchemaRegistry();
  const paths = getPaths(routes, schemas);
  const shared = { parameters: { ...sharedParameters }, responses: { ...errorResponses } };
  shareAlike(paths, shared);
  const tags = [...new Set(routes.map(getOperationTag))].sort();
  return {
    openapi: '3.1.0',
    info: { title: 'Capstan REST API', version: 'v4', description: DESCRIPTION },
    servers: [{ url: REST_BASE }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: errorSchema, ...schemas.all() },
      ...shared,
      headers: pagingHeaders,
      securitySchemes: CREDENTIALS,
    },
  };
}

const DOCUMENT_PATH = `${REST_BASE}/openapi.json`;

/**
 * Serves the description of the bound routes at `/api/v4/openapi.json` to all callers, including the page
 * `/-/api-docs`. The document is generated and compressed once, on the first request.
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
