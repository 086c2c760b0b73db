import { writeFileSync } from 'node:fs';
import test from 'ava';
import { gitStarts } from '../../../shared/git/index.js';
import type { GitStart } from '../../../shared/git/index.js';
import { sql } from 'kysely';
import { findProject } from '../../../shared/tenancy/projects/project.finder.js';
import { dateRefs } from '../../../shared/repositories/repositories/date-refs.js';
import { refsInOrder } from '../../../shared/repositories/branches-and-tags/ref-pages.js';
import { indexRefs, getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { explainList } from '../../bench/plans.js';
import { useApp } from '../../core/app.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);
const FEW = 30;
/** More than a list counts. */
const MANY = 12_000;

const getName = (index: number) => `t${String(index).padStart(6, '0')}`;

/** A project with so many branches and tags on one commit, and the newest of each, `newest`, on a later one. */
async function projectWithRefs(count: number) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  const sha = (await owner.get(`${path}/branches/main`)).body.commit.id as string;
  const ctx = app.build.contextOf(project.owner);
  const names = Array.from({ length: count }, (_, index) => getName(index));
  const full = names.flatMap((name) => [`refs/tags/${name}`, `refs/heads/${name}`]);
  // As one file: git would write one for each, and wait for the disk each time.
  const packed = full.toSorted().map((name) => `${sha} ${name}\n`);
  writeFileSync(`${getRepositoryPath(ctx, project)}/packed-refs`, `# pack-refs with: sorted \n${packed.join('')}`);
  const to = { object_sha: sha, target_sha: sha };
  const changes = full.map((fullName) => ({ fullName, from: null, to }));
  await ctx.transaction(() => indexRefs(ctx, { ...project, repository_created: true }, changes, ctx.clock.now()));
  app.clock.advance('1 minute');
  const commit = { branch: 'newest', start_branch: 'main', commit_message: 'x', content: 'x' };
  await owner.post(`${path}/files/newest.txt`, commit);
  await owner.post(`${path}/tags`, { tag_name: 'newest', ref: 'newest' });
  return { project, owner, path };
}

type ProjectWithRefs = Awaited<ReturnType<typeof projectWithRefs>>;

const LISTS = [
  'tags',
  'tags?sort=asc',
  'tags?order_by=name',
  'tags?order_by=version&sort=asc',
  'branches',
  'branches?sort=updated_desc',
  'branches?sort=updated_asc',
];

/** Statements and git processes of a list's first page, and of a page by keyset. */
async function getCost({ owner, path }: ProjectWithRefs, list: string) {
  const query = list.includes('?') ? '&' : '?';
  const urls = [list, `${list}${query}pagination=keyset&page_token=newest`].map((each) => `${path}/${each}`);
  const costs: unknown[] = [];
  for (const url of urls) {
    // Data cached by the first request, and the record of the caller's activity, are not part of the list's cost.
    await app.statementsOf(() => owner.get(url));
    const commands: string[] = [];
    const hear = (start: unknown) => void commands.push((start as GitStart).command);
    gitStarts.subscribe(hear);
    const statements = await app.statementsOf(() => owner.get(url));
    gitStarts.unsubscribe(hear);
    costs.push({ statements, commands: commands.toSorted() });
  }
  return costs;
}

test.serial('a page of many branches or tags costs what one of few does, in every order', async (t) => {
  t.timeout(180_000);
  const [few, many] = [await projectWithRefs(FEW), await projectWithRefs(MANY)];
  await app.context().query(sql`analyze repository_refs`);
  for (const list of LISTS) {
    t.deepEqual(await getCost(many, list), await getCost(few, list), list);
    t.is(
      (await few.owner.get(`${few.path}/${list}`)).headers.get('x-total'),
      String(FEW + (list.startsWith('b') ? 2 : 1)),
    );
    t.is((await many.owner.get(`${many.path}/${list}`)).headers.get('x-total'), null, list);
  }
  const client = await app.services.db.pool.connect();
  try {
    const found = await findProject(app.build.contextOf(many.project.owner), many.project.id);
    for (const kind of ['branch', 'tag'] as const)
      for (const order of ['name', 'updated', 'version'] as const)
        for (const direction of ['asc', 'desc'] as const) {
          const explained = await explainList(client, refsInOrder(found, kind, [], order, direction), true);
          t.deepEqual(explained.whole, [], explained.text);
        }
  } finally {
    client.release();
  }
});

test.serial('the newest comes first or last among many of one date, whose names break the tie', async (t) => {
  const { owner, path } = await projectWithRefs(FEW);
  const names = async (list: string) =>
    (await owner.get(`${path}/${list}`)).body.map(({ name }: { name: string }) => name) as string[];
  t.deepEqual(await names('tags?per_page=2'), ['newest', getName(FEW - 1)]);
  t.deepEqual(await names('tags?sort=asc&per_page=2'), [getName(0), getName(1)]);
  t.deepEqual(await names('branches?sort=updated_desc&per_page=2'), ['newest', getName(FEW - 1)]);
  t.deepEqual(await names('tags?pagination=keyset&per_page=2&page_token=newest'), [getName(FEW - 1), getName(FEW - 2)]);
  t.is((await names('tags?sort=asc&per_page=100')).at(-1), 'newest');
});

test.serial('refs that were indexed without a date, or moved by an older process, get theirs by a job', async (t) => {
  const { project, owner, path } = await projectWithRefs(FEW);
  const names = async () =>
    (await owner.get(`${path}/tags?per_page=2`)).body.map(({ name }: { name: string }) => name) as string[];
  const ctx = app.context();
  await ctx.query(sql`update repository_refs set git_date = 0, dated_sha = null where project_id = ${project.id}`);
  t.deepEqual(await names(), [getName(FEW - 1), getName(FEW - 2)]);
  await dateRefs(ctx);
  t.deepEqual(await names(), ['newest', getName(FEW - 1)]);
  // As stored before refs had dates.
  await ctx.query(sql`
    update repository_refs r set object_sha = n.object_sha, target_sha = n.target_sha from repository_refs n
     where r.project_id = ${project.id} and r.full_name = ${`refs/tags/${getName(3)}`}
       and n.project_id = r.project_id and n.full_name = 'refs/tags/newest'`);
  await dateRefs(ctx);
  t.deepEqual(await names(), [getName(3), 'newest']);
});

test.serial('a repository that is gone holds up the dates of no other', async (t) => {
  const [gone, other] = [await app.build.project({ empty: true }), await projectWithRefs(FEW)];
  const ctx = app.context();
  await ctx.query(sql`update repository_refs set git_date = 0, dated_sha = null`);
  await ctx.query(sql`
    insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, created_at, updated_at)
    values (${gone.id}, 'tag', 'refs/tags/x', 'x', ${'a'.repeat(40)}, ${'a'.repeat(40)}, now(), now())`);
  await dateRefs(ctx);
  t.is((await other.owner.get(`${other.path}/tags?per_page=1`)).body[0].name, 'newest');
  t.is(
    await queryOne(
      ctx,
      sql`select 1 as "found" from repository_refs r where r.dated_sha is distinct from r.object_sha`,
    ),
    null,
  );
});
