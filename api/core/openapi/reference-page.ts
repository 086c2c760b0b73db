import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Context as KoaContext } from 'koa';
import { sendStatic, staticAnswer } from '../static-answer.js';
import type { StaticAnswer } from '../static-answer.js';

export const REFERENCE_PAGE = '/-/api-docs';

/** Everything comes from this service; nothing is evaluated from text. Swagger UI sets styles on its elements. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Capstan REST API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${REFERENCE_PAGE}/swagger-ui.css">
<script defer src="${REFERENCE_PAGE}/swagger-ui-bundle.js"></script>
<script defer src="${REFERENCE_PAGE}/start.js"></script>
</head>
<body>
<main id="reference"><noscript>This page needs JavaScript. The description itself: <a href="/api/v4/openapi.json">openapi.json</a></noscript></main>
</body>
</html>
`;

/** A validator elsewhere on the net and a credential kept in the browser are what this page leaves out. */
const START = `SwaggerUIBundle({
  url: '/api/v4/openapi.json',
  domNode: document.getElementById('reference'),
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  validatorUrl: null,
  persistAuthorization: false,
});
`;

const packaged = (name: string) => readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)));

const FILES: Record<string, () => Promise<StaticAnswer>> = {
  '': async () => staticAnswer('text/html; charset=utf-8', PAGE),
  '/start.js': async () => staticAnswer('text/javascript; charset=utf-8', START),
  '/swagger-ui.css': async () => staticAnswer('text/css; charset=utf-8', await packaged('swagger-ui.css')),
  '/swagger-ui-bundle.js': async () =>
    staticAnswer('text/javascript; charset=utf-8', await packaged('swagger-ui-bundle.js')),
};

/** Read once, when somebody first asks. */
const read = new Map<string, Promise<StaticAnswer>>();

/** Answers the browsable reference and its files; false for any other path. */
export async function answerReferencePage(koa: KoaContext): Promise<boolean> {
  const name = koa.path.slice(REFERENCE_PAGE.length);
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!koa.path.startsWith(REFERENCE_PAGE) || !file) return false;
  let answer = read.get(name);
  if (!answer) {
    answer = file();
    read.set(name, answer);
  }
  koa.set('Content-Security-Policy', POLICY);
  koa.set('Referrer-Policy', 'no-referrer');
  sendStatic(koa, await answer);
  return true;
}
