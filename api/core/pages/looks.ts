import type { Context as KoaContext } from 'koa';
import { WEB_BASE } from './files.js';

/**
 * Whether a person looks at a page with a browser: only those ask for HTML by name, and before JSON. Below the API and
 * among the files of the bundle there are no pages.
 */
export function looksAtPage(koa: KoaContext): boolean {
  if (koa.path.startsWith('/api/') || koa.path.startsWith(WEB_BASE)) return false;
  return /\btext\/html\b/.test(koa.get('accept')) && koa.accepts('json', 'html') === 'html';
}
