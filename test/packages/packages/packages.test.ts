import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { removeReleased } from '../../../shared/core/stored-files/sweep-objects.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { TestApp } from '../../core/app.js';
import { closedByKeyset, holdsByKeyset, NEWEST, OLDEST } from '../../core/keyset-walk.js';
import { sendRaw } from '../../core/raw-request.js';
import { fileAt, getPackageProject, publish } from './publish.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
const getSize = async (id: number) =>
  (
    await queryOne<{ size: number }>(
      app.context(),
      sql`select packages_size as "size" from project_statistics where project_id = ${id}`,
    )
  )?.size;

/** Where the store keeps the files of a project's packages, those included that are to be removed. */
async function storedFiles({ services }: TestApp, projectId: number): Promise<string[]> {
  const { rows } = await services.db.pool.query<{ key: string }>(
    `select o.key from stored_objects o join package_files f on f.object_id = o.id where f.project_id = $1`,
    [projectId],
  );
  return rows.map(({ key }) => path.join(services.config.dataDir, 'objects', key));
}

const basic = (username: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});

// Contract: packages-1.publish, packages-1.select, packages-1.download, packages-1.head
test('a file is published, answered on request, and downloaded as it was [unverified: 200 with select; the newest of one name is served]', async (t) => {
  const { project, developer } = await getPackageProject(app);
  const content = randomBytes(200_000);
  const creation = await publish(developer, project.id, { content });
  t.is(creation.status, 201);
  t.deepEqual(creation.body, { message: '201 Created' });
  const answer = await publish(developer, project.id, {
    file: 'b~1@x.txt',
    query: '?select=package_file',
    content: 'abc',
  });
  t.is(answer.status, 200);
  const file_sha256 = createHash('sha256').update('abc').digest('hex');
  t.like(answer.body, { file_name: 'b~1@x.txt', size: 3, file_sha256, file_md5: null, file_sha1: null });
  const read = await sendRaw(app, {
    method: 'GET',
    path: `/api/v4${fileAt(project.id)}`,
    headers: { 'PRIVATE-TOKEN': project.owner.token },
  });
  t.is(read.status, 200);
  t.is(read.headers.get('content-length'), '200000');
  t.is(read.headers.get('content-type'), 'application/octet-stream');
  t.is(read.headers.get('content-disposition'), 'attachment; filename="a.txt"');
  const response = await fetch(`${app.url}/api/v4${fileAt(project.id)}`, {
    headers: { 'PRIVATE-TOKEN': project.owner.token },
  });
  t.true(Buffer.from(await response.arrayBuffer()).equals(content));
  const head = await developer.head(fileAt(project.id));
  t.is(head.status, 200);
  t.is(head.headers.get('content-length'), '200000');
  t.is((await developer.get(fileAt(project.id, { file: 'none.txt' }))).status, 404);
  t.is((await publish(developer, project.id, { content: 'newer' })).status, 201);
  t.is((await developer.get(fileAt(project.id))).text, 'newer');
});

// Contract: packages-1.ranges
test('a range is answered as one; reversed ones and a thousand are not, and one beyond the end is 416 [unverified: several are answered with the whole]', async (t) => {
  const { project, developer } = await getPackageProject(app);
  await publish(developer, project.id, { content: '0123456789' });
  const ask = (range: string, more: Record<string, string> = {}) =>
    developer.with({ Range: range, ...more }).get(fileAt(project.id));
  const cases: [string, number, string, string | null][] = [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-50', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-50', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=99999999999999999999-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
    [`bytes=${Array.from({ length: 1001 }, () => '0-0').join(',')}`, 200, '0123456789', null],
  ];
  for (const [range, status, text, contentRange] of cases) {
    const answer = await ask(range);
    t.deepEqual(
      [answer.status, answer.text, answer.headers.get('content-range')],
      [status, text, contentRange],
      range.slice(0, 40),
    );
  }
  const etag = (await ask('bytes=0-0')).headers.get('etag') as string;
  t.is((await ask('bytes=0-0', { 'If-Range': etag })).status, 206);
  t.is((await ask('bytes=0-0', { 'If-Range': '"another"' })).status, 200);
  t.is((await developer.with({ 'If-None-Match': etag }).get(fileAt(project.id))).status, 304);
  const empty = await publish(developer, project.id, { file: 'empty', content: '' });
  t.is(empty.status, 201);
  t.is((await developer.get(fileAt(project.id, { file: 'empty' }))).text, '');
});

// Contract: packages-1.names
test('names that could mean something to a path are 400, and nothing is stored [unverified: the texts]', async (t) => {
  const { project, developer, at } = await getPackageProject(app);
  const long = 'a'.repeat(256);
  const bad = [
    '..',
    '%2e%2e',
    'a..b',
    'a%2Fb',
    '%2Fetc',
    'a%00',
    '%252e',
    'a%20b',
    '%7Ea',
    '%40a',
    long,
    'a%0Ab',
    'a%5Cb',
    '%C3%A4',
  ];
  for (const file of bad) {
    const answer = await sendRaw(app, {
      method: 'PUT',
      path: `/api/v4${fileAt(project.id, { file })}`,
      headers: { 'PRIVATE-TOKEN': project.owner.token, 'Content-Type': 'application/octet-stream' },
      body: 'x',
    });
    t.true([400, 404].includes(answer.status), `${file}: ${answer.status}`);
  }
  for (const version of [long, '%252e', 'a..b', 'a%2Fb', 'a~b']) {
    const { status, body } = await publish(developer, project.id, { version });
    t.deepEqual([status, body], [400, { error: 'package_version is invalid' }], version);
  }
  for (const name of [long, '%252e', 'a..b', 'a%2Fb', 'a%40b'])
    t.deepEqual((await publish(developer, project.id, { name })).body, { error: 'package_name is invalid' }, name);
  t.is(
    (await publish(developer, project.id, { name: 'a'.repeat(255), version: 'b'.repeat(255), file: 'c'.repeat(255) }))
      .status,
    201,
  );
  t.is((await developer.get(at)).body.length, 1);
});

// Contract: packages-2.list, packages-2.filters, packages-2.get, packages-2.versions
test("a project's packages are listed by filters and read with their other versions [unverified: hidden ones by status alone]", async (t) => {
  const { project, developer, at } = await getPackageProject(app);
  for (const [name, version] of [
    ['alpha', '1.0'],
    ['alpha', '2.0'],
    ['beta_x', '1.0'],
  ])
    await publish(developer, project.id, { name, version });
  await publish(developer, project.id, { name: 'secret', query: '?status=hidden' });
  const list = async (query = '') => {
    const { status, body } = await developer.get(`${at}${query}`);
    return status === 200
      ? (body as { name: string; version: string }[]).map((row) => `${row.name} ${row.version}`)
      : body;
  };
  t.deepEqual(await list(), ['alpha 1.0', 'alpha 2.0', 'beta_x 1.0']);
  t.deepEqual(await list('?sort=desc&order_by=name'), ['beta_x 1.0', 'alpha 2.0', 'alpha 1.0']);
  t.deepEqual(await list('?order_by=version'), ['alpha 1.0', 'beta_x 1.0', 'alpha 2.0']);
  t.deepEqual(await list('?order_by=type&per_page=2'), ['alpha 1.0', 'alpha 2.0']);
  t.deepEqual(await list('?package_name=LPH'), ['alpha 1.0', 'alpha 2.0']);
  t.deepEqual(await list('?package_name=a_x'), ['beta_x 1.0']);
  t.deepEqual(await list('?package_version=2.0'), ['alpha 2.0']);
  t.deepEqual(await list('?package_type=npm'), []);
  t.deepEqual(await list('?package_type=generic&include_versionless=true'), ['alpha 1.0', 'alpha 2.0', 'beta_x 1.0']);
  t.deepEqual(await list('?status=hidden'), ['secret 1.0']);
  t.deepEqual(await list('?package_type=none'), { error: 'package_type does not have a valid value' });
  const [first, second] = (await developer.get(at)).body as { id: number }[];
  const { body } = await developer.get(`${at}/${first?.id}`);
  t.deepEqual(body, {
    id: first?.id,
    name: 'alpha',
    version: '1.0',
    package_type: 'generic',
    status: 'default',
    _links: {
      web_path: `/${project.full_path}/-/packages/${first?.id}`,
      delete_api_path: `http://capstan.test/api/v4/projects/${project.id}/packages/${first?.id}`,
    },
    created_at: app.clock.now().toISOString(),
    last_downloaded_at: null,
    tags: [],
    pipeline: null,
    pipelines: [],
    versions: [{ id: second?.id, version: '2.0', created_at: app.clock.now().toISOString(), tags: [] }],
  });
  await developer.get(fileAt(project.id, { name: 'alpha' }));
  t.is((await developer.get(`${at}/${first?.id}`)).body.last_downloaded_at, app.clock.now().toISOString());
});

// Contract: packages-2.group
test('a group lists the packages of its projects and those below that the caller reads [unverified: what the project may hide]', async (t) => {
  const group = await app.build.group({ visibility: 'private' });
  const below = await app.build.group({ owner: group.owner, parent: group, visibility: 'private' });
  const [near, far] = [await app.build.projectIn(group), await app.build.projectIn({ ...below, owner: group.owner })];
  const owner = app.as(group.owner);
  for (const project of [near, far]) await publish(owner, project.id, { name: `of-${project.id}` });
  const at = `/groups/${group.id}/packages`;
  const list = async (as = owner, query = '') => (await as.get(`${at}${query}`)).body as Record<string, unknown>[];
  t.deepEqual(
    (await list()).map((row) => [row.project_id, row.project_path]),
    [near, far].map((project) => [project.id, project.full_path]),
  );
  t.is((await list(owner, '?exclude_subgroups=true')).length, 1);
  t.is((await list(owner, '?order_by=project_path&sort=desc&package_name=of-')).length, 2);
  const guest = app.as(await app.build.groupMember(group, 'guest'));
  t.deepEqual(await list(guest), []);
  const reporter = app.as(await app.build.member(far, 'reporter', await app.build.groupMember(group, 'guest')));
  t.deepEqual(
    (await list(reporter)).map((row) => row.project_id),
    [far.id],
  );
  await owner.put(`/projects/${near.id}`, { package_registry_access_level: 'disabled' });
  t.is((await list()).length, 1);
});

// Contract: packages-3.files, packages-3.delete, packages-3.sizes
test('files are listed and deleted, packages too; sizes follow, and the bytes go [unverified: Maintainers delete]', async (t) => {
  const { project, developer, maintainer, at } = await getPackageProject(app);
  for (const [file, content] of [
    ['b', 'four'],
    ['a', 'twelve bytes'],
  ])
    await publish(developer, project.id, { file, content });
  t.is(await getSize(project.id), 16);
  t.is((await maintainer.get(`/projects/${project.id}?statistics=true`)).body.statistics.packages_size, 16);
  const [{ id } = { id: 0 }] = (await developer.get(at)).body as { id: number }[];
  const files = (await developer.get(`${at}/${id}/package_files?order_by=file_name`)).body as Record<string, unknown>[];
  t.deepEqual(
    files.map((file) => [file.package_id, file.file_name, file.size]),
    [
      [id, 'a', 12],
      [id, 'b', 4],
    ],
  );
  const stored = await storedFiles(app, project.id);
  t.deepEqual(
    stored.map((file) => existsSync(file)),
    [true, true],
  );
  const gone = `${at}/${id}/package_files/${String(files[0]?.id)}`;
  t.is((await developer.delete(gone)).status, 403);
  t.is((await maintainer.delete(gone)).status, 204);
  t.is((await maintainer.delete(gone)).status, 404);
  t.is(await getSize(project.id), 4);
  t.is((await developer.delete(`${at}/${id}`)).status, 403);
  t.is((await maintainer.delete(`${at}/${id}`)).status, 204);
  t.is((await maintainer.get(`${at}/${id}`)).status, 404);
  t.is(await getSize(project.id), 0);
  await removeReleased(app.context());
  t.deepEqual(
    stored.filter((file) => existsSync(file)),
    [],
  );
});

// Contract: packages-2.pipelines, interface-4.0.8a.package-pipelines
test('the pipelines of a package are paged by keyset, by descending id and signed in only', async (t) => {
  const { project, developer, at } = await getPackageProject(app, 'public');
  const owner = app.as(project.owner);
  await owner.post(`/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin',
    actions: [{ action: 'create', file_path: 'a', content: 'a' }],
  });
  const createdIds: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    const pipeline = await owner.post(`/projects/${project.id}/pipeline`, { ref: 'main' });
    createdIds.push(pipeline.body.id);
    t.is(
      (await publish(developer, project.id, { file: `f${count}`, query: `?pipeline_id=${pipeline.body.id}` })).status,
      201,
    );
  }
  t.is((await publish(developer, project.id, { query: `?pipeline_id=${createdIds[0]}` })).status, 201);
  t.is((await publish(developer, project.id, { query: '?pipeline_id=999999' })).status, 400);
  const [{ id, pipeline } = { id: 0, pipeline: null }] = (await developer.get(at)).body as {
    id: number;
    pipeline: { id: number } | null;
  }[];
  t.is(pipeline?.id, createdIds[2]);
  const list = { as: developer, path: `${at}/${id}/pipelines?`, expected: createdIds.toReversed(), key: 'id' };
  await holdsByKeyset(t, {
    order: NEWEST,
    unsupportedOrders: OLDEST,
    by: ['user'],
    ready: () => Promise.resolve(list),
  });
  await closedByKeyset(t, app.anonymous, list, 405);
  const [row] = (await developer.get(`${at}/${id}/pipelines`)).body as Record<string, unknown>[];
  t.deepEqual(
    Object.keys(row ?? {}).toSorted(),
    'created_at id iid project_id ref sha source status updated_at user web_url'.split(' '),
  );
});

// Contract: packages-4.roles, packages-4.switch
test('Reporters of a private project read, Developers publish; the switch closes all of it', async (t) => {
  const { project, developer } = await getPackageProject(app);
  await publish(developer, project.id);
  const expected = { guest: [403, 403], reporter: [200, 403], developer: [200, 201], maintainer: [200, 201] } as const;
  for (const [role, [reads, writes]] of Object.entries(expected)) {
    const member = app.as(await app.build.member(project, role as 'guest'));
    t.is((await member.get(fileAt(project.id))).status, reads, role);
    t.is((await member.get(`/projects/${project.id}/packages`)).status, reads, role);
    t.is((await publish(member, project.id, { file: role })).status, writes, role);
  }
  const open = await getPackageProject(app, 'public');
  await publish(open.developer, open.project.id);
  t.is((await app.anonymous.get(fileAt(open.project.id))).status, 200);
  t.is((await publish(app.anonymous, open.project.id)).status, 401);
  const owner = app.as(open.project.owner);
  for (const [level, status] of [
    ['private', 403],
    ['disabled', 403],
    ['public', 200],
  ] as const) {
    await owner.put(`/projects/${open.project.id}`, { package_registry_access_level: level });
    t.is((await app.anonymous.get(fileAt(open.project.id))).status, status, level);
  }
  await owner.put(`/projects/${open.project.id}`, { package_registry_access_level: 'disabled' });
  t.is((await publish(open.developer, open.project.id)).status, 403);
});

// Contract: packages-4.deploy-tokens, deploy-tokens-4.6.packages
test('deploy tokens publish and download by their scopes, by header and as Basic, and do nothing else here [unverified: 403 without the scope]', async (t) => {
  const group = await app.build.group({ visibility: 'private' });
  const project = await app.build.projectIn(group);
  const elsewhere = await getPackageProject(app);
  const owner = app.as(group.owner);
  const make = async (scopes: string[]) =>
    (await owner.post(`/groups/${group.id}/deploy_tokens`, { name: 'ci', scopes })).body as Record<string, string>;
  const [reader, writer] = [await make(['read_package_registry']), await make(['write_package_registry'])];
  const as = ({ token = '', username = '' }) => [
    app.withHeaders({ 'Deploy-Token': token }),
    app.withHeaders(basic(username, token)),
  ];
  for (const client of as(writer)) {
    t.is((await publish(client, project.id)).status, 201);
    t.is((await client.get(fileAt(project.id))).status, 403);
    t.is((await client.get(`/projects/${project.id}/packages`)).status, 404);
    t.is((await publish(client, elsewhere.project.id)).status, 404);
  }
  for (const client of as(reader)) {
    t.is((await client.get(fileAt(project.id))).text, 'some bytes');
    t.is((await publish(client, project.id)).status, 403);
  }
  t.is((await app.withHeaders({ 'Deploy-Token': 'gldt-nobody' }).get(fileAt(project.id))).status, 401);
  t.is((await app.withHeaders(basic('somebody', reader.token ?? '')).get(fileAt(project.id))).status, 401);
  const person = app.withHeaders(basic(group.owner.username, group.owner.token));
  t.is((await publish(person, project.id, { file: 'by-person' })).status, 201);
  await owner.put(`/projects/${project.id}`, { package_registry_access_level: 'disabled' });
  for (const client of [...as(reader), ...as(writer)]) t.is((await client.get(fileAt(project.id))).status, 403);
});

// Contract: packages-5.life
test('packages move with their project, outlive their author, and go with the project', async (t) => {
  const { project, at } = await getPackageProject(app);
  const author = await app.build.member(project, 'developer');
  await publish(app.as(author), project.id);
  const admin = app.as(await app.build.admin());
  t.is((await admin.delete(`/users/${author.id}?hard_delete=true`)).status, 204);
  await app.work();
  const owner = app.as(project.owner);
  t.is((await owner.get(at)).body.length, 1);
  const fork = await owner.post(`/projects/${project.id}/fork`, {
    path: `fork-${project.id}`,
    name: `fork ${project.id}`,
  });
  await app.work();
  t.deepEqual((await owner.get(`/projects/${fork.body.id}/packages`)).body, []);
  const rows = await app.context().query<{ id: number }>(sql`
    select f.object_id as "id" from package_files f where f.project_id = ${project.id}`);
  await app.context().query(sql`delete from projects where id = ${project.id}`);
  const released = await app.context().query<{ id: number }>(sql`
    select o.id as "id" from stored_objects o where o.id = any(${ids(rows)}::bigint[]) and o.removed_at is not null`);
  t.deepEqual(released, rows);
});

// Contract: packages-6.gitbeaker
test('@gitbeaker/rest publishes, downloads, lists and removes', async (t) => {
  const { project } = await getPackageProject(app);
  const { PackageRegistry, Packages } = new Gitlab({ host: app.url, token: project.owner.token });
  const content = new Blob(['from a client']);
  await PackageRegistry.publish(project.id, 'rocket', '1.0', { content, filename: 'a.txt' });
  const file = await PackageRegistry.publish(
    project.id,
    'rocket',
    '1.0',
    { content, filename: 'b.txt' },
    { select: 'package_file' },
  );
  t.like(file, { file_name: 'b.txt', size: 13 });
  t.is((await app.as(project.owner).get(fileAt(project.id))).text, 'from a client');
  const [found] = await Packages.all({ projectId: project.id });
  const { id } = found as unknown as { id: number };
  t.like(await Packages.show(project.id, id), { name: 'rocket', version: '1.0' });
  const files = await Packages.allFiles(project.id, id);
  t.is(files.length, 2);
  await Packages.removeFile(project.id, id, (files[0] as { id: number }).id);
  await Packages.remove(project.id, id);
  t.deepEqual(await Packages.all({ projectId: project.id }), []);
});
