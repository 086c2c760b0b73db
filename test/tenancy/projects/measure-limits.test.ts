import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Logger } from '../../../shared/core/log/log.js';
import { measureProject } from '../../../shared/repositories/housekeeping/measure-project.js';
import { sql } from 'kysely';
import { measure } from '../../../workers/repositories/housekeeping/measure.js';
import { useApp } from '../../core/app.js';
import { pushFiles } from './pushed-files.js';
import { handled } from '../../core/handled.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);

test('attributes that are hard to part into words are read like any others', async (t) => {
  const project = await app.build.project({ empty: true });
  const hard = `x${' '.repeat(2000)}\u2028\n`.repeat(31);
  const files: Record<string, string> = { 'own.ts': 'x'.repeat(100), 'a.gen.ts': 'x'.repeat(100) };
  for (let folder = 0; folder < 40; folder += 1) files[`f${folder}/.gitattributes`] = hard;
  files['.gitattributes'] = `${hard}"a \\"b" linguist-vendored\n"open linguist-vendored\n*.gen.ts linguist-generated`;
  files[`${'d.'.repeat(120)}x`] = 'x';
  files.script = `#!${' /'.repeat(30_000)}`;
  await pushFiles(app, project, files);
  const { body } = await app.as(project.owner).get(`/projects/${project.id}/languages`);
  t.deepEqual(body, { TypeScript: 100 });
});

/** A context whose log entries are collected. */
function listening(): { ctx: Context; warnings: { part?: string; project_id?: number }[] } {
  const warnings: { part?: string; project_id?: number }[] = [];
  const log = Object.assign(Object.create(app.services.log) as Logger, {
    warn: (fields: { part?: string; project_id?: number }) => void warnings.push(fields),
  });
  return { ctx: new Context({ ...app.services, log }, ANONYMOUS), warnings };
}

test.serial('a look at files that takes too long ends with a line in the log and leaves what was known', async (t) => {
  const project = await app.build.project({ empty: true });
  await pushFiles(app, project, { 'a.ts': 'x'.repeat(100), LICENSE: 'none of the known\n' });
  const commit = { branch: 'main', commit_message: 'More', content: 'y'.repeat(300) };
  await app.as(project.owner).post(`/projects/${project.id}/repository/files/b.py`, commit);
  const { ctx, warnings } = listening();
  await measureProject(ctx, project.id, 0);
  t.like(warnings, [{ part: 'files', project_id: project.id }]);
  const read = () =>
    queryOne<{ commits: number; license: string }>(
      app.context(),
      sql`
      select x.commit_count as "commits", x.license_key as "license" from project_statistics x
       where x.project_id = ${project.id}`,
    );
  const languages = async () => (await app.as(project.owner).get(`/projects/${project.id}/languages`)).body;
  t.deepEqual(await read(), { commits: 2, license: 'other' });
  t.deepEqual(await languages(), { TypeScript: 100 });
  for (const _ of [1, 2]) await measureProject(app.context(), project.id);
  t.deepEqual(await languages(), { Python: 75, TypeScript: 25 });
  await app.work();
});

test.serial('a repository that cannot be measured holds no other up', async (t) => {
  const [broken, whole] = [await app.build.project(), await app.build.project()];
  await app.work();
  await app.context().query(sql`
    update repository_refs set target_sha = ${'1'.repeat(40)} where project_id = ${broken.id}`);
  await app.context().query(sql`update project_statistics set commit_count = 0 where project_id = ${whole.id}`);
  const both = [{ project_id: broken.id }, { project_id: whole.id }, { project_id: whole.id }];
  for (const _ of [1, 2]) await t.throwsAsync(async () => handled(app, measure, both));
  const counted = await queryOne(
    app.context(),
    sql`
    select x.commit_count as "commits" from project_statistics x where x.project_id = ${whole.id}`,
  );
  t.deepEqual(counted, { commits: 1 });
});

/** The modules that a source file loads at run time; type-only imports do not count. */
function loads(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm)].map(([, target]) =>
    path.posix.join(path.posix.dirname(file), (target as string).replace(/\.js$/, '.ts')),
  );
}

test('what looks at the files of users is not even loaded by the thread that rings for schedules', (t) => {
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const target of loads(file)) visit(target);
  };
  visit('workers/main.ts');
  t.true(loaded.has('workers/ci/pipeline-schedules/alarm.ts'));
  t.true(loaded.has('shared/repositories/housekeeping/measure-thread.ts'));
  for (const file of [
    'shared/repositories/housekeeping/measure-files.ts',
    'shared/tenancy/projects/detect-languages.ts',
    'shared/tenancy/projects/attributes.ts',
    'shared/tenancy/projects/path-pattern.ts',
    'shared/tenancy/projects/recognise-license.ts',
  ])
    t.false(loaded.has(file), file);
});
