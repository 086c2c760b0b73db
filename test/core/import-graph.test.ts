import test from 'ava';
import { namesExportedTwice, unusedGraphqlNames } from './exported-names.js';
import { brokenPageImports, pageCircles } from './page-imports.js';
import { areaCircles, brokenImports, fileCircles, namersOfQueueTables } from './import-rules.js';

test('a domain imports only what stands below it, and mechanism no area', (t) => {
  t.deepEqual(brokenImports(), []);
});

test('the rules find what they forbid', (t) => {
  const wrong = {
    'shared/core/values/a.ts': ['shared/ci/jobs/b.js', 'shared/domains.js', 'shared/core/database/b.js'],
    'shared/core/context/a.ts': ['shared/core/operations/b.js', 'shared/core/database/b.js', 'shared/core/domain.js'],
    'shared/core/elsewhere/a.ts': ['koa'],
    'shared/core/a.ts': ['shared/core/markdown/b.js'],
    'shared/git/a.ts': ['shared/core/b.js', 'shared/tenancy/users/b.js'],
    'shared/tenancy/users/a.ts': ['shared/instance/avatars/b.js', 'shared/auth/oauth/b.js', 'api/core/b.js'],
    'api/ci/jobs/a.ts': ['api/ci/pipelines/b.js', 'shared/ci/jobs/b.js', 'workers/core/b.js', 'kysely'],
    'workers/ci/jobs/a.ts': ['workers/domains.js'],
    'shared/elsewhere/area/a.ts': ['shared/core/b.js', 'fast-check'],
  };
  const problems = brokenImports(Object.entries(wrong));
  t.is(problems.length, 17, problems.join('\n'));
});

test('no areas of shared code import each other in a circle', (t) => {
  t.deepEqual(areaCircles(), []);
  const wrong = {
    'shared/tenancy/users/a.ts': ['shared/tenancy/groups/b.js'],
    'shared/tenancy/groups/b.ts': ['shared/tenancy/members/c.js'],
    'shared/tenancy/members/c.ts': ['shared/tenancy/users/d.js'],
  };
  t.deepEqual(areaCircles(Object.entries(wrong)), [['tenancy/groups', 'tenancy/members', 'tenancy/users']]);
});

test('no files import each other in a circle, nor by their types', (t) => {
  t.deepEqual(fileCircles(), []);
  const wrong = { 'shared/core/a.ts': ['shared/core/b.js'], 'shared/core/b.ts': ['shared/core/a.js', 'pg'] };
  t.deepEqual(fileCircles(Object.entries(wrong)), [['shared/core/a.js', 'shared/core/b.js']]);
});

test('no name is exported by two files', (t) => {
  t.deepEqual(namesExportedTwice(), []);
  const wrong = [
    ['shared/core/a.ts', 'export const Thing = 1;\nexport type Thing = number;\nexport async function other() {}\n'],
    ['shared/core/b.ts', 'export interface Thing {}\nconst other = 1;\n'],
  ] as const;
  t.deepEqual(namesExportedTwice(wrong), [
    'Thing is exported by shared/core/a.ts and shared/core/b.ts: one meaning a name.',
  ]);
});

test('a GraphQL file exports what resolves fields, or what is used', (t) => {
  t.deepEqual(unusedGraphqlNames(), []);
  const wrong = [
    [
      'api/ci/a/a.graphql.ts',
      'export class A {}\nexport const lone = 1;\n@Resolver(() => A)\nexport class AResolver {}\n',
    ],
    ['api/ci/b/b.graphql.ts', "import { A } from '../a/a.graphql.js';\n"],
  ] as const;
  t.deepEqual(unusedGraphqlNames(wrong), ['lone is exported by api/ci/a/a.graphql.ts, and nothing uses it.']);
});

test('one folder alone names the tables of the queue', (t) => {
  t.deepEqual(namersOfQueueTables(), []);
  const wrong = [
    ['shared/instance/pg-boss/a.ts', 'select 1 from pgboss.job'],
    ['shared/ci/jobs/b.ts', 'select 1 from pgboss.job'],
    ['workers/ci/jobs/c.ts', 'select 1 from "pgboss"."job"'],
    ['shared/core/d.ts', "const system = 'pgboss';"],
  ] as const;
  t.is(namersOfQueueTables(wrong).length, 2);
});

test('pages lie on floors, and a feature imports another by its index', (t) => {
  t.deepEqual(brokenPageImports(), []);
  t.deepEqual(pageCircles(), []);
  const of = (file: string, target: string, lazy = false) => ({
    file: `api/web/${file}`,
    target: `api/web/${target}`,
    lazy,
  });
  const wrong = [
    of('ui/A.tsx', 'data/b.ts'),
    of('data/a.ts', 'ui/b.ts'),
    of('app/A.tsx', 'features/ci/jobs/index.ts'),
    of('routes.ts', 'features/ci/jobs/Jobs.tsx', true),
    of('features/ci/jobs/Jobs.tsx', 'features/notes/notes/Notes.tsx'),
    of('features/ci/jobs/Jobs.tsx', 'features/notes/notes/Notes.tsx', true),
    of('features/notes/notes/Notes.tsx', 'features/ci/jobs/index.ts'),
    of('features/ci/jobs/index.ts', 'features/ci/jobs/Jobs.tsx'),
  ];
  t.deepEqual(brokenPageImports(wrong), [
    'api/web/ui/A.tsx imports api/web/data/b.ts: ui lies below it.',
    'api/web/app/A.tsx imports api/web/features/ci/jobs/index.ts: app lies below it.',
    'api/web/features/ci/jobs/Jobs.tsx imports api/web/features/notes/notes/Notes.tsx: a feature imports another by its index.',
  ]);
  t.is(pageCircles(wrong).length, 3);
});
