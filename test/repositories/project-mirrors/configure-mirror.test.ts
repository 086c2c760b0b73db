import test from 'ava';
import { sql } from 'kysely';
import { openImportUrl } from '../../../shared/tenancy/projects/project-secrets.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);
const URL_OF_UPSTREAM = 'https://example.com/upstream.git';

async function project() {
  const newProject = await app.build.project({ empty: true });
  const path = `/projects/${newProject.id}/mirror/pull`;
  const owner = app.as(newProject.owner);
  return { ...newProject, path, as: owner, put: (body: object) => owner.put(path, body) };
}

/** The URL as it is stored, with its credentials. */
async function storedUrl(id: number): Promise<string | null> {
  const ctx = app.context();
  const [row] = await app.services.db.query<{ import_url: Uint8Array | null }>(sql`
    select s.import_url as "import_url" from project_settings s where s.project_id = ${id}`);
  return row?.import_url ? openImportUrl(ctx, id, row.import_url).href : null;
}

// Contract: interface-2.10.mirror.configure
test('a mirror is set up, changed and ended by its own path, as editing the project does', async (t) => {
  const { id, path, as, put, owner } = await project();
  const { status, body } = await put({ enabled: true, url: URL_OF_UPSTREAM, only_mirror_protected_branches: true });
  t.is(status, 200, JSON.stringify(body));
  t.like(body, {
    enabled: true,
    url: URL_OF_UPSTREAM,
    update_status: 'scheduled',
    only_mirror_protected_branches: true,
    mirror_trigger_builds: false,
    mirror_overwrites_diverged_branches: false,
  });
  t.deepEqual((await as.get(path)).body, body);
  t.like((await as.get(`/projects/${id}`)).body, { mirror: true, mirror_user_id: owner.id });
  const changed = await put({ mirror_overwrites_diverged_branches: true, only_mirror_protected_branches: false });
  t.like(changed.body, { only_mirror_protected_branches: false, mirror_overwrites_diverged_branches: true });
  const answer = await put({ enabled: false });
  t.is(answer.status, 200);
  t.like(answer.body, { id: null, enabled: false, url: URL_OF_UPSTREAM, update_status: 'none' });
  t.is((await as.get(path)).status, 400);
  t.is((await as.get(`/projects/${id}`)).body.mirror, false);
});

// Contract: interface-2.10.mirror.configure
test('credentials are stored beside the address, kept with it, never shown, and never sent elsewhere', async (t) => {
  const { id, as, put } = await project();
  const { body } = await put({ enabled: true, url: URL_OF_UPSTREAM, auth_user: 'bot', auth_password: 'p@ss/1' });
  t.is(body.url, URL_OF_UPSTREAM);
  t.is(await storedUrl(id), 'https://bot:p%40ss%2F1@example.com/upstream.git');
  await put({ url: URL_OF_UPSTREAM });
  t.is(await storedUrl(id), 'https://bot:p%40ss%2F1@example.com/upstream.git', 'the address that is shown keeps them');
  await put({ auth_password: 'other' });
  t.is(await storedUrl(id), 'https://bot:other@example.com/upstream.git');
  await put({ url: 'https://elsewhere.example/upstream.git' });
  t.is(await storedUrl(id), 'https://elsewhere.example/upstream.git');
  const { body: events } = await as.get(`/projects/${id}/audit_events`);
  t.true(JSON.stringify(events).includes('import'));
  t.false(JSON.stringify(events).includes('p@ss'));
});

// Contract: interface-2.10.mirror.configure
test('a mirror needs a URL that may be fetched, a Maintainer and something to set', async (t) => {
  const { id, path, put } = await project();
  t.is((await put({})).status, 400);
  t.deepEqual((await put({ enabled: true })).body, { message: { import_url: ["can't be blank"] } });
  t.deepEqual((await put({ enabled: true, url: 'file:///etc/passwd' })).body, {
    message: { import_url: ['is blocked: Only allowed schemes are http, https, git'] },
  });
  t.deepEqual((await put({ enabled: true, url: 'no url' })).body, {
    message: { import_url: ['is blocked: URI is invalid'] },
  });
  t.deepEqual((await put({ enabled: 'maybe' })).body, { error: 'enabled is invalid' });
  t.is(await storedUrl(id), null);
  const developer = await app.build.member({ id }, 'developer');
  t.is((await app.as(developer).put(path, { enabled: true, url: URL_OF_UPSTREAM })).status, 403);
  t.is((await app.anonymous.put(path, { enabled: true })).status, 401);
  t.is((await app.as(await app.build.user()).put(path, { enabled: true })).status, 404);
});
