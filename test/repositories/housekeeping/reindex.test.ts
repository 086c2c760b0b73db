import { writeFileSync } from 'node:fs';
import test from 'ava';
import fc from 'fast-check';
import { sql } from 'kysely';
import { reindexRepository } from '../../../shared/repositories/housekeeping/reindex-repository.js';
import { repairRepositories } from '../../../shared/repositories/housekeeping/repair-repositories.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { getGit, indexOf } from './index-and-git.js';

const app = useApp(test);
const MANY = 10_000;
/** Refs are written a thousand at a time; how long that takes is measured by the bench `repair`. */
const MOST_STATEMENTS = 20;

const NAMES = ['refs/heads/a', 'refs/heads/b', 'refs/heads/story/1', 'refs/tags/a', 'refs/tags/v1', 'refs/tags/v2'];

/** A change made to git or to the index without the service. */
const deed = fc.record({
  name: fc.constantFrom(...NAMES),
  to: fc.constantFrom('older', 'newer', 'annotated', 'gone'),
  store: fc.constantFrom('git', 'index'),
});

test.serial('whatever was done to index or git alone, they are equal once the index was read anew', async (t) => {
  t.timeout(120_000);
  const project = await app.build.project();
  const location = getRepositoryPath(app.context(), project);
  const older = plainGit(location, ['rev-parse', 'refs/heads/main']).trim();
  const newer = plainGit(location, ['commit-tree', '-p', older, '-m', 'x', `${older}^{tree}`]).trim();
  plainGit(location, ['tag', '-a', '-m', 'x', 'annotated', newer]);
  const annotated = plainGit(location, ['rev-parse', 'refs/tags/annotated']).trim();
  const ids = { older, newer, annotated };
  const ctx = app.context();
  const inIndex = (name: string, sha: string | null) =>
    sha === null
      ? ctx.query(sql`delete from repository_refs where project_id = ${project.id} and full_name = ${name}`)
      : ctx.query(sql`
          insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
          values (${project.id}, ${name.startsWith('refs/tags') ? 'tag' : 'branch'}, ${name},
                  ${name.replace(/^refs\/\w+\//, '')}, ${sha}, ${sha}, now(), now())
          on conflict (project_id, full_name) do update set object_sha = ${sha}, target_sha = ${sha}`);
  const inGit = (name: string, sha: string | null) =>
    plainGit(location, ['update-ref', ...(sha === null ? ['-d', name] : [name, sha])]);
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 8 }), async (deeds) => {
      for (const { name, to, store } of deeds) {
        const bad = to === 'annotated' && name.startsWith('refs/heads/');
        const sha = to === 'gone' ? null : ids[bad ? 'newer' : to];
        if (store === 'git') inGit(name, sha);
        else await inIndex(name, sha);
      }
      const preview = await reindexRepository(ctx, project.id, { dryRun: true });
      const apart = (await indexOf(app, project)) !== getGit(app, project);
      if (apart) t.true((preview?.changes.length ?? 0) > 0, 'a dry run tells it');
      const found = await reindexRepository(ctx, project.id);
      t.deepEqual(found?.changes, preview?.changes);
      t.is(await indexOf(app, project), getGit(app, project));
      t.deepEqual((await reindexRepository(ctx, project.id))?.changes, []);
      const wrong = await ctx.query(sql`
        select 1 from repository_refs where project_id = ${project.id} and object_sha = ${annotated}
           and (target_sha <> ${newer} or git_date = 0)`);
      t.is(wrong.length, 0, 'with the commit and date behind an annotated tag');
    }),
    { numRuns: 25 },
  );
});

// Contract: git-http-5.repair-time
test.serial('an index of 10,000 refs is read anew in a few statements', async (t) => {
  t.timeout(120_000);
  const project = await app.build.project();
  const location = getRepositoryPath(app.context(), project);
  const sha = plainGit(location, ['rev-parse', 'refs/heads/main']).trim();
  const lines = Array.from({ length: MANY }, (_, index) => `${sha} refs/tags/t${String(index).padStart(6, '0')}\n`);
  writeFileSync(`${location}/packed-refs`, `# pack-refs with: sorted \n${lines.join('')}`);
  const reindex = async (changes: number) =>
    t.is((await reindexRepository(app.context(), project.id))?.changes.length, changes);
  const statements = await app.statementsOf(() => reindex(MANY));
  t.true(statements <= MOST_STATEMENTS, `${statements} statements`);
  const again = await app.statementsOf(() => reindex(0));
  t.true(again <= statements, `${again} statements`);
});

// Contract: git-http-5.repair
test.serial('repairing says what differed, and of a repository that cannot be read that it cannot', async (t) => {
  const [differing, fine, away] = [await app.build.project(), await app.build.project(), await app.build.project()];
  const ctx = app.context();
  plainGit(getRepositoryPath(ctx, differing), ['update-ref', 'refs/heads/story', 'refs/heads/main']);
  plainGit(getRepositoryPath(ctx, differing), ['update-ref', 'refs/heads/-option', 'refs/heads/main']);
  plainGit(getRepositoryPath(ctx, away), ['rev-parse', 'HEAD']);
  writeFileSync(`${getRepositoryPath(ctx, away)}/HEAD`, 'nonsense');
  const repair = async (request: Parameters<typeof repairRepositories>[1]) => {
    const lines: string[] = [];
    const counts = await repairRepositories(ctx, request, (line) => void lines.push(line));
    return { lines, counts };
  };
  const dry = await repair({ project: differing.full_path, 'dry-run': true });
  t.deepEqual(dry.counts, { looked: 1, differed: 1, failed: 0 });
  t.is(dry.lines[0], `project ${differing.id} (${differing.full_path}): 1 branches and tags differ`);
  t.regex(dry.lines[1] ?? '', /^ {2}refs\/heads\/story: nothing in the index, [0-9a-f]{40} in git$/);
  t.is(dry.lines[2], '  refs/heads/-option: not shown, for its name or what it points at');
  t.notRegex(await indexOf(app, differing), /story/);
  const all = await repair({});
  t.is(all.counts.failed, 1);
  t.is(all.counts.differed, 1);
  t.true(all.lines.some((line) => line.startsWith(`project ${away.id}: could not be read`)));
  t.regex(await indexOf(app, differing), /story/);
  t.false(all.lines.some((line) => line.startsWith(`project ${fine.id}`)));
  await t.throwsAsync(repair({ project: 'no/such' }), { message: /Project Not Found/ });
});
