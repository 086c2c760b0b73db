import { access } from 'node:fs/promises';
import test from 'ava';
import { gitStarts } from '../../../shared/git/index.js';
import type { GitStart } from '../../../shared/git/start.js';
import { contentPath } from '../../../shared/repositories/repositories/content-ref.js';
import type { ContentRef } from '../../../shared/repositories/repositories/content-ref.js';
import { removeGoneContents } from '../../../shared/repositories/repositories/remove-contents.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { clone } from '../../repositories/git-http/git-client.js';

const app = useApp(test);

const isOnDisk = (content: ContentRef) =>
  access(contentPath(app.context(), content)).then(
    () => true,
    () => false,
  );

/** A project, or group, with a wiki page; the project with a snippet too. */
async function filled(owner: BuiltUser, path: string): Promise<{ snippet: number }> {
  const as = app.as(owner);
  const page = await as.post(`${path}/wikis`, { title: 'home', content: 'Hello' });
  if (page.status !== 201) throw new Error(page.text);
  if (path.startsWith('/groups')) return { snippet: 0 };
  const attributes = { title: 'Fight', visibility: 'private', file_name: 'a.rb', content: 'puts 1' };
  return { snippet: (await as.post(`${path}/snippets`, attributes)).body.id };
}

// Contract: wikis-8.moved, snippets-8.moved
test('wiki and snippets go with a project that is moved, and are cloned at its new path', async (t) => {
  const owner = await app.build.user();
  const [from, to] = [await app.build.group({ owner }), await app.build.group({ owner })];
  const project = await app.build.projectIn(from, {});
  const path = `/projects/${project.id}`;
  const as = app.as(owner);
  const { snippet } = await filled(owner, path);
  t.is((await as.put(`${path}/transfer`, { namespace: to.id })).status, 200);
  const { path_with_namespace: now } = (await as.get(path)).body;
  t.not(now, project.full_path);
  t.is((await as.get(`${path}/wikis/home`)).body.content, 'Hello');
  const response = (await as.get(`${path}/snippets/${snippet}`)).body;
  t.is(response.http_url_to_repo, `http://capstan.test/${now}/snippets/${snippet}.git`);
  t.is((await as.get(`${path}/snippets/${snippet}/raw`)).text, 'puts 1');
  for (const one of [`${now}.wiki`, `${now}/snippets/${snippet}`])
    t.is((await clone(t, app, one, { as: owner })).code, 0, one);
});

// Contract: wikis-8.moved
test('wikis of a group and of what is in it go with a group that is moved', async (t) => {
  const owner = await app.build.user();
  const [group, to] = [await app.build.group({ owner }), await app.build.group({ owner })];
  const project = await app.build.projectIn(group, {});
  const as = app.as(owner);
  await filled(owner, `/groups/${group.id}`);
  const { snippet } = await filled(owner, `/projects/${project.id}`);
  const moved = await as.post(`/groups/${group.id}/transfer`, { group_id: to.id });
  t.true(moved.status < 300, moved.text);
  const { full_path: now } = (await as.get(`/groups/${group.id}`)).body;
  t.is((await as.get(`/groups/${group.id}/wikis/home`)).body.content, 'Hello');
  t.is((await as.get(`/projects/${project.id}/wikis/home`)).body.content, 'Hello');
  for (const one of [`${now}.wiki`, `${now}/${project.path}.wiki`, `${now}/${project.path}/snippets/${snippet}`])
    t.is((await clone(t, app, one, { as: owner })).code, 0, one);
});

// Contract: wikis-8.forked, snippets-8.forked
test('a fork has neither the wiki nor the snippets of what it was made from', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const { snippet } = await filled(project.owner, `/projects/${project.id}`);
  const forker = app.as(await app.build.user());
  const fork = (await forker.post(`/projects/${project.id}/fork`)).body;
  await app.work();
  t.deepEqual((await forker.get(`/projects/${fork.id}/wikis`)).body, []);
  t.deepEqual((await forker.get(`/projects/${fork.id}/snippets`)).body, []);
  t.is((await forker.get(`/projects/${fork.id}/snippets/${snippet}`)).status, 404);
  // Its own do not touch the others.
  await forker.post(`/projects/${fork.id}/wikis`, { title: 'home', content: 'of the fork' });
  t.is((await app.as(project.owner).get(`/projects/${project.id}/wikis/home`)).body.content, 'Hello');
});

// Contract: wikis-8.removed, snippets-8.removed
test.serial('with a group its wiki, and wikis and snippets of its projects, go from disk', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const project = await app.build.projectIn(group, {});
  await filled(owner, `/groups/${group.id}`);
  const { snippet } = await filled(owner, `/projects/${project.id}`);
  const contents: ContentRef[] = [
    { kind: 'group_wiki', of: group.id },
    { kind: 'project_wiki', of: project.id },
    { kind: 'snippet', of: snippet },
  ];
  for (const content of contents) t.true(await isOnDisk(content), content.kind);
  await app.set({ deletion_adjourned_period: 0 });
  t.is((await app.as(owner).delete(`/groups/${group.id}`)).status, 202);
  await app.work();
  await removeGoneContents(app.context());
  for (const content of contents) t.false(await isOnDisk(content), content.kind);
  await app.set({ deletion_adjourned_period: 7 });
});

// Contract: snippets-8.removed
test.serial("personal snippets of a removed user are the ghost's, or go from disk as well", async (t) => {
  const admin = app.as(await app.build.admin());
  const authors = [await app.build.user(), await app.build.user()];
  const ids: number[] = [];
  for (const author of authors)
    ids.push((await app.as(author).post('/snippets', { title: 'A', visibility: 'public', content: 'x' })).body.id);
  await admin.delete(`/users/${authors[0]?.id}`);
  await admin.delete(`/users/${authors[1]?.id}?hard_delete=true`);
  await app.work();
  await removeGoneContents(app.context());
  t.is((await admin.get(`/snippets/${ids[0]}`)).body.author.username, 'ghost');
  t.is((await admin.get(`/snippets/${ids[0]}/raw`)).text, 'x');
  t.is((await admin.get(`/snippets/${ids[1]}`)).status, 404);
  t.deepEqual(await Promise.all(ids.map((of) => isOnDisk({ kind: 'snippet', of }))), [true, false]);
});

// Contract: wikis-8.removed
test.serial('what a removed user wrote in a wiki stays there', async (t) => {
  const project = await app.build.project();
  const author = await app.build.member(project, 'developer');
  const wikis = `/projects/${project.id}/wikis`;
  await app.as(author).post(wikis, { title: 'home', content: 'Hello' });
  await app.as(await app.build.admin()).delete(`/users/${author.id}?hard_delete=true`);
  await app.work();
  t.is((await app.as(project.owner).get(`${wikis}/home`)).body.content, 'Hello');
});

// Contract: wikis-8.processes, snippets-8.processes
test.serial('a page of a wiki and a file of a snippet are read by at most two processes of git', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, {});
  const as = app.as(group.owner);
  const { snippet } = await filled(group.owner, `/projects/${project.id}`);
  await filled(group.owner, `/groups/${group.id}`);
  // Only the head of a wiki is known without git.
  const path = `/projects/${project.id}`;
  const sha = await clone(t, app, `${project.full_path}.wiki`, { as: group.owner }).then((copy) =>
    copy.inside('rev-parse', 'HEAD'),
  );
  await as.put(`${path}/wikis/home`, { content: 'Bye' });
  const reads = [
    `${path}/wikis/home`,
    `${path}/wikis/home?render_html=true`,
    `${path}/wikis/home?version=${sha.trim()}`,
    `/groups/${group.id}/wikis/home`,
    `${path}/wikis`,
    `${path}/wikis?with_content=true`,
    `${path}/snippets/${snippet}`,
    `${path}/snippets/${snippet}/raw`,
    `${path}/snippets/${snippet}/files/main/a.rb/raw`,
    `/snippets/${snippet}/raw`,
    `${path}/snippets`,
  ];
  for (const url of reads) {
    const commands: string[] = [];
    const hear = (start: unknown) => void commands.push((start as GitStart).command);
    gitStarts.subscribe(hear);
    t.is((await as.get(url)).status, 200, url);
    gitStarts.unsubscribe(hear);
    t.true(commands.length <= 2, `${url}: ${commands.join(', ')}`);
  }
});
