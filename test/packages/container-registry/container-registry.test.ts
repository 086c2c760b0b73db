import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';
import type { TestApp } from '../../core/app.js';
import { startDuePolicies } from '../../../shared/packages/container-registry/clean-up.js';
import { removeImages } from '../../../shared/packages/container-registry/remove-images.js';
import { holdsByKeyset } from '../../core/keyset-walk.js';
import { notify, pushed, getSmallRegistry } from './small-registry.js';

const app = useApp(test);
const none = useApp(test);

test.before(() => getSmallRegistry(app));

/** A project with an image repository. */
async function getImages(tags: readonly string[], { name = '', image = {}, visibility = 'private' } = {}) {
  const project = await app.build.project({ empty: true, visibility });
  const path = name === '' ? project.full_path : `${project.full_path}/${name}`;
  const id = await pushed(app, path, tags, image);
  const at = `/projects/${project.id}/registry/repositories`;
  return { project, owner: app.as(project.owner), path, id, at, one: `${at}/${id}`, tags: `${at}/${id}/tags` };
}

const getNames = (rows: { name: string }[]) => rows.map(({ name }) => name);

// Contract: container-registry-2.list, container-registry-2.get
test('repositories that the registry told of are listed and read, with their tags on request', async (t) => {
  const { project, owner, path, id, at } = await getImages(['v1', 'v2'], { name: 'app' });
  const expected = {
    id,
    name: 'app',
    path,
    project_id: project.id,
    location: `registry.test/${path}`,
    created_at: app.clock.now().toISOString(),
    cleanup_policy_started_at: null,
    cleanup_policy_status: 'cleanup_unscheduled',
    status: null,
  };
  t.deepEqual((await owner.get(at)).body, [expected]);
  const tags = ['v1', 'v2'].map((name) => ({
    name,
    path: `${path}:${name}`,
    location: `registry.test/${path}:${name}`,
  }));
  t.deepEqual((await owner.get(`${at}?tags=true&tags_count=true`)).body, [{ ...expected, tags_count: 2, tags }]);
  await app.work();
  const { body } = await owner.get(`/registry/repositories/${id}?size=true&tags_count=true`);
  t.is(body.tags_count, 2);
  t.true(body.size > 1000);
  t.is(body.delete_api_path, `http://capstan.test/api/v4${at}/${id}`);
  t.is((await app.as(await app.build.user()).get(`/registry/repositories/${id}`)).status, 404);
  t.is(
    (await owner.get(`/projects/${project.id}`)).body.container_registry_image_prefix,
    `registry.test/${project.full_path}`,
  );
});

// Contract: container-registry-2.group
test('a group lists the repositories of its projects and those below that the caller reads', async (t) => {
  const group = await app.build.group({ visibility: 'private' });
  const below = await app.build.group({ owner: group.owner, parent: group, visibility: 'private' });
  const [near, far] = [await app.build.projectIn(group), await app.build.projectIn({ ...below, owner: group.owner })];
  for (const { full_path } of [near, far]) await pushed(app, full_path, ['v1']);
  const list = async (as = app.as(group.owner)) =>
    ((await as.get(`/groups/${group.id}/registry/repositories`)).body as { project_id: number }[]).map(
      (row) => row.project_id,
    );
  t.deepEqual(await list(), [near.id, far.id]);
  const guest = await app.build.groupMember(group, 'guest');
  t.deepEqual(await list(app.as(guest)), []);
  await app.build.member(far, 'reporter', guest);
  t.deepEqual(await list(app.as(guest)), [far.id]);
  await app.as(group.owner).put(`/projects/${near.id}`, { container_registry_access_level: 'disabled' });
  t.deepEqual(await list(), [far.id]);
});

// Contract: interface-4.0.8a.registry-tags, container-registry-2.tags
test('tags are listed by keyset for callers who are signed in', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const { owner, tags, project } = await getImages(names, { visibility: 'public' });
  for (const sort of ['asc', 'desc'] as const)
    await holdsByKeyset(t, {
      order: `order_by=name&sort=${sort}`,
      unsupportedOrders: [],
      by: ['user'],
      ready: () =>
        Promise.resolve({
          as: owner,
          path: `${tags}?`,
          expected: sort === 'asc' ? names : names.toReversed(),
          key: 'name',
        }),
    });
  const keyset = `${tags}?pagination=keyset&order_by=name&sort=asc`;
  t.is((await app.anonymous.get(keyset)).status, 405);
  t.deepEqual(getNames((await app.anonymous.get(`${tags}?per_page=2&page=2`)).body), ['c', 'd']);
  t.is((await owner.get(`${keyset}&cursor=nonsense`)).status, 400);
  t.is((await owner.get(`${tags}?order_by=digest`)).status, 400);
  t.is((await app.anonymous.get(`/projects/${project.id}/registry/repositories/0/tags`)).status, 404);
});

// Contract: container-registry-2.tag
test('a tag is read with what it points at', async (t) => {
  const { owner, tags, path } = await getImages(['v1.0'], { image: { created: '2024-03-01T10:00:00Z' } });
  const { body } = await owner.get(`${tags}/v1.0`);
  t.like(body, {
    name: 'v1.0',
    path: `${path}:v1.0`,
    location: `registry.test/${path}:v1.0`,
    created_at: '2024-03-01T10:00:00.000Z',
    total_size: 1000,
  });
  t.regex(body.digest, /^sha256:[0-9a-f]{64}$/);
  t.is(body.short_revision, body.revision.slice(0, 9));
  for (const name of ['none', '%2e%2e%2f', '%00', 'a%20b', 'x'.repeat(200)])
    t.true([400, 404].includes((await owner.get(`${tags}/${name}`)).status), name);
});

// Contract: container-registry-2.delete-tag
test('a tag is deleted by Developers, and the other tags of its image stay [unverified: answered 200 with a message]', async (t) => {
  const { project, tags, path } = await getImages(['v1', 'v2']);
  const [reporter, developer] = [
    app.as(await app.build.member(project, 'reporter')),
    app.as(await app.build.member(project, 'developer')),
  ];
  t.is((await reporter.delete(`${tags}/v1`)).status, 403);
  t.is((await developer.delete(`${tags}/v1`)).status, 200);
  t.is((await developer.delete(`${tags}/v1`)).status, 404);
  const registry = await getSmallRegistry(app);
  t.deepEqual(registry.tagsOf(path), ['v2']);
});

// Contract: container-registry-2.delete-tag
test.serial('while the registry deletes a tag, no transaction of the database waits for it', async (t) => {
  const { owner, tags } = await getImages(['v1', 'v2']);
  const registry = await getSmallRegistry(app);
  const open: number[] = [];
  registry.meanwhile = async () => {
    const { rows } = await app.services.db.pool.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
    );
    open.push(rows[0]?.open ?? -1);
  };
  t.is((await owner.delete(`${tags}/v1`)).status, 200);
  registry.meanwhile = null;
  t.deepEqual(open, [0, 0, 0, 0, 0]);
});

// Contract: container-registry-2.bulk
test('tags are deleted in bulk by whole names, number and age; latest stays; once an hour', async (t) => {
  const { path, project, tags, owner } = await getImages(['latest', 'keep-1', 'rc-1'], {
    image: { created: '2020-01-01T00:00:00Z' },
  });
  for (const [index, tag] of ['rc-2', 'rc-3', 'rc-4'].entries())
    await pushed(app, path, [tag], { content: tag, created: `202${index + 1}-01-01T00:00:00Z` });
  await pushed(app, path, ['my-rc-9'], { content: 'other', created: '2019-01-01T00:00:00Z' });
  const developer = app.as(await app.build.member(project, 'developer'));
  const query = 'name_regex_delete=rc-.*|keep-.*&name_regex_keep=keep.*&keep_n=1&older_than=1month';
  t.is((await developer.delete(`${tags}?${query}`)).status, 403);
  t.is((await owner.delete(`${tags}?name_regex_delete=(`)).body.error, 'name_regex_delete is an invalid regexp');
  t.is((await owner.delete(tags)).status, 400);
  t.is((await owner.delete(`${tags}?name_regex_delete=.*&older_than=soon`)).status, 400);
  t.is((await owner.delete(`${tags}?${query}`)).status, 202);
  const again = await owner.delete(`${tags}?${query}`);
  t.is(again.status, 400);
  t.regex(again.body.message, /at most once an hour/);
  await app.work();
  t.deepEqual((await getSmallRegistry(app)).tagsOf(path), ['keep-1', 'latest', 'my-rc-9', 'rc-4']);
});

// Contract: container-registry-2.delete
test('a repository is deleted by Maintainers, with its images [unverified: answered 202 with a message]', async (t) => {
  const { path, project, one, owner, id } = await getImages(['v1', 'v2']);
  const developer = app.as(await app.build.member(project, 'developer'));
  t.is((await developer.delete(one)).status, 403);
  t.is((await owner.delete(one)).status, 202);
  t.is((await owner.get(`/registry/repositories/${id}`)).body.status, 'delete_scheduled');
  await app.work();
  t.is((await owner.get(`/registry/repositories/${id}`)).status, 404);
  t.deepEqual((await getSmallRegistry(app)).tagsOf(path), []);
  const { rows } = await app.services.db.pool.query('select 1 from instance_removed_images where path = $1', [path]);
  t.is(rows.length, 0);
});

// Contract: container-registry-3.notifications
test('only the registry tells of images; what is no image, or of no project, is passed over', async (t) => {
  const registry = await getSmallRegistry(app);
  const project = await app.build.project({ empty: true });
  const owner = app.as(project.owner);
  const events = registry.add(project.full_path, ['v1']);
  t.is((await notify(app, { events }, 'wrong')).status, 401);
  const list = async () => (await owner.get(`/projects/${project.id}/registry/repositories`)).body as unknown[];
  t.deepEqual(await list(), []);
  const strange = [null, {}, { action: 'push', target: {} }, ...registry.add('no/such/project', ['v1'])];
  t.is((await notify(app, { events: [...strange, ...events, ...events] })).status, 200);
  t.is((await list()).length, 1);
  for (const body of [null, [], { events: 'none' }]) t.is((await notify(app, body)).status, 200);
});

// Contract: container-registry-3.sizes-of-tags
test('a size counts each blob once, and only what tags keep', async (t) => {
  const { path, project, id, owner } = await getImages(['v1', 'v2']);
  const other = await pushed(app, `${path}/second`, ['v1']);
  const sizes = async () => {
    await app.work();
    const getSize = async (one: number) =>
      (await owner.get(`/registry/repositories/${one}?size=true`)).body.size as number;
    const { statistics } = (await owner.get(`/projects/${project.id}?statistics=true`)).body;
    return [await getSize(id), await getSize(other), statistics.container_registry_size as number];
  };
  const [first = 0, second, all] = await sizes();
  t.true(first > 1000);
  t.deepEqual([second, all], [first, first]);
  const target = {
    repository: path,
    digest: (await owner.get(`/projects/${project.id}/registry/repositories/${id}/tags/v1`)).body.digest,
  };
  await notify(app, { events: [{ action: 'delete', target }] });
  t.deepEqual(await sizes(), [0, first, first]);
});

// Contract: container-registry-4.policy
test('an expiration policy runs at its time, deletes by its rules, and says how far it is', async (t) => {
  const { path, project, owner, id } = await getImages(['a-1', 'latest', 'stable'], {
    image: { created: '2020-01-01T00:00:00Z' },
  });
  const registry = await getSmallRegistry(app);
  await owner.put(`/projects/${project.id}`, {
    container_expiration_policy_attributes: {
      enabled: true,
      cadence: '7d',
      keep_n: null,
      older_than: '30d',
      name_regex_delete: '.*',
      name_regex_keep: 'stable',
    },
  });
  const tick = async () => {
    const ctx = app.context();
    await startDuePolicies(ctx);
    await app.work();
  };
  await tick();
  t.deepEqual(registry.tagsOf(path), ['a-1', 'latest', 'stable']);
  app.clock.advance('7 days');
  await tick();
  t.deepEqual(registry.tagsOf(path), ['latest', 'stable']);
  const { body } = await owner.get(`/registry/repositories/${id}`);
  t.is(body.cleanup_policy_started_at, app.clock.now().toISOString());
  t.is(body.cleanup_policy_status, 'cleanup_unscheduled');
  const { container_expiration_policy: policy } = (await owner.get(`/projects/${project.id}`)).body;
  t.is(policy.next_run_at, new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString());
  await pushed(app, path, ['a-2'], { content: 'later', created: '2020-01-01T00:00:00Z' });
  await tick();
  t.deepEqual(registry.tagsOf(path), ['a-2', 'latest', 'stable'], 'not before its next time');
});

// Contract: container-registry-5.paths
test('a project with tags keeps its path, and so do the groups above it [unverified: the texts]', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const target = await app.build.group({ owner: group.owner });
  const owner = app.as(group.owner);
  await pushed(app, project.full_path, ['v1']);
  const answers = [
    await owner.put(`/projects/${project.id}`, { path: 'another' }),
    await owner.put(`/projects/${project.id}/transfer`, { namespace: target.id }),
    await owner.put(`/groups/${group.id}`, { path: `${group.path}-another` }),
    await owner.post(`/groups/${group.id}/transfer`, { group_id: target.id }),
  ];
  for (const { status, text } of answers) {
    t.is(status, 400);
    t.regex(text, /container registry/);
  }
  t.is((await owner.put(`/projects/${project.id}`, { name: 'Another', description: 'new' })).status, 200);
});

// Contract: container-registry-5.removal
test('images go with their project, and whoever has its path next is not let to them before', async (t) => {
  const { path, project, owner } = await getImages(['v1']);
  const registry = await getSmallRegistry(app);
  await app.set({ deletion_adjourned_period: 0 });
  t.is((await owner.delete(`/projects/${project.id}`)).status, 202);
  await app.work();
  await app.set({ deletion_adjourned_period: 7 });
  t.is((await owner.get(`/projects/${project.id}`)).status, 404);
  t.deepEqual(registry.tagsOf(path), []);
  await app.services.db.pool.query('insert into instance_removed_images (path) values ($1)', [path]);
  t.is((await owner.post('/projects', { path: project.path })).body.path_with_namespace, project.full_path);
  const ask = () =>
    app
      .withHeaders({ Authorization: `Basic ${Buffer.from(`x:${project.owner.token}`).toString('base64')}` })
      .raw('GET', `/jwt/auth?service=container_registry&scope=repository:${path}:pull`);
  const access = async () =>
    JSON.parse(Buffer.from((await ask()).body.token.split('.')[1], 'base64url').toString()).access;
  t.deepEqual(await access(), []);
  await removeImages(app.context());
  t.is((await access()).length, 1);
});

// Contract: container-registry-5.trouble
test('a registry that refuses, talks nonsense or hangs up is 503 within its time, and nothing is deleted', async (t) => {
  const own = none as TestApp;
  const registry = await getSmallRegistry(own);
  const project = await own.build.project({ empty: true });
  const owner = own.as(project.owner);
  const id = await pushed(own, project.full_path, ['v1']);
  const tags = `/projects/${project.id}/registry/repositories/${id}/tags`;
  for (const trouble of ['error', 'nonsense', 'cut'] as const) {
    registry.trouble = trouble;
    t.is((await owner.get(tags)).status, 503, trouble);
    t.is((await owner.delete(`${tags}/v1`)).status, 503, trouble);
  }
  registry.trouble = 'none';
  t.deepEqual(getNames((await owner.get(tags)).body), ['v1']);
  own.services.config.registry = null;
  t.deepEqual((await owner.get(tags)).body, []);
  t.is((await owner.get(`${tags}/v1`)).status, 404);
});

// Contract: container-registry-5.audit
test('deletions stand in the audit log', async (t) => {
  const { project, owner, one, tags } = await getImages(['v1', 'v2']);
  await owner.delete(`${tags}/v1`);
  await owner.delete(`${tags}?name_regex_delete=x`);
  await owner.delete(one);
  const { body } = await owner.get(`/projects/${project.id}/audit_events`);
  const events = (body as { event_name: string }[]).map(({ event_name }) => event_name);
  for (const name of ['container_repository_tags_deleted', 'container_repository_deletion_marked'])
    t.true(events.includes(name), name);
});

// Contract: container-registry-6.client
test("@gitbeaker/rest's ContainerRegistry does its whole cycle", async (t) => {
  const { project, id } = await getImages(['a', 'b', 'c']);
  const client = new Gitlab({ host: app.url, token: project.owner.token }).ContainerRegistry;
  t.is((await client.allRepositories({ projectId: project.id })).length, 1);
  t.is((await client.showRepository(id)).id, id);
  t.deepEqual(getNames(await client.allTags(project.id, id)), ['a', 'b', 'c']);
  t.is((await client.showTag(project.id, id, 'a')).name, 'a');
  await client.removeTag(project.id, id, 'a');
  await client.removeTags(project.id, id, 'b');
  await app.work();
  t.deepEqual(getNames(await client.allTags(project.id, id)), ['c']);
  await client.removeRepository(project.id, id);
  await app.work();
  t.is((await client.allRepositories({ projectId: project.id })).length, 0);
});
