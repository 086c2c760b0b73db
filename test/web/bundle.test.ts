import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { useApp } from '../core/app.js';
import type { Answer } from '../core/client.js';

const app = useApp(test);
const document = readFileSync('dist/api/web/index.html', 'utf8');
const scripts = [...document.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src]) => src as string);
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const pages = JSON.parse(readFileSync('dist/api/web/pages.json', 'utf8')) as { path: string }[];

/** The URL of a page whose group or project exists. */
async function getAddress(page: string): Promise<string> {
  const group = await publicGroup();
  const { full_path: path } = page.startsWith('/groups/') ? group : group.project;
  return page
    .replace(':path+', path)
    .replaceAll(/:\w+\(\\d\+\)/g, '1')
    .replaceAll(/:\w+\([^)]*\)/g, 'abcd')
    .replaceAll(/:\w+\+?/g, 'none');
}

let group: Promise<{ full_path: string; project: { full_path: string } }> | undefined;
const publicGroup = () =>
  (group ??= (async () => {
    const group = await app.build.group({ visibility: 'public' });
    return { full_path: group.full_path, project: await app.build.projectIn(group, { visibility: 'public' }) };
  })());

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.withHeaders(headers).raw('GET', path);

// Contract: web.policy
test('every page is the same document, kept by nobody, under a policy that lets only files of this service run', async (t) => {
  for (const { path: page } of pages) {
    const { status, text, headers } = await get(await getAddress(page), browser);
    t.is(status, 200, page);
    t.is(text, document);
    t.is(headers.get('content-type'), 'text/html; charset=utf-8');
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('x-frame-options'), 'DENY');
    const policy = headers.get('content-security-policy') ?? '';
    t.regex(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
    t.regex(policy, /base-uri 'none'; frame-ancestors 'none'/);
    t.notRegex(policy, /unsafe|nonce|data:|https?:|\*/);
  }
});

// Contract: web.policy
test('the document holds no script, no style and no handler of its own, and names no other origin', (t) => {
  t.notRegex(document, /<script(?![^>]* src=)/);
  t.notRegex(document, /<style|\sstyle=|\son[a-z]+=/);
  t.notRegex(document, /https?:\/\//);
  t.true(scripts.length > 0);
});

// Contract: web.files
test('a file of the bundle never changes under its name: it is kept for a year; others are asked for again', async (t) => {
  for (const path of scripts) {
    const answer = await get(path);
    t.is(answer.status, 200, path);
    t.is(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
    t.is(answer.headers.get('x-content-type-options'), 'nosniff');
    const cacheControl = answer.headers.get('cache-control');
    t.is(cacheControl, path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache', path);
    t.is((await get(path, { 'If-None-Match': answer.headers.get('etag') ?? '' })).status, 304);
  }
});

// Contract: web.files
test('a file is sent packed as the client reads it, each form with a tag of its own', async (t) => {
  const path = scripts.find((src) => src.includes('/assets/')) as string;
  const answers = await Promise.all(
    ['br', 'gzip', 'identity'].map(async (encoding) => {
      const { headers } = await get(path, { 'Accept-Encoding': encoding });
      t.regex(headers.get('vary') ?? '', /Accept-Encoding/);
      return [headers.get('content-encoding'), headers.get('etag')] as const;
    }),
  );
  t.deepEqual(
    answers.map(([encoding]) => encoding),
    ['br', 'gzip', null],
  );
  t.is(new Set(answers.map(([, tag]) => tag)).size, 3);
});

/** The scripts that a module loads before it runs, itself included. */
function loaded(script: string, names = new Set<string>()): Set<string> {
  if (names.has(script)) return names;
  names.add(script);
  const text = readFileSync(`dist/api/web/${script}`, 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) loaded(`assets/${name}`, names);
  return names;
}

/** Names of the files of pages, as the lists of routes load them. */
const pageFiles = new Set(
  readdirSync('api/web/routes').flatMap((file) =>
    [...readFileSync(`api/web/routes/${file}`, 'utf8').matchAll(/import\('[^']*\/(\w+)\.js'\)/g)].map(
      ([, name]) => name as string,
    ),
  ),
);

/** Parts of pages that load separately and are drawn at first, by page. */
const FIRST_PARTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  PathPage: [['ProjectPage'], ['GroupPage'], ['UserPage']],
  SchedulePage: [['Changes', 'LastFailure']],
};

/** Files that are loaded for the first view of each page. */
const firstViews = [...pageFiles].flatMap((page) => (FIRST_PARTS[page] ?? [[]]).map((parts) => [page, ...parts]));

/** Chunks that every page, or most pages, also load. */
const BESIDE = ['ContainerBar', 'live-stream', 'Stale'];

const assets = readdirSync('dist/api/web/assets');

/** Every script that is loaded with parts of pages of these names. */
function loadedWith(names: readonly string[]): Set<string> {
  const files = new Set<string>();
  for (const src of scripts) loaded(src.replace('/-/web/', ''), files);
  for (const name of names) {
    const file = assets.find((each) => each.startsWith(`${name}-`) && each.length === `${name}-12345678.js`.length);
    if (!file) throw new Error(`No script is called ${name}.`);
    loaded(`assets/${file}`, files);
  }
  return files;
}

// Contract: web.size, jobs-page.size, web.schedules.size
test('the first view of any page needs less than 150 kB of script, compressed', (t) => {
  t.true(pageFiles.size > 50);
  for (const names of firstViews) {
    const files = loadedWith([...names, ...BESIDE]);
    const total = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(`dist/api/web/${file}`)).length, 0);
    t.log(`${names.join(', ')}: ${total} bytes in ${files.size} files`);
    t.true(total > 30_000 && total < 150_000, `${names.join(', ')}: ${total} bytes`);
  }
});

// Contract: web.dora.size
test('charts are loaded with the page of metrics alone', (t) => {
  const draws = (file: string) => readFileSync(`dist/api/web/${file}`, 'utf8').includes('u-over');
  t.false([...loadedWith(BESIDE)].some(draws));
  t.true([...loadedWith(['Dora'])].some(draws));
});

// Contract: web.house
test('what is hidden is a page with 404 like what is not there, for its pages too', async (t) => {
  const owner = await app.build.user();
  const project = await app.build.project({ owner });
  const group = await app.build.group({ owner });
  const hidden = [
    `/${project.full_path}`,
    `/${project.full_path}/edit`,
    `/${project.full_path}/-/issues`,
    `/${project.full_path}/-/tree/main`,
    `/${group.full_path}`,
    `/groups/${group.full_path}`,
    `/groups/${group.full_path}/-/group_members`,
    `/${owner.username}`,
  ];
  for (const path of hidden) {
    const answer = await get(path, browser);
    t.is(answer.status, 404, path);
    t.is(answer.text, document, path);
    t.is(answer.text, (await get('/no/such/page', browser)).text);
  }
  const another = await app.build.project({ visibility: 'public' });
  for (const path of ['', '/-/issues', '/-/pipelines'])
    t.is((await get(`/${another.full_path}${path}`, browser)).status, 200);
  for (const path of [`/groups/${another.full_path}`, `/${another.full_path}/-/no-such`, `/${another.full_path}/no`])
    t.is((await get(path, browser)).status, 404, path);
});

// Contract: web.not-found
test('a browser that looks where nothing is gets a page with 404; programs get JSON', async (t) => {
  for (const path of ['/no/such/page', '/-/no-such', '/users/sign_in/', '/root/rocket']) {
    const answer = await get(path, browser);
    t.is(answer.status, 404, path);
    t.is(answer.text, document, path);
    const response = await get(path, { Accept: '*/*' });
    t.is(response.status, 404, path);
    t.deepEqual(response.body, { error: '404 Not Found' }, path);
  }
});

// Contract: web.not-found
test('below the API and among the files of the bundle, what is absent is JSON for browsers too', async (t) => {
  for (const path of ['/api/v4/no_such', '/api/none', '/-/web/assets/none.js', '/-/web/index.html', '/-/web/']) {
    const answer = await get(path, browser);
    t.is(answer.status, 404, path);
    t.is(answer.headers.get('content-type'), 'application/json', path);
  }
});

// Contract: web.files
test('no path leads out of the folder of the bundle', async (t) => {
  for (const name of ['..%2f..%2fpackage.json', 'assets/..%2findex.html', '%2e%2e/%2e%2e/package.json', 'pages.json'])
    t.is((await get(`/-/web/${name}`)).status, 404, name);
});

test('HEAD answers a page without its body, and other methods find no page', async (t) => {
  const head = await app.withHeaders(browser).raw('HEAD', '/');
  t.is(head.status, 200);
  t.is(head.text, '');
  t.is((await app.withHeaders(browser).raw('POST', '/')).status, 404);
});
