import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { basic, clone } from '../../repositories/git-http/git-client.js';
import { workTree } from '../../repositories/git-http/push-client.js';

const app = useApp(test);

const snippetIn = async (project: { id: number; owner: { token: string } }, visibility = 'private') =>
  (
    await app
      .as(project.owner as never)
      .post(`/projects/${project.id}/snippets`, { title: 'A', visibility, content: 'puts 1\n', file_name: 'a.rb' })
  ).body as { id: number };

// Contract: snippets-8.git
test('a snippet is cloned and pushed with git, and the API shows what a push brought', async (t) => {
  const project = await app.build.project();
  const snippet = await snippetIn(project);
  const path = `/projects/${project.id}/snippets/${snippet.id}`;
  for (const full_path of [`${project.full_path}/snippets/${snippet.id}`]) {
    const work = await workTree(t, app, { full_path }, { as: project.owner });
    t.is(await readFile(join(work.folder, 'a.rb'), 'utf8'), 'puts 1\n');
    await work.commit('b.rb', 'puts 2\n');
    const pushed = await work.push(['HEAD:refs/heads/main']);
    t.is(pushed.code, 0, pushed.stderr);
    const { body } = await app.as(project.owner).get(path);
    t.deepEqual(
      body.files.map((file: { path: string }) => file.path),
      ['a.rb', 'b.rb'],
    );
    t.is((await app.as(project.owner).get(`${path}/files/main/b.rb/raw`)).text, 'puts 2\n');
    for (const refs of [['HEAD:refs/heads/other'], ['HEAD:refs/tags/v1'], [':refs/heads/main']])
      t.regex(Object.values((await work.push(refs)).refs)[0] ?? '', /one branch/);
    for (let index = 0; index < 9; index += 1) await work.commit(`f${index}`, 'x');
    t.regex(Object.values((await work.push(['HEAD:refs/heads/main'])).refs)[0] ?? '', /at most 10/);
  }
  // By its id alone it is the same one, elsewhere.
  const headers = basic('x', project.owner.token);
  const moved = await app
    .withHeaders(headers)
    .raw('GET', `/snippets/${snippet.id}.git/info/refs?service=git-upload-pack`);
  t.is(moved.status, 301);
});

// Contract: snippets-8.git
test('who may not see a snippet does not clone it, and who may not change it does not push', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const [open, hidden] = [await snippetIn(project, 'public'), await snippetIn(project)];
  const getPath = ({ id }: { id: number }) => `${project.full_path}/snippets/${id}`;
  t.is((await clone(t, app, getPath(open))).code, 0);
  const stranger = await app.build.user();
  t.not((await clone(t, app, getPath(hidden), { as: stranger })).code, 0);
  const work = await workTree(t, app, { full_path: getPath(open) }, { as: stranger });
  await work.commit('b.rb');
  const rejection = await work.push(['HEAD:refs/heads/main']);
  t.not(rejection.code, 0);
  t.regex(rejection.stderr, /403|not allowed/);
  const own = (await app.as(stranger).post('/snippets', { title: 'A', visibility: 'private', content: 'x' })).body;
  const mine = await workTree(t, app, { full_path: `snippets/${own.id}` }, { as: stranger });
  await mine.commit('b.rb');
  t.is((await mine.push(['HEAD:refs/heads/main'])).code, 0);
  t.not((await clone(t, app, `snippets/${own.id}`, { as: project.owner })).code, 0);
});
