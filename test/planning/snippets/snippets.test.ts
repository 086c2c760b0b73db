import { access } from 'node:fs/promises';
import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { contentPath } from '../../../shared/repositories/repositories/content-ref.js';
import { removeGoneContents } from '../../../shared/repositories/repositories/remove-contents.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

const FILES = [
  { file_path: 'fight.rb', content: 'puts 1\n' },
  { file_path: 'notes/a b.md', content: '# A\n' },
];

const isOnDisk = (id: number) =>
  access(contentPath(app.context(), { kind: 'snippet', of: id })).then(
    () => true,
    () => false,
  );

// Contract: snippets-8.record, snippets-8.create, snippets-8.raw, snippets-8.user-agent
test('a snippet of a project has several files, which are read one by one', async (t) => {
  const project = await app.build.project();
  const as = app.as(project.owner);
  const response = await as.post(`/projects/${project.id}/snippets`, {
    title: 'Fight',
    visibility: 'private',
    files: FILES,
  });
  t.is(response.status, 201, response.text);
  const { id, author, created_at, updated_at, ...rest } = response.body;
  t.is(author.id, project.owner.id);
  t.truthy(created_at && updated_at);
  const web_url = `http://capstan.test/${project.full_path}/-/snippets/${id}`;
  t.deepEqual(rest, {
    title: 'Fight',
    description: null,
    visibility: 'private',
    project_id: project.id,
    web_url,
    raw_url: `${web_url}/raw`,
    ssh_url_to_repo: `git@capstan.test:${project.full_path}/snippets/${id}.git`,
    http_url_to_repo: `http://capstan.test/${project.full_path}/snippets/${id}.git`,
    file_name: 'fight.rb',
    files: [
      { path: 'fight.rb', raw_url: `${web_url}/raw/main/fight.rb` },
      { path: 'notes/a b.md', raw_url: `${web_url}/raw/main/notes/a%20b.md` },
    ],
    imported: false,
    imported_from: 'none',
  });
  const path = `/projects/${project.id}/snippets/${id}`;
  t.is((await as.get(`${path}/raw`)).text, 'puts 1\n');
  for (const ref of ['main', 'HEAD'])
    t.is((await as.get(`${path}/files/${ref}/${encodeURIComponent('notes/a b.md')}/raw`)).text, '# A\n');
  t.is((await as.get(`${path}/files/other/fight.rb/raw`)).status, 404);
  t.is((await as.get(`${path}/files/main/other/raw`)).status, 404);
  t.is((await as.get(`${path}/user_agent_detail`)).status, 403);
  const admin = app.as(await app.build.admin());
  t.is((await admin.get(`${path}/user_agent_detail`)).body.akismet_submitted, false);
  t.is((await admin.get(path)).body.repository_storage, 'default');
});

// Contract: snippets-8.update, snippets-8.delete, snippets-8.removed
test('files of a snippet are made, changed, moved and deleted by one edit, and go with it', async (t) => {
  const project = await app.build.project();
  const as = app.as(project.owner);
  const { id } = (await as.post(`/projects/${project.id}/snippets`, { title: 'A', visibility: 'public', files: FILES }))
    .body;
  const path = `/projects/${project.id}/snippets/${id}`;
  const edited = await as.put(path, {
    title: 'B',
    files: [
      { action: 'create', file_path: 'new', content: 'new' },
      { action: 'update', file_path: 'fight.rb', content: 'puts 2\n' },
      { action: 'move', previous_path: 'notes/a b.md', file_path: 'b.md' },
    ],
  });
  t.is(edited.status, 200, edited.text);
  t.is(edited.body.title, 'B');
  t.deepEqual(
    edited.body.files.map((file: { path: string }) => file.path),
    ['b.md', 'fight.rb', 'new'],
  );
  t.is((await as.get(`${path}/files/main/fight.rb/raw`)).text, 'puts 2\n');
  t.is((await as.get(`${path}/files/main/b.md/raw`)).text, '# A\n');
  const several = await as.put(path, { content: 'x' });
  t.is(several.status, 400);
  t.regex(several.body.message.error, /multiple files/);
  const only = { files: ['new', 'b.md'].map((file_path) => ({ action: 'delete', file_path })) };
  t.is((await as.put(path, only)).body.files.length, 1);
  t.is((await as.put(path, { content: 'puts 3\n', file_name: 'c.rb' })).body.file_name, 'c.rb');
  t.is((await as.get(`${path}/raw`)).text, 'puts 3\n');
  t.true(await isOnDisk(id));
  t.is((await as.delete(path)).status, 204);
  t.is((await as.get(path)).body.message, '404 Snippet Not Found');
  await removeGoneContents(app.context());
  t.false(await isOnDisk(id));
});

// Contract: snippets-8.refusals
test('paths outside, eleven files, blank titles and disabled snippets are refused in words', async (t) => {
  const project = await app.build.project();
  const as = app.as(project.owner);
  const snippets = `/projects/${project.id}/snippets`;
  const attributes = { title: 'A', visibility: 'public' };
  const sendInvalid = async (params: object, path = snippets) => {
    const { status, body } = await as.post(path, { ...attributes, ...params });
    t.is(status, 400, JSON.stringify(params).slice(0, 80));
    return body.message?.error ?? body.error;
  };
  for (const file_path of ['../a', 'a/../../b', '/etc/passwd', '.git/config', 'a/.GIT/x', 'a\u0001', 'x'.repeat(300)])
    t.is(await sendInvalid({ files: [{ file_path, content: 'x' }] }), 'file_path should be a valid file path');
  const eleven = Array.from({ length: 11 }, (_, index) => ({ file_path: `f${index}`, content: 'x' }));
  t.is(await sendInvalid({ files: eleven }), 'The files of a snippet are at most 10');
  t.is(await sendInvalid({ title: ' ', content: 'x' }), "Title can't be blank");
  t.is(await sendInvalid({ files: [] }), "Files can't be blank");
  t.is(await sendInvalid({ files: [eleven[0], eleven[0]] }), 'A file with this name already exists');
  t.is(await sendInvalid({}), 'files, content are missing, exactly one parameter must be provided');
  t.is(await sendInvalid({ visibility: 'secret', content: 'x' }), 'visibility does not have a valid value');
  const { id } = (await as.post(snippets, { ...attributes, files: eleven.slice(0, 10) })).body;
  const more = await as.put(`${snippets}/${id}`, { files: [{ action: 'create', file_path: 'g', content: 'x' }] });
  t.is(more.body.message.error, 'The files of a snippet are at most 10');
  const absent = await as.put(`${snippets}/${id}`, { files: [{ action: 'update', file_path: 'g', content: 'x' }] });
  t.deepEqual(absent.body.message, { error: "A file with this name doesn't exist" });
  t.is((await as.get(`${snippets}/${id}/files/main/${encodeURIComponent('../a')}/raw`)).status, 404);
  t.is((await as.get(`${snippets}/2147483648`)).body.message, '404 Snippet Not Found');
  await as.put(`/projects/${project.id}`, { snippets_access_level: 'disabled' });
  t.is((await as.get(snippets)).status, 403);
  t.is((await as.get(`${snippets}/${id}`)).status, 403);
  t.is((await as.post(snippets, { ...attributes, content: 'x' })).status, 403);
});

// Contract: snippets-8.personal
test('personal snippets are listed as own, public and all; without a visibility they are internal', async (t) => {
  const [author, other] = [await app.build.user(), await app.build.user()];
  const as = app.as(author);
  const make = async (params: object) => (await as.post('/snippets', { title: 'A', content: 'x', ...params })).body;
  const [own, open] = [await make({ visibility: 'private' }), await make({ visibility: 'public' })];
  const inside = await make({});
  t.is(inside.visibility, 'internal');
  t.is(own.http_url_to_repo, `http://capstan.test/snippets/${own.id}.git`);
  t.is(own.file_name, 'snippetfile1.txt');
  const ids = async (user: typeof author, list: string) =>
    (await app.as(user).get(`/snippets${list}`)).body.map(({ id }: { id: number }) => id) as number[];
  t.deepEqual(await ids(author, ''), [inside.id, open.id, own.id]);
  t.deepEqual(await ids(other, ''), []);
  t.true((await ids(other, '/public')).includes(open.id));
  t.false((await ids(other, '/public')).includes(inside.id));
  const all = await ids(other, '/all');
  t.deepEqual([all.includes(own.id), all.includes(open.id), all.includes(inside.id)], [false, true, true]);
  t.is((await app.as(other).get(`/snippets/${own.id}`)).status, 404);
  t.is((await app.as(other).put(`/snippets/${open.id}`, { title: 'B' })).status, 403);
  t.is((await app.anonymous.get(`/snippets/${open.id}/raw`)).text, 'x');
  t.is((await app.anonymous.get('/snippets')).status, 401);
});

// Contract: snippets-8.awards, snippets-8.references
test('snippets of projects are given emoji, and are named in texts', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const as = app.as(project.owner);
  const { id } = (
    await as.post(`/projects/${project.id}/snippets`, { title: 'A', visibility: 'private', content: 'x' })
  ).body;
  const awards = `/projects/${project.id}/snippets/${id}/award_emoji`;
  t.like((await as.post(awards, { name: 'rocket' })).body, { awardable_type: 'Snippet', awardable_id: id });
  t.is((await as.get(awards)).body.length, 1);
  const rendered = async (client: typeof as) =>
    (await client.post('/markdown', { text: `$${id}`, gfm: true, project: project.full_path })).body.html as string;
  t.regex(await rendered(as), new RegExp(`/-/snippets/${id}"`));
  t.notRegex(await rendered(app.as(await app.build.user())), /href/);
});

// Contract: snippets-8.gitbeaker
test('@gitbeaker/rest does the whole cycle of snippets', async (t) => {
  const project = await app.build.project();
  const api = new Gitlab({ host: app.url, token: project.owner.token });
  const files = [{ filePath: 'a.rb', content: 'puts 1' }];
  const snippet = await api.ProjectSnippets.create(project.id, 'Fight', { files, visibility: 'private' } as never);
  t.is((await api.ProjectSnippets.show(project.id, snippet.id)).title, 'Fight');
  t.is((await api.ProjectSnippets.all(project.id)).length, 1);
  t.is((await api.ProjectSnippets.edit(project.id, snippet.id, { title: 'Other' } as never)).title, 'Other');
  t.is(await api.ProjectSnippets.showContent(project.id, snippet.id), 'puts 1');
  await api.ProjectSnippets.remove(project.id, snippet.id);
  const own = await api.Snippets.create('Own', { files, visibility: 'private' } as never);
  t.is((await api.Snippets.show(own.id)).title, 'Own');
  t.is((await api.Snippets.edit(own.id, { title: 'Mine' } as never)).title, 'Mine');
  t.is((await api.Snippets.all()).length, 1);
  await api.Snippets.remove(own.id);
  await t.throwsAsync(() => api.Snippets.show(own.id));
});

// Contract: snippets-8.size, snippets-8.removed
test.serial("what snippets take is counted; those of removed users are the ghost's, or gone", async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const admin = app.as(await app.build.admin());
  const authors = [await app.build.groupMember(group, 'developer'), await app.build.groupMember(group, 'developer')];
  const ids: number[] = [];
  for (const author of authors)
    ids.push(
      (
        await app
          .as(author)
          .post(`/projects/${project.id}/snippets`, { title: 'A', visibility: 'public', content: 'x' })
      ).body.id,
    );
  await app.work();
  const { statistics } = (await admin.get(`/projects/${project.id}?statistics=true`)).body;
  t.true(statistics.snippets_size > 0, JSON.stringify(statistics));
  await admin.delete(`/users/${authors[0]?.id}`);
  await admin.delete(`/users/${authors[1]?.id}?hard_delete=true`);
  await app.work();
  const snippets = `/projects/${project.id}/snippets`;
  t.is((await admin.get(`${snippets}/${ids[0]}`)).body.author.username, 'ghost');
  t.is((await admin.get(`${snippets}/${ids[1]}`)).status, 404);
});
