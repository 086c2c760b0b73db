import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import test from 'ava';

/* The list of pages, read as the build reads it. */

interface ListedRoute {
  path: string;
  title: string;
  within: string;
  menus: Readonly<Record<string, true | string>>;
}

type PathFunction = (...values: unknown[]) => string;

type Run = <T>(file: string, options: object) => Promise<{ module: T }>;

const vite = createRequire(pathToFileURL('api/web/package.json')).resolve('vite');
const options = { root: 'api/web', configFile: false, logLevel: 'error' };

async function read<T>(file: string): Promise<T> {
  const { runnerImport } = (await import(pathToFileURL(vite).href)) as { runnerImport: Run };
  return (await runnerImport<T>(file, options)).module;
}

const addresses = JSON.parse(readFileSync('dist/api/web/pages.json', 'utf8')) as { path: string; pattern: string }[];

/** The pattern of the page at an address, as the service finds it. */
const patternAt = (address: string): string | undefined =>
  addresses.find(({ pattern }) => new RegExp(pattern).test(address.replace(/[?#].*/, '')))?.path;

const project = { kind: 'project', path: 'a/b' };
const group = { kind: 'group', path: 'a' };
const comparison = { from: 'main', to: 'fix/valve', straight: false };

/** Arguments for each function of addresses. */
const CALLS: Readonly<Record<string, readonly unknown[][]>> = {
  namespacePath: [['a/b']],
  groupPath: [['a']],
  recordPath: [['http://localhost/a/b/-/issues/1']],
  newContainerPath: [['project'], ['group', { parent: 'a' }]],
  generalSettingsPath: [[project], [group]],
  repositorySettingsPath: [[project], [group]],
  importPath: [[project], [group]],
  membersPath: [[project], [group]],
  auditEventsPath: [[project], [group]],
  treePath: [['a/b'], ['a/b', 'main/src']],
  filePath: [['a/b', 'main/ä b.ts']],
  blamePath: [['a/b', 'main/a.ts']],
  commitsPath: [['a/b'], ['a/b', 'main']],
  commitPath: [['a/b', '0123456789abcdef']],
  comparePath: [['a/b'], ['a/b', comparison]],
  branchesPath: [['a/b']],
  tagsPath: [['a/b']],
  issuesPath: [['a/b'], ['a/b', 12], ['a/b', 'new']],
  mergeRequestsPath: [['a/b'], ['a/b', 1], ['a/b', 1, 'commits'], ['a/b', 1, 'diffs']],
  newMergeRequestPath: [['a/b']],
  boardsPath: [[project], [group], [project, 1], [group, 1]],
  milestonesPath: [[project], [group], [project, 1], [group, 'new']],
  epicsPath: [['a'], ['a', 1], ['a', 1, true], ['a', 'new']],
  snippetsPath: [[null], [null, 'new'], [null, 1], ['a/b'], ['a/b', 1]],
  packagesPath: [['a/b'], ['a/b', 1]],
  pipelinesPath: [['a/b'], ['a/b', 1]],
  pipelineEditorPath: [['a/b'], ['a/b', 'fix/valve']],
  jobsPath: [['a/b'], ['a/b', 1]],
  runnersPath: [[project], [group]],
  schedulesPath: [[{ kind: 'all', path: '' }], [group], [project]],
  forecastPath: [[{ kind: 'all', path: '' }], [group], [project]],
  schedulePath: [
    ['a/b', 1],
    ['a/b', 1, true],
  ],
  newSchedulePath: [['a/b']],
  helpPath: [[], ['tokens'], ['tokens', 'deploy-tokens']],
  signInPath: [['/a/b?c=d']],
};

// Contract: web.house
test('every page has a title, an address of its own, and a place in menus that exists', async (t) => {
  const { routes } = await read<{ routes: ListedRoute[] }>('./routes.ts');
  const paths = routes.map(({ path }) => path);
  t.is(new Set(paths).size, paths.length);
  t.deepEqual(addresses.map(({ path }) => path).toSorted(), paths.toSorted());
  for (const { path, title, within } of routes) {
    t.regex(title, /^[A-Z][\w: ]+$/, path);
    t.true(paths.includes(within), `${path} is within ${within}`);
  }
});

// Contract: web.house
test('every address that pages link to is that of a page', async (t) => {
  const functions = await read<Record<string, unknown>>('./app/routing/paths.ts');
  const names = Object.keys(functions).filter((name) => typeof functions[name] === 'function');
  t.deepEqual(names.toSorted(), Object.keys(CALLS).toSorted());
  for (const name of names)
    for (const values of CALLS[name] ?? []) {
      const address = (functions[name] as PathFunction)(...values);
      const isCatchAll = name === 'namespacePath';
      t.true(
        patternAt(address) !== undefined && (isCatchAll || patternAt(address) !== '/:path+'),
        `${name}: ${address}`,
      );
    }
});

// Contract: web.house
test('the most specific page is shown, whatever the order of the list', (t) => {
  const cases: Readonly<Record<string, string | undefined>> = {
    '/a/b': '/:path+',
    '/projects/new': '/projects/new',
    '/a/b/edit': '/:path+/edit',
    '/groups/a/b': '/groups/:path+',
    '/groups/a/-/edit': '/groups/:path+/-/edit',
    '/a/b/-/issues/new': '/:path+/-/issues/new',
    '/a/b/-/issues/12': '/:path+/-/issues/:iid(\\d+)',
    '/a/b/-/issues/twelve': undefined,
    '/a/-/b': undefined,
    '/admin/users/new': '/admin/users/new',
    '/admin/users/ann': '/admin/users/:username',
    '/a/b/-/tree/main/-/x': '/:path+/-/tree/:rest+',
  };
  for (const [address, pattern] of Object.entries(cases)) t.is(patternAt(address), pattern, address);
});
