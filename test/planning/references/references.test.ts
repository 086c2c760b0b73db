import test from 'ava';
import type { BuiltUser } from '../../core/builders.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

/** A text as a caller sees it. */
async function html(user: BuiltUser, text: string, project?: { id: number } | string): Promise<string> {
  const reference = typeof project === 'object' ? String(project.id) : project;
  const answer = await app
    .as(user)
    .post('/markdown', { text, gfm: true, ...(reference ? { project: reference } : {}) });
  return answer.body.html;
}

const getText = (markup: string) => markup.replace(/<[^>]*>/g, '');

async function milestone(columns: { project_id?: number; namespace_id?: number }, iid: number, title: string) {
  const now = app.context().clock.now();
  const [row] = await app.context().query<{ id: number }>(sql`
    insert into milestones (project_id, namespace_id, iid, title, created_at, updated_at)
    values (${columns.project_id ?? null}, ${columns.namespace_id ?? null}, ${iid}, ${title}, ${now}, ${now}) returning id`);
  return row?.id as number;
}

async function label(columns: { project_id?: number; namespace_id?: number }, title: string) {
  const now = app.context().clock.now();
  const [row] = await app.context().query<{ id: number }>(sql`
    insert into labels (project_id, namespace_id, title, color, created_at, updated_at)
    values (${columns.project_id ?? null}, ${columns.namespace_id ?? null}, ${title}, '#112233', ${now}, ${now}) returning id`);
  return row?.id as number;
}

async function issue(author: BuiltUser, project: { id: number }, attributes: Record<string, unknown> = {}) {
  const response = await app.as(author).post(`/projects/${project.id}/issues`, { title: 'Engine', ...attributes });
  return response.body as { id: number; iid: number; web_url: string };
}

// Contract: markdown-1.references, markdown-1.attributes
test('issues, labels, milestones, users and groups become links with the attributes of the public API', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner, visibility: 'public' });
  const project = await app.build.projectIn(group, { visibility: 'public' });
  const newIssue = await issue(owner, project, { title: 'A "quoted" <title>' });
  const bug = await label({ project_id: project.id }, 'bug');
  const labelId = await label({ namespace_id: group.id }, 'two words');
  const first = await milestone({ project_id: project.id }, 1, 'v1.0');
  const shared = await milestone({ namespace_id: group.id }, 1, 'Next year');
  const base = newIssue.web_url.split(`/${project.full_path}`)[0];
  const show = (text: string) => html(owner, text, project);

  const link = `<a href="${newIssue.web_url}" class="gfm gfm-issue" data-reference-type="issue" data-project="${project.id}" data-issue="${newIssue.id}" title="A &quot;quoted&quot; &lt;title&gt;">`;
  t.is(await show('See #1.'), `<p dir="auto">See ${link}#1</a>.</p>`);
  t.is(await show(`${project.full_path}#1`), `<p dir="auto">${link}#1</a></p>`);
  t.is(await show(`**${project.path}#1**`), `<p dir="auto"><strong>${link}#1</a></strong></p>`);
  t.is(await show(newIssue.web_url), `<p dir="auto">${link}#1</a></p>`);
  t.is(await show(`[these *words*](${newIssue.web_url})`), `<p dir="auto">${link}these <em>words</em></a></p>`);

  const listed = (name: string) => `${base}/${project.full_path}/-/issues?label_name=${encodeURIComponent(name)}`;
  t.true((await show('~bug')).includes(`<a href="${listed('bug')}" class="gfm gfm-label"`));
  t.true((await show(`~${bug}`)).includes(`data-label="${bug}"`));
  t.true((await show('~"two words"')).includes(`data-label="${labelId}"`));
  t.is(getText(await show('~"two words" and ~bug: so')), 'two words and bug: so');

  t.true((await show('%v1.0, or')).includes(`data-milestone="${first}" title="v1.0">%v1.0</a>, or`));
  t.true((await show('%1')).includes(`data-milestone="${first}"`));
  const next = await show('%"Next year"');
  t.true(next.includes(`<a href="${base}/groups/${group.full_path}/-/milestones/1" class="gfm gfm-milestone"`));
  t.true(next.includes(`data-milestone="${shared}"`));

  t.true(
    (await show(`@${owner.username}.`)).includes(
      `<a href="${base}/${owner.username}" class="gfm gfm-project_member" data-reference-type="user" data-user="${owner.id}" title="${owner.name}">@${owner.username}</a>.`,
    ),
  );
  t.true((await show(`@${group.full_path}`)).includes(`href="${base}/groups/${group.full_path}"`));
});

// Contract: markdown-1.elsewhere
test('what lies elsewhere is named by its path, as short as it is clear', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const here = await app.build.projectIn(group);
  const beside = await app.build.projectIn(group);
  const far = await app.build.project({ owner });
  await issue(owner, beside);
  await issue(owner, far);
  await label({ project_id: far.id }, 'bug');
  await milestone({ project_id: far.id }, 1, 'v1');
  const show = async (text: string) => html(owner, text, here);

  t.is(getText(await show(`${beside.full_path}#1`)), `${beside.path}#1`);
  t.true((await show(`${beside.path}#1`)).includes('gfm-issue'));
  t.is(getText(await show(`${far.full_path}#1`)), `${far.full_path}#1`);
  t.is(getText(await show(`${far.full_path}~bug`)), `bug in ${far.full_path}`);
  t.is(getText(await show(`${far.full_path}%v1`)), `%v1 in ${far.full_path}`);
  // A path without a group is of the same namespace.
  t.false((await show(`${far.path}#1`)).includes('<a'));
  // Without a project nothing is "here".
  t.false((await html(owner, '#1 ~bug')).includes('<a'));
  t.is(getText(await html(owner, `${far.full_path}#1`)), `${far.full_path}#1`);
});

// Contract: markdown-1.commits
test('commits and ranges become links for those who read the code', async (t) => {
  const project = await app.build.project({ visibility: 'private' });
  const { owner } = project;
  const guest = await app.build.user();
  await app.build.member(project, 'guest', guest);
  const [commit] = (await app.as(owner).get(`/projects/${project.id}/repository/commits`)).body;
  const { id: sha, title } = commit as { id: string; title: string };
  const short = sha.slice(0, 8);
  const rendered = await html(owner, `${sha.slice(0, 7)} and ${sha}`, project);
  t.is(getText(rendered), `${short} and ${short}`);
  t.true(rendered.includes(`/${project.full_path}/-/commit/${sha}" class="gfm gfm-commit"`));
  t.true(rendered.includes(`title="${title}"`));
  const range = await html(owner, `${project.full_path}@${short}...${short}`);
  t.true(range.includes(`/-/compare/${sha}...${sha}" class="gfm gfm-commit_range"`));
  t.is(getText(range), `${project.full_path}@${short}...${short}`);
  for (const text of [sha, `${project.full_path}@${sha}`, 'deadbeef0', 'main'])
    t.is(await html(guest, text, project), `<p dir="auto">${text}</p>`);
});

// Contract: markdown-1.hidden
test('what a reader may not see stays as it was written, as what is not there does', async (t) => {
  const owner = await app.build.user();
  const stranger = await app.build.user();
  const group = await app.build.group({ owner });
  const hidden = await app.build.projectIn(group);
  await issue(owner, hidden);
  await label({ namespace_id: group.id }, 'bug');
  await milestone({ namespace_id: group.id }, 1, 'v1');
  const open = await app.build.project({ owner, visibility: 'public' });
  const secret = await issue(owner, open, { confidential: true });
  const path = hidden.full_path;
  const texts = [
    `${path}#1`,
    `${path}#2`,
    `${path}~bug`,
    `${group.full_path}~bug`,
    `${group.full_path}%v1`,
    `@${group.full_path}`,
    '@nobody-there',
    '#1',
    '#99',
    `${open.full_path}#${secret.iid}`,
  ];
  for (const text of texts) {
    t.is(await html(stranger, text, open), `<p dir="auto">${text}</p>`, text);
    if (!/there|#2|#99/.test(text)) t.true((await html(owner, text, open)).includes('class="gfm '), text);
  }
  // A link stays the link that it was.
  const bare = await html(stranger, secret.web_url, open);
  t.is(
    bare,
    `<p dir="auto"><a href="${secret.web_url}" rel="nofollow noreferrer noopener" target="_blank">${secret.web_url}</a></p>`,
  );
});

// Contract: markdown-1.verbatim
test('nothing in code, links or words is a reference', async (t) => {
  const project = await app.build.project();
  const { owner } = project;
  await issue(owner, project);
  const name = owner.username;
  const texts = [
    '`#1`',
    '```\n#1\n```',
    '    #1',
    '[a #1](/b)',
    '<kbd>#1</kbd>',
    'a#1b',
    'ä#1',
    '##1',
    '#1x',
    `mail@${name}`,
    `x/@${name}`,
    '$#1$',
    '<a title="#1">x</a>',
    '![#1](/b.png)',
  ];
  for (const text of texts) t.false((await html(owner, text, project)).includes('gfm'), text);
  for (const text of ['(#1)', '#1,', '"#1"', '- #1', '> #1', '# #1', '|#1|\n|-|', '<b>#1</b>', 'ab cd#1 #1'])
    t.true((await html(owner, text, project)).includes('gfm-issue'), text);
});

// Contract: markdown-1.statements
test.serial('a page of texts costs at most four statements more with references, however many', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const project = await app.build.projectIn(group);
  await label({ project_id: project.id }, 'bug');
  await milestone({ namespace_id: group.id }, 1, 'v1');
  for (let count = 0; count < 5; count += 1) await issue(owner, project);
  const ctx = app.build.contextOf(owner);
  const texts = (mark: string) =>
    Array.from({ length: 20 }, (_, at) => ({
      written: Array.from({ length: 10 }, (_x, one) => `${mark}${(one % 5) + 1} ${mark}${one + at} @${owner.username}`)
        .join(' ')
        .concat(` ${mark}9 ~bug %v1 deadbee1 ${project.full_path}${mark}2`),
      form: 'text' as const,
      container: { kind: 'project' as const, id: project.id },
    }));
  let rendered: string[] = [];
  const cost = await app.statementsOf(async () => {
    rendered = await ctx.services.markdown.htmlOf(ctx, texts('#'));
  });
  t.true(cost <= 4, String(cost));
  t.is(rendered.length, 20);
  for (const one of rendered)
    for (const kind of ['issue', 'label', 'milestone', 'project_member']) t.true(one.includes(kind));
});
