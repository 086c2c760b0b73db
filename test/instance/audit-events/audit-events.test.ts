import test from 'ava';
import { auditedGroup, auditedInstance, auditedProject } from '../../../shared/instance/audit-events/audit-note.js';
import type { AuditedEntity } from '../../../shared/instance/audit-events/audit-note.js';
import { UserCaller } from '../../../shared/core/context/callers.js';
import { insertAuditEvents } from '../../../shared/instance/audit-events/insert-audit-events.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Answer } from '../../core/client.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);
const ids = ({ body }: Answer) => (body as { id: number }[]).map(({ id }) => id);
const names = ({ body }: Answer) => (body as { event_name: string }[]).map((event) => event.event_name);
/** The relation and the query of each link of an answer. */
const next = ({ headers }: Answer) => /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

/** Writes an event as a user, at an optional time, and returns its id. */
async function record(by: BuiltUser | null, entity: AuditedEntity, at?: string): Promise<number> {
  const ctx = by ? app.build.contextOf(by) : app.context();
  await insertAuditEvents([{ ctx, note: { event: 'example', entity, message: 'An example' } }]);
  const row = await queryOne<{ id: number }>(
    ctx,
    sql`
    select max(id) as id from audit_events where entity_type = ${entity.type} and entity_id = ${entity.id}`,
  );
  if (at) await ctx.query(sql`update audit_events set created_at = ${at} where id = ${row?.id}`);
  return row?.id as number;
}

/** A project or a group with members of all roles, its audit log and its name there. */
async function createContainer(kind: 'projects' | 'groups') {
  if (kind === 'projects') {
    const project = await app.build.project({ empty: true });
    return { ...project, kind, entity: auditedProject(project), path: `/projects/${project.id}/audit_events` };
  }
  const group = await app.build.group();
  return { ...group, kind, entity: auditedGroup(group), path: `/groups/${group.id}/audit_events` };
}

const member = (
  at: { kind: 'projects' | 'groups'; id: number },
  role: 'guest' | 'developer' | 'maintainer' | 'owner',
) => (at.kind === 'projects' ? app.build.member(at, role) : app.build.groupMember(at, role));

// Contract: core-9.audit
test('an event says who changed what of what, from where, and the values before and after', async (t) => {
  const [admin, project] = [await app.build.admin(), await app.build.project({ visibility: 'private' })];
  await app.as(project.owner).put(`/projects/${project.id}`, { visibility: 'public' });
  const { status, body } = await app.as(project.owner).get(`/projects/${project.id}/audit_events`);
  t.is(status, 200);
  const { id, ...event } = body[0];
  t.deepEqual(event, {
    author_id: project.owner.id,
    entity_id: project.id,
    entity_type: 'Project',
    event_name: 'project_updated',
    details: {
      custom_message: 'Changed visibility from "private" to "public"',
      author_name: project.owner.name,
      target_id: project.id,
      target_type: 'Project',
      target_details: project.full_path,
      ip_address: '127.0.0.1',
      entity_path: project.full_path,
      change: 'visibility',
      from: 'private',
      to: 'public',
      changes: { visibility: { from: 'private', to: 'public' } },
    },
    created_at: '2030-01-01T00:00:00.000Z',
  });
  for (const path of [`/projects/${project.id}/audit_events/${id}`, `/audit_events/${id}`])
    t.deepEqual((await app.as(admin).get(path)).body, { id, ...event });
});

test('values before and after are told as texts, and in changes as they are', async (t) => {
  const [admin, group] = [await app.build.admin(), await app.build.group()];
  await app.as(group.owner).put(`/groups/${group.id}`, {
    membership_lock: true,
    default_branch_protection_defaults: { allow_force_push: true },
  });
  const { body } = await app.as(admin).get(`/groups/${group.id}/audit_events?per_page=100`);
  const details = (body as { details: Record<string, unknown> }[]).map((event) => event.details);
  const lock = details.find(({ change }) => change === 'membership_lock');
  t.deepEqual([lock?.from, lock?.to], ['false', 'true']);
  t.deepEqual(lock?.changes, { membership_lock: { from: false, to: true } });
  t.true(details.some(({ changes }) => typeof changes === 'object'));
  for (const { from, to } of details)
    for (const value of [from, to]) t.true(['string', 'undefined'].includes(typeof value) || value === null);
});

// Contract: core-9.audit.instance
test("the instance's log is for administrators, newest first", async (t) => {
  const admin = await app.build.admin();
  const event = await record(admin, auditedInstance);
  const { status, body } = await app.as(admin).get('/audit_events?per_page=100');
  t.is(status, 200);
  const listed = body.map(({ id }: { id: number }) => id);
  t.true(listed.includes(event));
  t.deepEqual(
    listed,
    listed.toSorted((a: number, b: number) => b - a),
  );
  const user = await app.build.user();
  for (const path of ['/audit_events', `/audit_events/${event}`]) {
    const rejection = await app.as(user).get(path);
    t.deepEqual([rejection.status, rejection.body], [403, { message: '403 Forbidden' }]);
    t.is((await app.anonymous.get(path)).status, 401);
  }
});

// Contract: core-9.audit.instance
test("the instance's log is narrowed to a kind of entity, to one entity, and to a time", async (t) => {
  const [admin, project] = [await app.build.admin(), await app.build.project({ empty: true })];
  const first = await record(admin, auditedProject(project), '2029-01-01T00:00:00Z');
  const second = await record(admin, auditedProject(project), '2029-06-01T00:00:00Z');
  const list = (query: string) => app.as(admin).get(`/audit_events?per_page=100&${query}`);
  const mine = `entity_type=Project&entity_id=${project.id}`;
  t.deepEqual(ids(await list(mine)).slice(0, 2), [second, first]);
  t.deepEqual(ids(await list(`${mine}&created_before=2029-03-01T00:00:00Z`)), [first]);
  t.deepEqual(ids(await list(`${mine}&created_before=2029-01-01T00:00:00Z`)), [first], 'on the moment itself too');
  t.deepEqual(ids(await list(`${mine}&created_after=2029-06-01T00:00:00Z&created_before=2029-12-01T00:00:00Z`)), [
    second,
  ]);
  t.true(
    (await list('entity_type=Group')).body.every((event: { entity_type: string }) => event.entity_type === 'Group'),
  );
  t.deepEqual(ids(await list('entity_type=Project&entity_id=99999999')), []);
  const answers = [
    await list('entity_id=1'),
    await list('entity_type=Planet'),
    await list('created_after=soon'),
    await list('entity_type=Project&entity_id=one'),
    await list('order_by=created_at'),
  ];
  t.deepEqual(
    answers.map(({ status, body }) => [status, body.error]),
    [
      [400, 'entity_type is missing'],
      [400, 'entity_type does not have a valid value'],
      [400, 'created_after is invalid'],
      [400, 'entity_id is invalid'],
      [400, 'order_by does not have a valid value'],
    ],
  );
});

for (const kind of ['projects', 'groups'] as const) {
  test(`${kind}: keepers see the whole log, other members what they did themselves, and strangers nothing`, async (t) => {
    const at = await createContainer(kind);
    const [low, keeper] = [
      await member(at, kind === 'projects' ? 'developer' : 'maintainer'),
      await member(at, kind === 'projects' ? 'maintainer' : 'owner'),
    ];
    const guest = await member(at, 'guest');
    const [theirs, other] = [await record(low, at.entity), await record(keeper, at.entity)];
    for (const who of [keeper, at.owner, await app.build.admin()]) {
      t.deepEqual(ids(await app.as(who).get(at.path)).slice(0, 2), [other, theirs]);
      t.is((await app.as(who).get(`${at.path}/${theirs}`)).status, 200);
    }
    t.deepEqual(ids(await app.as(low).get(at.path)), [theirs]);
    t.is((await app.as(low).get(`${at.path}/${theirs}`)).body.id, theirs);
    const hidden = await app.as(low).get(`${at.path}/${other}`);
    t.deepEqual([hidden.status, hidden.body], [404, { message: '404 Audit Event Not Found' }]);
    t.deepEqual(ids(await app.as(guest).get(at.path)), []);
    const stranger = await app.build.user();
    t.is((await app.as(stranger).get(at.path)).status, 404);
    t.is((await app.anonymous.get(at.path)).status, 401);
    const visible = kind === 'projects' ? 'projects' : 'namespaces';
    await app
      .context()
      .query(
        visible === 'projects'
          ? sql`update projects set visibility = 'public' where id = ${at.id}`
          : sql`update namespaces set visibility = 'public' where id = ${at.id}`,
      );
    const rejection = await app.as(stranger).get(at.path);
    t.deepEqual([rejection.status, rejection.body], [403, { message: '403 Forbidden' }]);
  });

  test(`${kind}: a log has no events of another one`, async (t) => {
    const [at, elsewhere] = [await createContainer(kind), await createContainer(kind)];
    const other = await record(at.owner, elsewhere.entity);
    t.false(ids(await app.as(at.owner).get(at.path)).includes(other));
    for (const id of [other, 99999999]) {
      const { status, body } = await app.as(at.owner).get(`${at.path}/${id}`);
      t.deepEqual([status, body], [404, { message: '404 Audit Event Not Found' }]);
    }
  });

  test(`${kind}: a log is read by keyset, newest first, every page but the empty one with a link to the next`, async (t) => {
    const at = await createContainer(kind);
    for (let index = 0; index < 5; index += 1) await record(at.owner, at.entity);
    const all = ids(await app.as(at.owner).get(at.path));
    const pages: number[][] = [];
    let path: string | undefined = `${at.path}?pagination=keyset&order_by=id&sort=desc&per_page=2`;
    while (path && pages.length < 20) {
      const answer: Answer = await app.as(at.owner).get(path);
      t.is(answer.headers.get('x-page'), null);
      pages.push(ids(answer));
      path = next(answer);
    }
    t.deepEqual(pages.flat(), all);
    t.deepEqual(pages.at(-1), [], 'the last page is empty and links nowhere');
    t.deepEqual((await app.as(at.owner).get(`${at.path}?pagination=keyset&cursor=nonsense`)).body, {
      error: 'cursor is invalid',
    });
    const ascending = await app.as(at.owner).get(`${at.path}?pagination=keyset&sort=asc`);
    t.deepEqual(
      [ascending.status, ascending.body],
      [405, { error: 'Keyset pagination is not yet available for this type of request' }],
    );
    t.deepEqual(ids(await app.as(at.owner).get(`${at.path}?sort=asc`)), all.toReversed());
    t.is((await app.as(at.owner).get(`${at.path}?per_page=2`)).headers.get('x-total'), String(all.length));
  });
}

// Contract: core-9.audit.keyset
test("the instance's log is read by keyset as well", async (t) => {
  const admin = await app.build.admin();
  const project = await app.build.project({ empty: true });
  for (let index = 0; index < 3; index += 1) await record(admin, auditedProject(project));
  const filter = `entity_type=Project&entity_id=${project.id}`;
  const first = await app.as(admin).get(`/audit_events?pagination=keyset&per_page=2&${filter}`);
  const second = await app.as(admin).get(next(first) as string);
  const all = ids(await app.as(admin).get(`/audit_events?${filter}`));
  t.deepEqual([...ids(first), ...ids(second)], all.slice(0, 4));
});

// Contract: core-9.audit.window
test("a group's log is read in the newest 30 days of what is asked for [unverified]", async (t) => {
  const at = await createContainer('groups');
  const times = ['2029-10-01T00:00:00Z', '2029-11-15T00:00:00Z', '2029-12-10T00:00:00Z', '2029-12-31T00:00:00Z'];
  const createdIds: number[] = [];
  for (const time of times) createdIds.push(await record(at.owner, at.entity, time));
  const [october, november, december, last] = createdIds;
  const list = async (query: string) =>
    ids(await app.as(at.owner).get(`${at.path}${query}`)).filter((id) => createdIds.includes(id));
  t.deepEqual(await list(''), [last, december]);
  t.deepEqual(await list('?created_after=2029-01-01'), [last, december]);
  t.deepEqual(await list('?created_after=2029-12-20'), [last]);
  t.deepEqual(await list('?created_before=2029-12-11'), [december, november]);
  t.deepEqual(await list('?created_after=2029-09-15&created_before=2029-10-05'), [october]);
  t.is((await app.as(at.owner).get(`${at.path}/${october}`)).status, 200, 'one by its id is there whatever its age');
});

test('what several callers do in one transaction is written at its end by one statement, each with its author', async (t) => {
  const project = await app.build.project({ empty: true });
  const [other, ctx] = [await app.build.user(), app.build.contextOf(project.owner)];
  // Rows of one statement have the same `cmin`.
  const log = () =>
    ctx.query<{ event: string; author: number; statement: string }>(sql`
      select event_name as event, author_id as author, cmin::text as statement from audit_events
       where entity_type = 'Project' and entity_id = ${project.id} and event_name <> 'project_created' order by id`);
  let during: unknown[] | null = null;
  await ctx.transaction(async () => {
    ctx.record({ type: 'project.archived', project });
    ctx.as(new UserCaller(other)).record({ type: 'project.unarchived', project });
    ctx.record({ type: 'project.restored', project });
    during = await log();
  });
  t.deepEqual(during, []);
  const rows = await log();
  t.deepEqual(
    rows.map(({ event, author }) => ({ event, author })),
    [
      { event: 'project_archived', author: project.owner.id },
      { event: 'project_unarchived', author: other.id },
      { event: 'project_restored', author: project.owner.id },
    ],
  );
  t.is(new Set(rows.map(({ statement }) => statement)).size, 1);
});

test('what was not committed is not in the log', async (t) => {
  const project = await app.build.project({ empty: true });
  const ctx = app.build.contextOf(project.owner);
  const undone = ctx.transaction(() => {
    ctx.record({ type: 'project.archived', project });
    return Promise.reject(new Error('undone'));
  });
  await t.throwsAsync(undone, { message: 'undone' });
  const rows = await ctx.query(sql`
    select id from audit_events where entity_type = 'Project' and entity_id = ${project.id} and event_name = 'project_archived'`);
  t.deepEqual(rows, []);
});

// Serial: every other test reads the log.
// Contract: core-9.audit.plan
test.serial('without Premium there is no audit log to read, and it goes on being written', async (t) => {
  const [admin, at] = [await app.build.admin(), await createContainer('projects')];
  await app.set({ plan: 'free' });
  const statuses = [];
  for (const path of ['/audit_events', '/audit_events/1', at.path, `${at.path}/1`])
    statuses.push((await app.as(admin).get(path)).status);
  await app.as(at.owner).put(`/projects/${at.id}`, { visibility: 'internal' });
  await app.set({ plan: 'ultimate' });
  t.deepEqual(statuses, [403, 403, 403, 403]);
  t.is(names(await app.as(at.owner).get(at.path))[0], 'project_updated');
});

// Contract: core-9.audit
test('what is not done is not in the log', async (t) => {
  const at = await createContainer('projects');
  const before = ids(await app.as(at.owner).get(at.path));
  await app.as(at.owner).post(`/projects/${at.id}/access_tokens`, { name: '', scopes: ['api'] });
  await app.as(at.owner).put(`/projects/${at.id}`, { visibility: 'secret' });
  await app.as(at.owner).post(`/projects/${at.id}/protected_tags`, { name: '' });
  t.deepEqual(ids(await app.as(at.owner).get(at.path)), before);
});

// Contract: core-9.audit
test('with sudo the author is the user that the administrator acts as [unverified]', async (t) => {
  const [admin, at] = [await app.build.admin(), await createContainer('projects')];
  await app.as(admin).with({ Sudo: at.owner.username }).put(`/projects/${at.id}`, { visibility: 'internal' });
  t.is((await app.as(at.owner).get(at.path)).body[0].author_id, at.owner.id);
});
