import test from 'ava';
import { useApp } from '../core/app.js';
import type { BuiltUser } from '../core/builders.js';
import { signIn } from '../core/signed-in.js';
import { ELSEWHERE, WITHOUT_PAGE } from './addresses-without-page.js';

const app = useApp(test);

const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

type Json = Record<string, unknown>;

/** Each `web_url` and `…_url` in an answer, with the key that has it; a `web_path` as the address that it is a part of. */
function urlsIn(value: unknown, found = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) for (const one of value) urlsIn(one, found);
  else if (value !== null && typeof value === 'object')
    for (const [key, child] of Object.entries(value as Json)) {
      if (typeof child === 'string' && /(?:^|_)url$/.test(key)) found.set(child, key);
      else if (typeof child === 'string' && key === 'web_path') found.set(app.services.config.externalUrl + child, key);
      else urlsIn(child, found);
    }
  return found;
}

/** A group with a project and one of everything in it that has an address. */
async function sandbox() {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const project = await app.build.projectIn(group, { empty: false });
  const as = app.as(owner);
  const of = `/projects/${project.id}`;
  await as.post(`${of}/repository/commits`, {
    branch: 'main',
    commit_message: 'Say who may use it',
    actions: [{ action: 'create', file_path: 'LICENSE', content: 'Use it as you like.' }],
  });
  await as.post(`${of}/repository/branches`, { branch: 'fix/valve', ref: 'main' });
  await as.post(`${of}/repository/commits`, {
    branch: 'fix/valve',
    commit_message: 'Mend the valve',
    actions: [{ action: 'create', file_path: 'src/valve (new).ts', content: 'open' }],
  });
  await as.post(`${of}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const { body: issue } = await as.post(`${of}/issues`, { title: 'It leaks' });
  const { body: request } = await as.post(`${of}/merge_requests`, {
    title: 'Mend it',
    source_branch: 'fix/valve',
    target_branch: 'main',
  });
  await as.post(`${of}/milestones`, { title: 'First' });
  await as.post(`/groups/${group.id}/milestones`, { title: 'Second' });
  await as.post(`${of}/snippets`, {
    title: 'Notes',
    visibility: 'private',
    files: [{ file_path: 'a.md', content: 'a' }],
  });
  await as.post('/snippets', { title: 'Own notes', files: [{ file_path: 'b/c d.md', content: 'b' }] });
  const { body: epic } = await as.post(`/groups/${group.id}/epics`, { title: 'Wide' });
  await as.post(`/groups/${group.id}/epics/${epic.iid}/issues/${issue.id}`);
  await as.post(`${of}/boards`, { name: 'Plan' });
  const { body: pipeline } = await as.post(`${of}/pipeline`, { ref: 'main' });
  const sha = (await as.get(`${of}/repository/branches/main`)).body.commit.id as string;
  await as.post(`${of}/statuses/${sha}`, {
    state: 'success',
    name: 'test',
    ref: 'main',
    target_url: 'https://elsewhere.example.com/1',
  });
  const schedule = await app.build.schedule({ project, owner });
  await as.raw('PUT', `/api/v4${of}/packages/generic/nozzle/1.0.0/nozzle.tgz`, 'what it holds');
  for (const [kind, record] of [
    ['issues', issue],
    ['merge_requests', request],
  ] as const)
    await as.post(`${of}/${kind}/${record.iid}/todo`);
  await app.work();
  const paths = [
    '/user',
    `/users/${owner.id}`,
    '/projects?membership=true',
    of,
    `${of}?license=true`,
    `${of}/issues`,
    `${of}/issues/${issue.iid}`,
    `${of}/merge_requests`,
    `${of}/merge_requests/${request.iid}`,
    `${of}/milestones`,
    `${of}/boards`,
    `${of}/snippets`,
    '/snippets',
    `${of}/pipelines`,
    `${of}/pipelines/${pipeline.id}`,
    `${of}/jobs`,
    `${of}/pipeline_schedules/${schedule.id}`,
    '/pipeline_schedules',
    `${of}/repository/branches`,
    `${of}/repository/tags`,
    `${of}/repository/commits?ref_name=fix/valve`,
    `${of}/repository/commits/${sha}`,
    `${of}/repository/commits/${sha}/statuses`,
    `${of}/repository/compare?from=main&to=fix/valve`,
    `${of}/members/all`,
    `${of}/events`,
    `${of}/environments`,
    '/groups',
    `/groups/${group.id}`,
    `/groups/${group.id}/milestones`,
    `/groups/${group.id}/epics`,
    `/groups/${group.id}/epics/${epic.iid}`,
    `/groups/${group.id}/members`,
    `/groups/${group.id}/projects`,
    '/namespaces',
    '/todos',
    `${of}/packages`,
    `/groups/${group.id}/packages`,
  ];
  return { owner, paths, project };
}

/** The status of a page for its owner's browser, which follows redirects. */
async function getStatus(cookie: string, path: string): Promise<number> {
  const { status, headers } = await app.withHeaders({ ...HTML, Cookie: cookie }).raw('GET', path);
  return status === 303 ? getStatus(cookie, headers.get('location') ?? '') : status;
}

async function getCookie(user: BuiltUser): Promise<string> {
  return (await signIn(app, user)).cookie;
}

// Contract: web.addresses
test('every address in a record leads to a page, but those that are listed with the reason', async (t) => {
  t.timeout(120_000);
  const { owner, paths } = await sandbox();
  const cookie = await getCookie(owner);
  const base = app.services.config.externalUrl;
  const urls = new Map<string, string>();
  for (const path of paths) {
    const { status, body } = await app.as(owner).raw('GET', `/api/v4${path}`);
    t.is(status, 200, path);
    urlsIn(body, urls);
  }
  const here = [...urls].filter(([url]) => url.startsWith(`${base}/`));
  t.true(here.length >= 18, `${here.length}`);
  for (const [url, key] of here) {
    const path = url.slice(base.length);
    if (WITHOUT_PAGE.some(([form]) => form.test(path))) continue;
    t.is(await getStatus(cookie, path), 200, `${key}: ${path}`);
  }
  const listed = here.filter(([url]) => WITHOUT_PAGE.some(([form]) => form.test(url.slice(base.length))));
  for (const [url] of listed.filter(([found]) => found.includes('/-/')))
    if (!url.includes('/uploads/') && !url.includes('/identicons/'))
      t.is(await getStatus(cookie, url.slice(base.length)), 404, `${url} has a page now: the list is too long`);
});

// Contract: web.addresses
test('every field of a record that is called an address is of one that the walk saw, or is listed', async (t) => {
  t.timeout(120_000);
  const { owner, paths } = await sandbox();
  const { body: document } = await app.as(owner).raw('GET', '/api/v4/openapi.json');
  const keys = new Set<string>();
  for (const path of paths)
    for (const key of urlsIn((await app.as(owner).raw('GET', `/api/v4${path}`)).body).values()) keys.add(key);
  const schemas = (document as { components: { schemas: Record<string, { properties?: Json }> } }).components.schemas;
  const unknown = Object.entries(schemas)
    .filter(([name]) => !name.endsWith('Body') && !name.endsWith('Settings'))
    .flatMap(([name, { properties = {} }]) => Object.keys(properties).map((key) => [`${name}.${key}`, key] as const))
    .filter(([field, key]) => /(?:^|_)url$/.test(key) && !keys.has(key) && !(field in ELSEWHERE))
    .map(([field]) => field);
  t.deepEqual(unknown, []);
});
