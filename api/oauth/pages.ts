import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#c8ccd2,#4a5058);--accent:light-dark(#1b5fb8,#8ab8f5)}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:36rem;padding:48px 16px}
h1{font-size:1.4rem;margin:0 0 16px}dt{font-weight:600}dd{margin:0 0 8px}
section{border:1px solid var(--line);border-radius:8px;padding:8px 16px;margin:16px 0}
button{font:inherit;font-weight:600;padding:8px 20px;margin-right:8px;border-radius:6px;border:1px solid var(--accent);
background:none;color:inherit;cursor:pointer}
button.primary{background:var(--accent);color:light-dark(#fff,#10151c)}
button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** No script runs, nothing is loaded, nobody frames it; a form leads here, and from here to the application. */
function send(koa: KoaContext, title: string, main: string, formTargets = "'none'") {
  koa.set(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'; form-action ${formTargets}`,
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

/** What somebody is asked to allow. */
export interface ConsentQuestion {
  uid: string;
  application: { name: string; confidential: boolean };
  scopes: { name: string; description: string }[];
  /** Where the browser goes afterwards: host, or scheme of the application's own. */
  redirect_host: string;
  user: { username: string; name: string };
  csrf_token: string;
}

/** Asks for consent, in a page that needs no script. */
export function consentPage(koa: KoaContext, question: ConsentQuestion, action: string, redirectSource: string): void {
  const { application, scopes, user, redirect_host: host, csrf_token: token } = question;
  const items = scopes.map(({ name, description }) => `<dt>${escape(name)}</dt><dd>${escape(description)}</dd>`);
  const main = `<p>You are signed in as <strong>${escape(user.name)}</strong> (@${escape(user.username)}).
If you allow it, <strong>${escape(application.name)}</strong> can do this in your name:</p>
<section aria-label="What is asked for"><dl>${items.join('')}</dl></section>
<p>Afterwards you are sent to <strong>${escape(host)}</strong>. Allow this only if you know and trust it.</p>
<form method="post" action="${escape(action)}"><input type="hidden" name="authenticity_token" value="${escape(token)}">
<button class="primary" name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button></form>`;
  // Browsers hold the redirect after a form to the same rule as the form.
  send(koa, `Allow ${application.name} to use your account?`, main, `'self' ${redirectSource}`);
}
