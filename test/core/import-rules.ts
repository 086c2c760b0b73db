import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The import rules, enforced by `npm run check`. A file belongs to the first pattern that matches it; its imports, as a
 * path from the root or a package's name, must match none of the pattern's forbidden ones.
 */
/** Domains from the ground up: each may import those before it. `core`, `git`, `launch` and `runner` are mechanism. */
const DOMAINS =
  'core git launch runner instance tenancy auth repositories ci planning merge-requests notes deployments packages archives'.split(
    ' ',
  );
const MECHANISM = ['core', 'git', 'launch', 'runner'];
/** The folders of core from the bottom up: each may import those of its own level and of the levels before it. */
const CORE_LEVELS = [
  ['values', 'log', 'metrics', 'traces', 'threads', 'bytes'],
  ['database', 'object-store', 'rate-limits'],
  ['context', 'stored-files'],
  ['operations'],
  ['markdown', 'network', 'page-changes', 'expressions'],
];
/** Files that combine all domains: lists of them, and the entry points of processes. */
const ROOTS = /^(shared|api|workers)\/[\w-]+\.js$/;

const RULES: { files: RegExp; mayNot: [RegExp, string][] }[] = [
  {
    files: /^shared\/[^/]+\/[^/]+\/[^/]+\.(entity|record|finder|policy|serializer)\.ts$/,
    mayNot: [
      [/^(api|workers|test)\//, 'shared code is used by both processes'],
      [/\.operations\.js$/, 'a record, a rule or a serializer performs no operation'],
      [/^(koa|@koa\/|type-graphql|graphql|@apollo\/|pg-boss)/, 'shared code knows no transport and no queue'],
    ],
  },
  {
    files: /^shared\/runner\//,
    mayNot: [
      [
        /^(?!shared\/runner\/|node:)/,
        'the runner is a program of its own: it speaks the runner protocol and nothing else',
      ],
    ],
  },
  {
    files: /^shared\/(?!core\/|instance\/pg-boss\/)/,
    mayNot: [
      [/^(api|workers|test)\//, 'shared code is used by both processes'],
      [
        /^(koa|@koa\/|type-graphql|graphql|@apollo\/|pg-boss)/,
        'shared code knows no transport; jobs go through ctx.jobs',
      ],
    ],
  },
  {
    files: /^shared\//,
    mayNot: [
      [/^(api|workers|test)\//, 'core is plumbing for every process'],
      [/^(koa|@koa\/|type-graphql|graphql|@apollo\/)/, 'shared code knows no transport'],
    ],
  },
  {
    files: /^api\/(core\/|cli\/|[\w-]+\.ts$)/,
    mayNot: [[/^(workers|test)\//, 'the API enqueues work, it does not load it']],
  },
  {
    files: /^api\//,
    mayNot: [
      [/^(workers|test)\//, 'the API enqueues work, it does not load it'],
      [/^(pg|kysely|sql-template-tag|@mikro-orm\/.*)$/, 'an area of the API has no queries of its own'],
    ],
  },
  { files: /^workers\//, mayNot: [[/^(api|test)\//, 'workers serve no requests']] },
  { files: /^migrations\//, mayNot: [[/^(api|workers|shared|test)\//, 'a migration must mean the same for ever']] },
];

/** The domain of a file of the service; undefined for files above all domains. */
function getDomain(file: string): string | undefined {
  const [side = '', domain = '', rest] = file.split('/');
  return ['shared', 'api', 'workers'].includes(side) && rest !== undefined ? domain : undefined;
}

/** The violation of the order of domains by an import; null if there is none. */
function againstOrder(file: string, target: string): string | null {
  const from = getDomain(file);
  if (from === undefined || from === 'web') return null;
  if (!DOMAINS.includes(from)) return `${from} is no domain`;
  if (ROOTS.test(target)) return 'what names all domains is above each of them';
  const to = getDomain(target);
  if (to === undefined || to === from) return null;
  if (MECHANISM.includes(from)) return MECHANISM.includes(to) ? null : 'mechanism knows no domain';
  return DOMAINS.indexOf(to) < DOMAINS.indexOf(from) ? null : `${from} stands below ${to}`;
}

const CORE_FILE = /^shared\/core\/(?:([^/]+)\/)?/;

/** The level of a file of core, -1 for a folder that has none; what lies in no folder is above all of them. */
function levelInCore(file: string): number {
  const [, folder] = CORE_FILE.exec(file) ?? [];
  return folder === undefined ? CORE_LEVELS.length : CORE_LEVELS.findIndex((folders) => folders.includes(folder));
}

/** The violation of the order of core by an import; null if there is none. */
function againstCoreOrder(file: string, target: string): string | null {
  if (!CORE_FILE.test(file)) return null;
  const level = levelInCore(file);
  if (level < 0) return 'its folder has no level in CORE_LEVELS';
  if (!CORE_FILE.test(target) || levelInCore(target) <= level) return null;
  return `${CORE_LEVELS[level]?.join(', ')} stand below it`;
}

/** Areas of the API and of the workers keep to themselves. */
function crossesAreas(file: string, target: string): boolean {
  const [side, domain, area, ...rest] = file.split('/');
  const [targetSide, targetDomain, targetArea, ...targetRest] = target.split('/');
  if (side !== targetSide || (side !== 'api' && side !== 'workers')) return false;
  if (MECHANISM.includes(targetDomain ?? '') || MECHANISM.includes(domain ?? '')) return false;
  if (rest.length === 0 || targetRest.length === 0) return false;
  // GraphQL is one graph: its types name each other. Lint keeps the imports free of cycles.
  if (file.endsWith('.graphql.ts') && target.endsWith('.graphql.js')) return false;
  return targetArea !== area || targetDomain !== domain;
}

/** Audit log rows come from events: code that wrote one directly would bypass the other subscribers. */
const writesTheLog = (file: string, target: string): boolean =>
  target === 'shared/instance/audit-events/insert-audit-events.js' &&
  file !== 'shared/instance/audit-events/audit-log.ts';

/** Packages that are not there where the service runs. */
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies: Record<string, string>;
};

function isOfDevelopment(target: string): boolean {
  const [name = ''] = /^(@[^/]+\/)?[^/]+/.exec(target) ?? [];
  return Object.hasOwn(devDependencies, name);
}

/** The source files below a folder, except those of the pages. */
export function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'web' && entry.name !== 'node_modules') yield* sources(name);
    } else if (entry.name.endsWith('.ts')) yield name;
  }
}

function getImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => {
    const specifier = name as string;
    return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
  });
}

type Imports = readonly (readonly [file: string, targets: readonly string[]])[];

/** What each source file imports, as paths from the root or names of packages. */
function allImports(): Imports {
  const folders = ['shared', 'api', 'workers', 'migrations'];
  return folders.flatMap((folder) => [...sources(folder)].map((file) => [file, getImports(file)] as const));
}

/** Describes every import that breaks a rule. */
export function brokenImports(imports: Imports = allImports()): string[] {
  const broken: string[] = [];
  for (const [file, targets] of imports) {
    const rule = RULES.find(({ files }) => files.test(file));
    for (const target of targets) {
      for (const [pattern, why] of rule?.mayNot ?? [])
        if (pattern.test(target)) broken.push(`${file} imports ${target}: ${why}.`);
      const order = againstOrder(file, target) ?? againstCoreOrder(file, target);
      if (order !== null) broken.push(`${file} imports ${target}: ${order}.`);
      if (writesTheLog(file, target))
        broken.push(`${file} imports ${target}: record an event, and say in <domain>.audit.ts how it reads.`);
      if (isOfDevelopment(target))
        broken.push(`${file} imports ${target}: it is installed for development only, as package.json says.`);
      if (crossesAreas(file, target))
        broken.push(`${file} imports ${target}: areas beside each other share through shared/.`);
    }
  }
  return broken;
}

/** The only folder that may use the queue's tables; no other code may reference their schema. */
const QUEUE_FOLDER = 'shared/instance/pg-boss/';

type Texts = readonly (readonly [file: string, text: string])[];

/** Every source file with its text. */
function allTexts(): Texts {
  const folders = ['shared', 'api', 'workers'];
  return folders.flatMap((folder) => [...sources(folder)].map((file) => [file, readFileSync(file, 'utf8')] as const));
}

/** Describes files outside its folder that reference tables, types or functions of the queue's schema. */
export function namersOfQueueTables(texts: Texts = allTexts()): string[] {
  return texts
    .filter(([file, text]) => !file.startsWith(QUEUE_FOLDER) && /\bpgboss"?\./.test(text))
    .map(([file]) => `${file} names the queue's tables: call a function of ${QUEUE_FOLDER} instead.`);
}

/** The area that a file of shared code is in: `ci/jobs`. */
function getArea(file: string): string | undefined {
  const [side, domain = '', area, rest] = file.split('/');
  return side === 'shared' && rest !== undefined && !MECHANISM.includes(domain) ? `${domain}/${area}` : undefined;
}

/** Names that reach each other, each such circle sorted. @param next what each leads to */
export function getCircles(next: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = (from: string) => {
    const names = new Set<string>();
    const waiting = [...(next.get(from) ?? [])];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
      if (!names.has(name)) {
        names.add(name);
        waiting.push(...(next.get(name) ?? []));
      }
    return names;
  };
  const reach = new Map([...next.keys()].map((name) => [name, reached(name)]));
  const circles = [...reach].flatMap(([name, names]) =>
    names.has(name) ? [[...names].filter((other) => reach.get(other)?.has(name)).toSorted()] : [],
  );
  return [...new Map(circles.map((circle) => [circle.join(' '), circle])).values()];
}

/** Areas of shared code that reach each other. */
export function areaCircles(imports: Imports = allImports()): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [file, targets] of imports) {
    const from = getArea(file);
    for (const target of targets) {
      const to = getArea(target);
      if (from === undefined || to === undefined || from === to) continue;
      next.set(from, (next.get(from) ?? new Set()).add(to));
    }
  }
  return getCircles(next);
}

/** Files that reach each other, also by types alone. */
export function fileCircles(imports: Imports = allImports()): string[][] {
  return getCircles(new Map(imports.map(([file, targets]) => [file.replace(/\.ts$/, '.js'), new Set(targets)])));
}
