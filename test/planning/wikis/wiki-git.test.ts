import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { importForm, sampleArchive } from '../../archives/container-imports/sample-archive.js';
import { sql } from 'kysely';
import { repairRepositories } from '../../../shared/repositories/housekeeping/repair-repositories.js';
import { useApp } from '../../core/app.js';
import { clone } from '../../repositories/git-http/git-client.js';
import { workTree } from '../../repositories/git-http/push-client.js';

const app = useApp(test);

// Contract: wikis-8.git
test('the wiki of a project and of a group is cloned and pushed with git', async (t) => {
  const [project, group] = [await app.build.project(), await app.build.group()];
  for (const [owner, full_path, wikis] of [
    [project.owner, project.full_path, `/projects/${project.id}/wikis`],
    [group.owner, group.full_path, `/groups/${group.id}/wikis`],
  ] as const) {
    const as = app.as(owner);
    await as.post(wikis, { title: 'home', content: 'Hello' });
    const work = await workTree(t, app, { full_path: `${full_path}.wiki` }, { as: owner });
    t.is(await readFile(join(work.folder, 'home.md'), 'utf8'), 'Hello');
    await work.commit('docs/Other.asciidoc', '= Other');
    await work.commit('picture.png', 'x');
    const pushed = await work.push(['HEAD:refs/heads/main']);
    t.is(pushed.code, 0, pushed.stderr);
    const { body } = await as.get(`${wikis}?with_content=1`);
    const pages = body as { slug: string; format: string; content: string; wiki_page_meta_id: number }[];
    t.deepEqual(
      pages.map(({ slug, format, content }) => [slug, format, content]),
      [
        ['docs/Other', 'asciidoc', '= Other'],
        ['home', 'markdown', 'Hello'],
      ],
    );
    t.true(pages.every(({ wiki_page_meta_id: id }) => Number.isInteger(id)));
    for (const ref of ['HEAD:refs/heads/other', 'HEAD:refs/tags/v1', ':refs/heads/main'])
      t.regex(Object.values((await work.push([ref])).refs)[0] ?? '', /one branch/, ref);
    // Behind: what came meanwhile is not lost.
    await as.put(`${wikis}/home`, { content: 'Bye' });
    await work.commit('late.md');
    t.not((await work.push(['HEAD:refs/heads/main'])).code, 0);
    t.is((await as.get(`${wikis}/home`)).body.content, 'Bye');
  }
});

// Contract: wikis-8.git
test('an empty wiki is cloned, and the first push chooses its branch', async (t) => {
  const project = await app.build.project();
  const full_path = `${project.full_path}.wiki`;
  t.is((await clone(t, app, full_path, { as: project.owner })).code, 0);
  const work = await workTree(t, app, { full_path }, { as: project.owner, fresh: true });
  await work.commit('home.md', 'Hello');
  t.is((await work.push(['HEAD:refs/heads/master'])).code, 0);
  t.is((await app.as(project.owner).get(`/projects/${project.id}/wikis/home`)).body.content, 'Hello');
  await app.as(project.owner).post(`/projects/${project.id}/wikis`, { title: 'next', content: 'x' });
  const copy = await clone(t, app, full_path, { as: project.owner });
  t.is(await copy.inside('rev-parse', '--abbrev-ref', 'HEAD'), 'master');
  t.is(await copy.inside('ls-files'), 'home.md\nnext.md');
});

// Contract: wikis-8.git, wikis-8.role
test('a wiki is fetched by who reads it, and pushed by Developers', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const full_path = `${project.full_path}.wiki`;
  await app.as(project.owner).post(`/projects/${project.id}/wikis`, { title: 'home', content: 'Hello' });
  t.is((await clone(t, app, full_path)).code, 0);
  for (const [role, may] of [
    ['reporter', false],
    ['developer', true],
  ] as const) {
    const user = await app.build.member(project, role);
    const work = await workTree(t, app, { full_path }, { as: user });
    await work.commit(`${role}.md`);
    t.is((await work.push(['HEAD:refs/heads/main'])).code === 0, may, role);
  }
  await app.as(project.owner).put(`/projects/${project.id}`, { wiki_access_level: 'private' });
  t.not((await clone(t, app, full_path)).code, 0);
  t.not((await clone(t, app, full_path, { as: await app.build.user() })).code, 0);
  t.is((await clone(t, app, full_path, { as: await app.build.member(project, 'guest') })).code, 0);
});

// Contract: wikis-8.repair
test('a row that is not as in git is read anew from it', async (t) => {
  const project = await app.build.project();
  const as = app.as(project.owner);
  await as.post(`/projects/${project.id}/wikis`, { title: 'home', content: 'Hello' });
  await app.context().query(sql`
    update content_repositories set head_sha = ${'1'.repeat(40)} where project_id = ${project.id}`);
  const said: string[] = [];
  await repairRepositories(app.context(), {}, (line) => said.push(line));
  t.true(
    said.some((line) => line.startsWith(`project wiki ${project.id}: ${'1'.repeat(40)} in the index`)),
    said.join(),
  );
  t.is((await as.get(`/projects/${project.id}/wikis/home`)).body.content, 'Hello');
});

// Contract: wikis-8.wiki_paths
test('a project is not called as the wiki of another; one that ends in .wiki by itself is served by git', async (t) => {
  const project = await app.build.project({ empty: false });
  const { owner } = project;
  const as = app.as(owner);
  const create = (path: string) => as.post('/projects', { name: `Named ${path}`, path, initialize_with_readme: true });
  const rejection = { status: 400, body: { message: { name: ['has already been taken'] } } };
  t.like(await create(`${project.path}.wiki`), rejection);
  t.like(await create(`${project.path}.WIKI`), rejection);
  const alone = await create(`alone-${project.id}.wiki`);
  t.is(alone.status, 201);
  t.like(await create(`alone-${project.id}`), rejection);
  const work = await workTree(t, app, { full_path: alone.body.path_with_namespace }, { as: owner });
  await work.commit('more.txt');
  const pushed = await work.push(['HEAD:refs/heads/main']);
  t.is(pushed.code, 0, pushed.stderr);
  t.is((await as.get(`/projects/${alone.body.id}/repository/files/more.txt?ref=main`)).status, 200);
  t.is((await as.get(`/projects/${project.id}/wikis`)).body.length, 0);
});

// Contract: wikis-8.wiki_paths
test('renames, transfers, new groups and archives ask the same rule [unverified: groups are told of their path]', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const other = await app.build.group({ owner });
  const as = app.as(owner);
  const make = async (namespace: { id: number }, path: string) => {
    const { status, body } = await as.post('/projects', { name: path, path, namespace_id: namespace.id });
    t.is(status, 201, path);
    return body as { id: number };
  };
  const [, renamed] = [await make(group, 'rocket'), await make(group, 'named')];
  const away = await make(other, 'rocket.wiki');
  const messages = ['has already been taken'];
  t.like(await as.put(`/projects/${renamed.id}`, { path: 'Rocket.Wiki' }), {
    status: 400,
    body: { message: { name: messages } },
  });
  t.is(
    (await as.put(`/projects/${renamed.id}`, { path: 'named.wiki' })).status,
    200,
    'a project may take the place of its own wiki',
  );
  t.like(await as.put(`/projects/${away.id}/transfer`, { namespace: group.id }), { status: 400 });
  // Projects of these names are where the wikis of such groups would be.
  const subgroup = (path: string, parent = group) =>
    as.post('/groups', { name: `Named ${path}`, path, parent_id: parent.id });
  t.regex((await subgroup('named')).body.message, /:path=>\["has already been taken"\]/);
  const free = await subgroup('free');
  t.is(free.status, 201);
  t.is((await subgroup('free.wiki')).status, 201, 'a group is no repository');
  t.like(await as.put(`/groups/${free.body.id}`, { path: 'named' }), {
    status: 400,
    body: { message: { path: messages } },
  });
  const moved = await subgroup('rocket', await app.build.group({ owner }));
  t.regex((await as.post(`/groups/${moved.body.id}/transfer`, { group_id: other.id })).body.message, /same path/);
  const form = importForm(sampleArchive([{ id: 1 }]), { name: 'Archive', path: 'rocket', parent_id: String(other.id) });
  t.regex((await as.raw('POST', '/api/v4/groups/import', form)).body.message, /:path=>\["has already been taken"\]/);
});
