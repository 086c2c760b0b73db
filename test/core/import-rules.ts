import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Who may import what, as `npm run check` holds everybody to. A file belongs to the first pattern that matches it;
 * what it imports, as a path from the root or a package's name, must match none of the pattern's forbidden ones.
 */
const RULES: { files: RegExp; mayNot: [RegExp, string][] }[] = [
  {
    files: /^shared\/core\//,
    mayNot: [
      [/^(api|workers|test)\//, 'core is plumbing for every process'],
      [/^shared\/(?!core\/)[^/]+\//, 'core knows no area'],
      [/^(koa|@koa\/|type-graphql|graphql|@apollo\/)/, 'shared code knows no transport'],
    ],
  },
  {
    files: /^shared\/[^/]+\/[^/]+\.(entity|finder|policy|shape)\.ts$/,
    mayNot: [
      [/^(api|workers|test)\//, 'shared code is used by both processes'],
      [/\.operations\.js$/, 'a record, a rule or a shape performs no operation'],
      [/^(koa|@koa\/|type-graphql|graphql|@apollo\/|pg-boss)/, 'shared code knows no transport and no queue'],
    ],
  },
  {
    files: /^shared\//,
    mayNot: [
      [/^(api|workers|test)\//, 'shared code is used by both processes'],
      [
        /^(koa|@koa\/|type-graphql|graphql|@apollo\/|pg-boss)/,
        'shared code knows no transport; jobs go through ctx.jobs',
      ],
    ],
  },
  {
    files: /^api\/(core|cli|areas|app|main|graphql-areas)/,
    mayNot: [[/^(workers|test)\//, 'the API enqueues work, it does not load it']],
  },
  {
    files: /^api\//,
    mayNot: [
      [/^(workers|test)\//, 'the API enqueues work, it does not load it'],
      [/^(pg|kysely|sql-template-tag|@mikro-orm\/.*)$/, 'an area of the API has no queries of its own'],
      [/^shared\/core\/sql\.js$/, 'an area of the API has no queries of its own'],
    ],
  },
  { files: /^workers\//, mayNot: [[/^(api|test)\//, 'workers serve no requests']] },
  { files: /^migrations\//, mayNot: [[/^(api|workers|shared|test)\//, 'a migration must mean the same for ever']] },
];

/** Areas of the API and of the workers keep to themselves. */
function crossesAreas(file: string, target: string): boolean {
  const [side, area] = file.split('/');
  const [targetSide, targetArea] = target.split('/');
  if (side !== targetSide || (side !== 'api' && side !== 'workers')) return false;
  if (!file.includes('/', side.length + 1) || area === 'core') return false;
  // GraphQL is one graph: its types name each other. Lint keeps the imports free of cycles.
  if (file.endsWith('.graphql.ts') && target.endsWith('.graphql.js')) return false;
  return targetArea !== area && targetArea !== 'core';
}

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'web' && entry.name !== 'node_modules') yield* sources(name);
    } else if (entry.name.endsWith('.ts')) yield name;
  }
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => {
    const given = name as string;
    return given.startsWith('.') ? path.posix.join(path.posix.dirname(file), given) : given;
  });
}

/** Every import that breaks a rule, in words. */
export function brokenImports(): string[] {
  const broken: string[] = [];
  for (const folder of ['shared', 'api', 'workers', 'migrations']) {
    for (const file of sources(folder)) {
      const rule = RULES.find(({ files }) => files.test(file));
      for (const target of importsOf(file)) {
        for (const [pattern, why] of rule?.mayNot ?? [])
          if (pattern.test(target)) broken.push(`${file} imports ${target}: ${why}.`);
        if (crossesAreas(file, target))
          broken.push(`${file} imports ${target}: areas beside each other share through shared/.`);
      }
    }
  }
  return broken;
}

const broken = brokenImports();
for (const line of broken) process.stderr.write(`${line}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
