import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Context as KoaContext } from 'koa';
import { builtPages } from './delivery.js';
import type { PageAddress, PageDelivery } from './delivery.js';

/*
 * Pages from their sources, for `npm run dev` alone: Vite in middleware mode, with hot reload. Vite belongs to the
 * packages that build the pages, which a service does not load.
 */

/** Sources of the pages. */
const ROOT = fileURLToPath(new URL('../../../../api/web/', import.meta.url));

/** Replaced in each answer by a nonce of its own. */
const NONCE = 'nonce-of-this-answer';

const NONCE_BYTES = 16;

/** What is used of Vite's server (https://vite.dev/guide/api-javascript). */
interface ViteServer {
  middlewares: (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  transformIndexHtml: (url: string, html: string) => Promise<string>;
  ssrLoadModule: (url: string) => Promise<Record<string, unknown>>;
  close: () => Promise<void>;
}

interface Vite {
  createServer: (options: object) => Promise<ViteServer>;
}

async function startVite(server: Server, cacheDir: string): Promise<ViteServer> {
  const entry = pathToFileURL(path.join(ROOT, 'node_modules', 'vite', 'dist', 'node', 'index.js'));
  const { createServer } = (await import(entry.href)) as Vite;
  return createServer({
    root: ROOT,
    configFile: path.join(ROOT, 'vite.config.mjs'),
    // Bundling it writes below node_modules, which the service's user may not.
    configLoader: 'native',
    cacheDir,
    appType: 'custom',
    clearScreen: false,
    logLevel: 'warn',
    html: { cspNonce: NONCE },
    // Every page at once: packages that are found later reload what is open.
    optimizeDeps: { entries: ['main.tsx'] },
    server: { middlewareMode: true, hmr: { server }, fs: { allow: [ROOT, cacheDir] } },
  });
}

/** The policy of a page that Vite serves: its scripts and styles by nonce, and its websocket. */
const withNonce = (policy: string, nonce: string): string =>
  policy.replaceAll(/(?:script|style)-src 'self'/g, (sources) => `${sources} 'nonce-${nonce}'`);

/** The document without the content for browsers without scripts, whose class names exist only in a build. */
const readDocument = (): string =>
  readFileSync(path.join(ROOT, 'index.html'), 'utf8').replace(/<noscript>.*<\/noscript>/s, '');

interface ListedRoute {
  path: string;
}

/**
 * Pages from their sources; the GraphQL explorer, whose editor Vite cannot serve unbuilt, as it was built. Nothing is
 * answered before {@link attach} was called.
 */
export class DevelopmentPages implements PageDelivery {
  readonly #built = builtPages();
  readonly #started = Promise.withResolvers<ViteServer>();

  /** Starts Vite, whose websocket shares the server's port. @param directory the data directory, whose cache of compiled code also holds what Vite makes of packages */
  async attach(server: Server, directory: string): Promise<void> {
    this.#started.resolve(await startVite(server, path.join(directory, 'compile-cache', 'vite')));
  }

  async close(): Promise<void> {
    await (await this.#started.promise).close();
  }

  /** Read again after a change. */
  addresses = async (): Promise<readonly PageAddress[]> => {
    const vite = await this.#started.promise;
    const { routes } = (await vite.ssrLoadModule('/routes.ts')) as { routes: ListedRoute[] };
    const { withPatterns } = (await vite.ssrLoadModule('/app/routing/path-pattern.ts')) as {
      withPatterns: (routes: readonly ListedRoute[]) => { route: ListedRoute; pattern: string }[];
    };
    // Own pattern: addresses of pages.
    return withPatterns(routes).map(({ route, pattern }) => ({ path: route.path, pattern: new RegExp(pattern) }));
  };

  sendFile = async (koa: KoaContext): Promise<boolean> => {
    if (await this.#built.sendFile(koa)) return true;
    const vite = await this.#started.promise;
    const { req, res } = koa;
    // Vite answers by itself, with 200 unless it says otherwise.
    res.statusCode = 200;
    const passedOn = Promise.withResolvers<boolean>();
    vite.middlewares(req, res, (error) => (error ? passedOn.reject(error as Error) : passedOn.resolve(true)));
    const isPassedOn = await Promise.race([passedOn.promise, once(res, 'close').then(() => false)]);
    if (!isPassedOn) koa.respond = false;
    else res.statusCode = 404;
    return !isPassedOn;
  };

  document: PageDelivery['document'] = async (koa, name, policy) => {
    if (name === 'explorer') return this.#built.document(koa, name, policy);
    const vite = await this.#started.promise;
    const html = await vite.transformIndexHtml(koa.path, readDocument());
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    return {
      bytes: Buffer.from(html.replaceAll(NONCE, nonce)),
      type: 'text/html; charset=utf-8',
      policy: withNonce(policy, nonce),
    };
  };
}
