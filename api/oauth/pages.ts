import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';

const STYLE = `:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:36rem;padding:48px 16px}
h1{font-size:1.4rem;margin:0 0 16px}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** No script runs, nothing is loaded, nobody frames it. */
function send(koa: KoaContext, title: string, main: string) {
  koa.set(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
  );
  koa.set('X-Frame-Options', 'DENY');
  koa.set('Referrer-Policy', 'no-referrer');
  koa.set('Content-Type', 'text/html; charset=utf-8');
  koa.body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escape(title)}</h1>${main}</main></body></html>`;
}

/** A request that cannot be answered to the application, since nobody knows whether it is one. */
export function problemPage(koa: KoaContext, text: string): void {
  send(koa, 'This request cannot be answered', `<p role="alert">${escape(text)}</p>`);
}
