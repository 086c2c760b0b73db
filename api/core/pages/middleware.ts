import type { Context as KoaContext, Middleware } from 'koa';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import type { ApiServices } from '../services.js';
import { ownerOfSession } from '../credentials/session-cookie.js';
import type { PageDelivery } from './delivery.js';
import { WEB_BASE, isPageRequest } from './files.js';

/** Everything is loaded from this service, and inline scripts and styles are not executed or applied. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The explorer alone: its editor writes styles, works in workers, and has marks in `data:` (decision 71). */
const EXPLORER_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:")
  .concat("; font-src 'self'; worker-src 'self'");

const EXPLORER = '/-/graphql-explorer';

/** Headers of a page for the browser. */
const PAGE_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Addresses of pages, such as an application's consent request, are not sent to other sites.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

const isRead = ({ method }: KoaContext) => method === 'GET' || method === 'HEAD';

async function sendPage(koa: KoaContext, delivery: PageDelivery, name: 'index' | 'explorer', status: number) {
  const { bytes, type, policy } = await delivery.document(koa, name, name === 'index' ? POLICY : EXPLORER_POLICY);
  koa.status = status;
  koa.body = bytes;
  // The files that the document references change with each build, so it is not cached.
  koa.set({ ...PAGE_HEADERS, 'Content-Security-Policy': policy, 'Cache-Control': 'no-store', 'Content-Type': type });
}

/** Below it are pages about the instance. */
const ADMIN = '/admin/';

const GROUPS = '/groups/';

/** The resource of a page with a full path: `/groups/:path+…` a group, `/:path+` any, `/:path+…` a project. */
function targetOfPage(page: string, path: string): { kind: 'project' | 'group' | 'any'; path: string } | null {
  if (!page.includes(':path+')) return null;
  const ofGroup = page.startsWith(GROUPS);
  const below = path.slice(ofGroup ? GROUPS.length : 1);
  // The part behind `/-/` would be a nonexistent page, unless the pattern contains it.
  const [name = ''] = page.includes('/-/') ? below.split('/-/') : [below];
  if (ofGroup) return { kind: 'group', path: name };
  return page === '/:path+' ? { kind: 'any', path: name } : { kind: 'project', path: name.replace(/\/edit$/, '') };
}

/**
 * Whether a page exists for the caller: pages about the instance do not exist for users without access to them
 * (jobs-admin.md section 5), nor do those of a project, group or user that is hidden from the caller. For the former,
 * anonymous callers get the document, which contains nothing else and asks them to sign in.
 */
async function isThereFor(services: ApiServices, koa: KoaContext, page: string): Promise<boolean> {
  const target = targetOfPage(page, koa.path);
  const ofInstance = koa.path === ADMIN.slice(0, -1) || koa.path.startsWith(ADMIN);
  if (!target && !ofInstance) return true;
  const caller = await ownerOfSession(services, koa);
  if (target)
    return services.knowsPath(new Context(services, caller, koa.state.origin as Origin), target.kind, target.path);
  return caller.user === null || caller.user.admin || caller.user.auditor;
}

/**
 * Serves the files of the pages below `/-/web/`, and their document at every address of a page; JSON requests at these
 * addresses are passed on.
 */
export function pagesMiddleware(services: ApiServices, delivery: PageDelivery): Middleware {
  return async (koa, next) => {
    if (!isRead(koa)) return next();
    if (koa.path.startsWith(WEB_BASE) && (await delivery.sendFile(koa))) {
      koa.state.pattern = `${WEB_BASE}*`;
      return;
    }
    if (koa.path === EXPLORER && koa.accepts('html', 'json') === 'html') {
      koa.state.pattern = EXPLORER;
      return sendPage(koa, delivery, 'explorer', 200);
    }
    const page = (await delivery.addresses()).find(({ pattern }) => pattern.test(koa.path))?.path;
    const isPage = page !== undefined && koa.accepts('html', 'json') === 'html';
    if (!isPage || !(await isThereFor(services, koa, page))) return next();
    koa.state.pattern = page;
    await sendPage(koa, delivery, 'index', 200);
  };
}

/** Requests that no route serves: a browser gets the document with status 404, which displays the error. */
export function noPageMiddleware(delivery: PageDelivery): Middleware {
  return async (koa, next) => {
    if (!isRead(koa) || !isPageRequest(koa)) return next();
    await sendPage(koa, delivery, 'index', 404);
  };
}
