import type { Middleware } from 'koa';
import type { ApiServices } from '../../core/services.js';
import { seeOther, webMiddleware } from '../../core/web-routes.js';
import type { WebRoute } from '../../core/web-routes.js';

// Own pattern: `raw_url` of snippets and of their files.
const RAW =
  /^(?:\/(?<path>\w[\w.-]*(?:\/\w[\w.-]*)*))?\/-\/snippets\/(?<id>\d{1,15})\/raw(?:\/(?<ref>[^/]+)\/(?<file>.+))?$/;

/** Redirects to the content in the API, which checks read access. Ref and file path keep their encoding. */
const RAW_CONTENT: WebRoute = {
  methods: ['GET', 'HEAD'],
  path: RAW,
  handle(koa, _services, { path, id, ref, file }) {
    const of = path === undefined ? '' : `/projects/${path.replaceAll('/', '%2F')}`;
    const which = ref === undefined ? '' : `/files/${ref}/${file?.replaceAll('/', '%2F')}`;
    seeOther(koa, `/api/v4${of}/snippets/${id}${which}/raw`);
    return Promise.resolve();
  },
};

/** What `raw_url` of snippets leads to. */
export const snippetContentMiddleware = (services: ApiServices): Middleware => webMiddleware(services, [RAW_CONTENT]);
