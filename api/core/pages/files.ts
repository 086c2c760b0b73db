import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context as KoaContext } from 'koa';
import { sendStatic, staticAnswer } from '../server/static-answer.js';
import type { StaticForms } from '../server/static-answer.js';

/** Where the bundle's files are served. */
export const WEB_BASE = '/-/web/';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** Encodings in the order in which they are preferred, by the ending of the packed file. */
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A file of the bundle, plain and as packed when it was built. */
interface WebFile extends StaticForms {
  /** Its name holds a digest of its content, so it never changes. */
  immutable: boolean;
}

/** The built pages. */
interface WebFiles {
  index: WebFile;
  /** The document of the GraphQL explorer. */
  explorer: WebFile;
  /** The error page, with placeholders such as `{{title}}` for its texts. */
  problem: string;
  /** By their paths below {@link WEB_BASE}. */
  files: ReadonlyMap<string, WebFile>;
  /** Addresses of pages, the most specific first. */
  pages: readonly { path: string; pattern: string }[];
}

/** Sends a file as the client reads it. */
export function sendWebFile(koa: KoaContext, file: WebFile): void {
  sendStatic(koa, file);
  if (file.immutable) koa.set('Cache-Control', 'public, max-age=31536000, immutable');
}

function readWebFile(file: string, name: string): WebFile {
  const type = TYPES[path.extname(name)] as string;
  return {
    plain: staticAnswer(type, readFileSync(file)),
    packed: PACKED.filter(([, ending]) => existsSync(file + ending)).map(
      ([encoding, ending]) => [encoding, staticAnswer(type, readFileSync(file + ending))] as const,
    ),
    immutable: name.startsWith('assets/'),
  };
}

/**
 * Reads the bundle whole: some megabytes, most of them the explorer's editor, and a build beneath a running service changes nothing of it.
 * @throws when it was not built
 */
function readWebFiles(folder = fileURLToPath(new URL('../../web/', import.meta.url))): WebFiles {
  if (!existsSync(path.join(folder, 'pages.json')))
    throw new Error('The pages are not built; "npm run build" builds them.');
  const files = new Map<string, WebFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (entry.isFile() && Object.hasOwn(TYPES, path.extname(name))) files.set(name, readWebFile(file, name));
  }
  const index = files.get('index.html') as WebFile;
  const explorer = files.get('graphql-explorer.html') as WebFile;
  const problem = String(files.get('problem.html')?.plain.bytes);
  for (const name of ['index.html', 'graphql-explorer.html', 'problem.html']) files.delete(name);
  return {
    index,
    explorer,
    problem,
    files,
    pages: JSON.parse(readFileSync(path.join(folder, 'pages.json'), 'utf8')) as WebFiles['pages'],
  };
}

let read: WebFiles | undefined;

/** The bundle as of the build of the app, which reads it first. */
export const webFiles = (): WebFiles => (read ??= readWebFiles());

/**
 * Whether the request comes from a browser that navigates to a page: only browsers accept HTML explicitly, and before
 * JSON. There are no pages below the API or among the files of the bundle.
 */
export function isPageRequest(koa: KoaContext): boolean {
  if (koa.path.startsWith('/api/') || koa.path.startsWith(WEB_BASE)) return false;
  return /\btext\/html\b/.test(koa.get('accept')) && koa.accepts('json', 'html') === 'html';
}
