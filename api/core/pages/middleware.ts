import type { Context as KoaContext, Middleware } from 'koa';
import { sendStatic } from '../static-answer.js';
import type { StaticAnswer } from '../static-answer.js';
import { readWebFiles, WEB_BASE } from './files.js';
import type { WebFile } from './files.js';

/** Everything comes from this service, and nothing is run or styled by what stands in the document itself. */
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

/** What a browser is told of a page besides its content. */
const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Addresses of pages, such as an application's request for consent, are told to nobody else.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

const isRead = ({ method }: KoaContext) => method === 'GET' || method === 'HEAD';

/** Whether somebody looks here with a browser: only those name HTML. */
const wantsPage = (koa: KoaContext) => /\btext\/html\b/.test(koa.get('accept')) && !koa.path.startsWith('/api/');

/** The form of a file that the client reads and that is smallest; headers say which it is. */
function formOf(koa: KoaContext, { plain, packed }: WebFile): StaticAnswer {
  koa.vary('Accept-Encoding');
  const encoding = koa.acceptsEncodings(...packed.map(([name]) => name), 'identity');
  const [, chosen] = packed.find(([name]) => name === encoding) ?? [];
  if (chosen) koa.set('Content-Encoding', encoding as string);
  return chosen ?? plain;
}

/**
 * Serves the pages: the bundle's files below `/-/web/`, and the document at every path that shows a page. A browser
 * that looks at any other path gets the same document with 404, which says so in words.
 */
export function pagesMiddleware(): Middleware {
  const { index, files, pages } = readWebFiles();
  const sendPage = (koa: KoaContext, status: number) => {
    const { bytes, type } = formOf(koa, index);
    koa.status = status;
    koa.body = bytes;
    // What the document names changes with each build, so nobody keeps it.
    koa.set({ ...PAGE_HEADERS, 'Cache-Control': 'no-store', 'Content-Type': type });
  };
  return async (koa, next) => {
    if (!isRead(koa)) return next();
    if (pages.has(koa.path)) return sendPage(koa, 200);
    const file = koa.path.startsWith(WEB_BASE) ? files.get(koa.path.slice(WEB_BASE.length)) : undefined;
    if (file) {
      sendStatic(koa, formOf(koa, file));
      if (file.immutable) koa.set('Cache-Control', 'public, max-age=31536000, immutable');
      return;
    }
    if (koa.path.startsWith(WEB_BASE) || !wantsPage(koa)) return next();
    sendPage(koa, 404);
  };
}
