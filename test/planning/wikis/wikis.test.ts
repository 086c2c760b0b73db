import { access } from 'node:fs/promises';
import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { sql } from 'kysely';
import { contentPath } from '../../../shared/repositories/repositories/content-ref.js';
import { removeGoneContents } from '../../../shared/repositories/repositories/remove-contents.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { KINDS } from '../containers.js';
import { pageParts } from '../../../shared/planning/wikis/front-matter.js';

const app = useApp(test);

const createContainer = async (kind: (typeof KINDS)[number]) => {
  const container = kind === 'project' ? await app.build.project({ empty: true }) : await app.build.group();
  return { owner: container.owner, id: container.id, wikis: `/${kind}s/${container.id}/wikis` };
};

for (const kind of KINDS) {
  // Contract: wikis-8.record, wikis-8.list, wikis-8.get, wikis-8.create, wikis-8.update, wikis-8.delete
  test(`pages of the wiki of a ${kind} are made, read, moved by title and deleted`, async (t) => {
    const { owner, id: of, wikis } = await createContainer(kind);
    const as = app.as(owner);
    t.deepEqual((await as.get(wikis)).body, []);
    const content = '---\ntitle: The start\n---\n# Hello\n';
    const response = await as.post(wikis, { title: 'docs/My page', content });
    t.is(response.status, 201, response.text);
    const { wiki_page_meta_id: id, ...rest } = response.body;
    const front_matter = { title: 'The start' };
    const page = { slug: 'docs/My-page', title: 'My page', format: 'markdown' };
    t.deepEqual(rest, { ...page, content, encoding: 'UTF-8', front_matter });
    t.is(typeof id, 'number');
    t.is((await as.post(wikis, { title: 'docs/My page', content, format: 'org' })).status, 422);
    t.deepEqual((await as.get(wikis)).body, [{ ...page, wiki_page_meta_id: id }]);
    t.deepEqual((await as.get(`${wikis}?with_content=true`)).body, [response.body]);
    const at = (slug: string) => `${wikis}/${encodeURIComponent(slug)}`;
    t.deepEqual((await as.get(at(page.slug))).body, response.body);
    t.regex((await as.get(`${at(page.slug)}?render_html=true`)).body.content, /<h1[^>]*>.*Hello/);
    const column = sql.raw(kind === 'project' ? 'project_id' : 'namespace_id');
    const [row] = await app.context().query<{ sha: string }>(sql`
      select c.head_sha as "sha" from content_repositories c where c.${column} = ${of}`);
    const moved = await as.put(at(page.slug), { title: 'Other page', content: 'Bye' });
    t.is(moved.status, 200, moved.text);
    t.like(moved.body, { slug: 'docs/Other-page', content: 'Bye', wiki_page_meta_id: id });
    t.is((await as.put(at('docs/Other-page'), { title: '/Top' })).body.slug, 'Top');
    t.is((await as.get(at(page.slug))).body.message, '404 Wiki Page Not Found');
    t.is((await as.get(`${at(page.slug)}?version=${row?.sha}`)).body.content, content);
    t.is((await as.delete(at('Top'))).status, 204);
    t.is((await as.delete(at('Top'))).status, 404);
    t.deepEqual((await as.get(wikis)).body, []);
  });

  // Contract: wikis-8.create, wikis-8.get
  test(`pages of a ${kind} have four formats, and other than Markdown is shown as it is written`, async (t) => {
    const { owner, wikis } = await createContainer(kind);
    const as = app.as(owner);
    for (const format of ['markdown', 'rdoc', 'asciidoc', 'org']) {
      const response = await as.post(wikis, { title: format, content: '<b>*x*</b>', format });
      t.is(response.body.format, format);
      const html = (await as.get(`${wikis}/${format}?render_html=true`)).body.content as string;
      if (format === 'markdown') t.notRegex(html, /<pre>/);
      else t.is(html, '<pre>&lt;b&gt;*x*&lt;/b&gt;</pre>');
    }
    t.is((await as.put(`${wikis}/org`, { format: 'rdoc' })).body.format, 'rdoc');
    t.is((await as.get(wikis)).body.length, 4);
  });

  // Contract: wikis-8.refusals
  test(`slugs that lead outside of the wiki of a ${kind}, or are too long, are refused`, async (t) => {
    const { owner, wikis } = await createContainer(kind);
    const as = app.as(owner);
    await as.post(wikis, { title: 'home', content: 'x' });
    const long = `${'a'.repeat(200)}/`.repeat(5) + 'a'.repeat(20);
    t.is(Buffer.byteLength(long), 1025);
    for (const title of [
      '..',
      '../a',
      'a/../../b',
      '.git',
      '.git/config',
      'a/.GIT/b',
      long,
      'é'.repeat(130),
      'a\u0001',
    ]) {
      t.is((await as.post(wikis, { title, content: 'x' })).status, 400, title);
      t.is((await as.put(`${wikis}/home`, { title })).status, 400, title);
      // A client takes it out of the URL.
      if (title === '..') continue;
      const slug = `${wikis}/${encodeURIComponent(title)}`;
      t.is((await as.get(slug)).body.message, '404 Wiki Page Not Found', title);
      t.is((await as.delete(slug)).status, 404, title);
    }
    t.is((await as.post(wikis, { title: 'a', content: 'x', format: 'html' })).status, 400);
    t.is((await as.post(wikis, { title: ' ', content: 'x' })).status, 400);
    t.is((await as.get(`${wikis}/home?version=HEAD`)).status, 404);
    t.is((await as.get(`${wikis}/home?version=${'0'.repeat(40)}`)).status, 404);
  });
}

// Contract: wikis-8.role, wikis-8.group
test('by role, visibility and level every read path shows the wiki to the same people', async (t) => {
  t.timeout(240_000);
  const roles = ['guest', 'planner', 'reporter', 'developer'] as const;
  for (const kind of KINDS)
    for (const visibility of ['private', 'internal', 'public']) {
      const container =
        kind === 'project'
          ? await app.build.project({ visibility, empty: true })
          : await app.build.group({ visibility });
      const path = `/${kind}s/${container.id}`;
      const wikis = `${path}/wikis`;
      await app.as(container.owner).post(wikis, { title: 'home', content: 'x' });
      const readers: [string, BuiltUser | null][] = [
        ['nobody', null],
        ['stranger', await app.build.user()],
        ['external', await app.build.user({ external: true })],
        ['admin', await app.build.admin()],
      ];
      for (const role of roles)
        readers.push([
          role,
          kind === 'project'
            ? await app.build.member(container as never, role)
            : await app.build.groupMember(container as never, role),
        ]);
      for (const level of kind === 'project' ? ['enabled', 'private', 'disabled'] : ['enabled']) {
        if (kind === 'project') await app.as(container.owner).put(path, { wiki_access_level: level });
        for (const [name, user] of readers) {
          const client = user ? app.as(user) : app.anonymous;
          const context = `${name}, ${visibility} ${kind}, ${level}`;
          const member = !['nobody', 'stranger', 'external'].includes(name);
          const seesContainer = member || visibility === 'public' || (visibility === 'internal' && name === 'stranger');
          const reads = seesContainer && level !== 'disabled' && (member || level === 'enabled');
          const status = reads ? 200 : seesContainer ? 403 : 404;
          for (const end of ['', '?with_content=1', '/home', '/home?render_html=1'])
            t.is((await client.get(wikis + end)).status, status, `${context} ${end}`);
          const writes = reads && (name === 'developer' || name === 'admin');
          const written = await client.put(`${wikis}/home`, { content: name });
          t.is(written.status === 200, writes, context);
        }
      }
    }
});

// Contract: wikis-8.attachments
test('a file is attached to a wiki, and pages can show it', async (t) => {
  const { owner, wikis } = await createContainer('project');
  const form = new FormData();
  form.append('file', new Blob(['GIF89a']), '../../a b.gif');
  const answer = await fetch(`${app.url}/api/v4${wikis}/attachments`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': owner.token },
    body: form,
  });
  t.is(answer.status, 201);
  const body = (await answer.json()) as { file_path: string };
  t.regex(body.file_path, /^uploads\/[0-9a-f]{32}\/a_b\.gif$/);
  t.deepEqual(body, {
    file_name: 'a_b.gif',
    file_path: body.file_path,
    branch: 'main',
    link: { url: body.file_path, markdown: `![a_b.gif](${body.file_path})` },
  } as never);
  t.deepEqual((await app.as(owner).get(wikis)).body, []);
});

// Contract: wikis-8.size, wikis-8.removed, wikis-8.events
test.serial('a wiki is counted, tells what happened to its pages, and goes with its project', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const as = app.as(group.owner);
  const wikis = `/projects/${project.id}/wikis`;
  const page = (await as.post(wikis, { title: 'home', content: 'x' })).body;
  await as.put(`${wikis}/home`, { title: 'start' });
  await as.delete(`${wikis}/start`);
  const events = (await as.get(`/projects/${project.id}/events?target_type=wiki&sort=asc`)).body as {
    action_name: string;
    target_type: string;
    target_id: number;
    target_title: string;
  }[];
  t.deepEqual(
    events.map(({ action_name, target_title }) => [action_name, target_title]),
    [
      ['created', 'home'],
      ['updated', 'start'],
      ['destroyed', 'start'],
    ],
  );
  t.true(
    events.every(({ target_type, target_id: id }) => target_type === 'WikiPage::Meta' && id === page.wiki_page_meta_id),
  );
  await app.work();
  const { statistics } = (await as.get(`/projects/${project.id}?statistics=true`)).body;
  t.true(statistics.wiki_size > 0);
  const location = contentPath(app.context(), { kind: 'project_wiki', of: project.id });
  await access(location);
  await app.context().query(sql`delete from projects where id = ${project.id}`);
  await removeGoneContents(app.context());
  await t.throwsAsync(() => access(location), { code: 'ENOENT' });
});

// Contract: wikis-8.events
test('what happens to the wiki of a group is told to those who see the group', async (t) => {
  const group = await app.build.group({ visibility: 'private' });
  const [as, stranger] = [app.as(group.owner), app.as(await app.build.user())];
  const wikis = `/groups/${group.id}/wikis`;
  const page = (await as.post(wikis, { title: 'home', content: 'x' })).body;
  await as.put(`${wikis}/home`, { content: 'y' });
  await as.delete(`${wikis}/home`);
  const listEvents = async (path: string, client = as) =>
    (await client.get(`${path}?target_type=wiki&sort=asc`)).body as Record<string, unknown>[];
  const own = await listEvents('/events');
  t.deepEqual(
    own.map(({ action_name, project_id, target_title }) => [action_name, project_id, target_title]),
    [
      ['created', null, 'home'],
      ['updated', null, 'home'],
      ['destroyed', null, 'home'],
    ],
  );
  t.true(
    own.every(({ target_type, target_id }) => target_type === 'WikiPage::Meta' && target_id === page.wiki_page_meta_id),
  );
  t.is((await listEvents(`/users/${group.owner.id}/events`)).length, 3);
  t.deepEqual(await listEvents(`/users/${group.owner.id}/events`, stranger), []);
  await as.put(`/groups/${group.id}`, { visibility: 'public' });
  t.is((await listEvents(`/users/${group.owner.id}/events`, stranger)).length, 3);
});

// Contract: wikis-8.gitbeaker
test('@gitbeaker/rest does the whole cycle of wikis', async (t) => {
  const project = await app.build.project();
  const group = await app.build.group();
  for (const [token, id, name] of [
    [project.owner.token, project.id, 'ProjectWikis'],
    [group.owner.token, group.id, 'GroupWikis'],
  ] as const) {
    const api = new Gitlab({ host: app.url, token })[name];
    t.is((await api.create(id, 'Hello', 'My page')).slug, 'My-page');
    t.is((await api.all(id, { withContent: true })).length, 1);
    t.is((await api.show(id, 'My-page')).content, 'Hello');
    t.is((await api.edit(id, 'My-page', { content: 'Bye' })).content, 'Bye');
    const file = { content: new Blob(['x']), filename: 'a.txt' };
    t.regex((await api.uploadAttachment(id, file)).file_path, /a\.txt$/);
    await api.remove(id, 'My-page');
    await t.throwsAsync(() => api.show(id, 'My-page'));
  }
});

test('of a key that stands twice in front matter the last one counts, among many others', (t) => {
  const keys = Array.from({ length: 2_000 }, (_, at) => `k${at}: ${at}`).join('\n');
  const { front_matter: found, text } = pageParts(`---\ntitle: One\n${keys}\ntitle: Two\n---\nText`);
  t.is(found.title, 'Two');
  t.is(Object.keys(found).length, 2_001);
  t.is(text, 'Text');
});
