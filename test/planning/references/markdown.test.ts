import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: markdown-2.endpoint
test('a text is rendered, with references and emoji where that is asked for', async (t) => {
  const project = await app.build.project({ visibility: 'private' });
  const { owner } = project;
  const caller = app.as(owner);
  const plain = await caller.post('/markdown', { text: 'Hello **world** :tada: #1' });
  t.is(plain.status, 201);
  t.deepEqual(plain.body, { html: '<p dir="auto">Hello <strong>world</strong> :tada: #1</p>' });
  await caller.post(`/projects/${project.id}/issues`, { title: 'One' });
  for (const reference of [project.full_path, String(project.id)]) {
    const full = await caller.post('/markdown', { text: 'Hello :tada: #1', gfm: true, project: reference });
    t.is(full.status, 201);
    t.true(full.body.html.includes('<gl-emoji title="party popper" data-name="tada">🎉</gl-emoji> <a href='));
  }
  t.deepEqual((await caller.post('/markdown', { text: '' })).body, { html: '' });
});

// Contract: markdown-2.errors
test('who is not signed in, what is missing or too long, and a project that is not to be seen are refused', async (t) => {
  const owner = await app.build.user();
  const hidden = await app.build.project();
  const caller = app.as(owner);
  const missing = await caller.post('/markdown', { gfm: true });
  t.is(missing.status, 400);
  t.deepEqual(missing.body, { error: 'text is missing' });
  const bad = await caller.post('/markdown', { text: 'a', gfm: 'perhaps' });
  t.is(bad.status, 400);
  t.deepEqual(bad.body, { error: 'gfm is invalid' });
  const long = await caller.post('/markdown', { text: 'a'.repeat(1_048_577) });
  t.is(long.status, 400);
  t.deepEqual(long.body, { message: { text: ['is too long (maximum is 1048576 characters)'] } });
  for (const project of [hidden.full_path, String(hidden.id), 'no/such', '0']) {
    const answer = await caller.post('/markdown', { text: 'a', project });
    t.is(answer.status, 404);
    t.deepEqual(answer.body, { message: '404 Project Not Found' });
  }
  t.is((await app.anonymous.post('/markdown', { text: 'a' })).status, 401);
  const reading = await app.build.user({ scopes: ['read_api'] });
  t.is((await app.as(reading).post('/markdown', { text: 'a' })).status, 403);
});

// Contract: markdown-2.gitbeaker
test('@gitbeaker/rest renders a text', async (t) => {
  const user = await app.build.user();
  const { Markdown } = new Gitlab({ host: app.url, token: user.token });
  const rendered = await Markdown.render(`@${user.username}`, { gfm: 'true' });
  t.true(rendered.html.includes(`data-user="${user.id}"`));
});

// Contract: markdown-2.long
test('a long text is rendered on a thread, and the event loop goes on meanwhile', async (t) => {
  const user = await app.build.user();
  const text = 'Words *and* more of them, with @nobody-there in between. '.repeat(15_000);
  let turns = 0;
  const turn = setInterval(() => (turns += 1), 1);
  const answer = await app.as(user).post('/markdown', { text, gfm: true });
  clearInterval(turn);
  t.is(answer.status, 201);
  t.true(answer.body.html.startsWith('<p dir="auto">Words <em>and</em> more of them, with @nobody-there in'));
  t.true(turns > 3);
});

// Contract: markdown-3.shown
test('descriptions of projects and groups show their references to whom they lead somewhere', async (t) => {
  const owner = await app.build.user();
  const stranger = await app.build.user();
  const group = await app.build.group({ owner, visibility: 'public' });
  const project = await app.build.projectIn(group, { visibility: 'public' });
  const secret = await app.as(owner).post(`/projects/${project.id}/issues`, { title: 'One', confidential: true });
  t.is(secret.status, 201);
  await app.as(owner).put(`/projects/${project.id}`, { description: 'As #1 says' });
  await app.as(owner).put(`/groups/${group.id}`, { description: `As ${project.path}#1 says` });
  const query = `{ group(fullPath: "${group.full_path}") { descriptionHtml projects { nodes { descriptionHtml } } } }`;
  for (const [reader, sees] of [
    [owner, true],
    [stranger, false],
  ] as const) {
    const html = (await app.as(reader).get(`/projects/${project.id}`)).body.description_html as string;
    const found = (await app.as(reader).graphql(query)).body.data.group;
    const all = [html, found.descriptionHtml, found.projects.nodes[0].descriptionHtml] as string[];
    for (const html of all) t.is(html.includes('gfm-issue'), sees, html);
    if (!sees)
      t.deepEqual(
        all,
        ['As #1 says', `As ${project.path}#1 says`, 'As #1 says'].map((text) => `<p dir="auto">${text}</p>`),
      );
  }
});
