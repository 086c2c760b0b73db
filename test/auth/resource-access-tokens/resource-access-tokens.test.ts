import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

type Kind = 'projects' | 'groups';
interface TestContainer {
  kind: Kind;
  id: number;
  owner: BuiltUser;
}
const KINDS: Kind[] = ['projects', 'groups'];
const singular = (kind: Kind) => kind.slice(0, -1);
const path = ({ kind, id }: TestContainer, rest = '') => `/${kind}/${id}/access_tokens${rest}`;

async function createContainer(kind: Kind): Promise<TestContainer> {
  const container = kind === 'projects' ? await app.build.project() : await app.build.group();
  return { kind, id: container.id, owner: container.owner };
}

const member = (at: TestContainer, role: 'guest' | 'developer' | 'maintainer' | 'owner') =>
  at.kind === 'projects' ? app.build.member(at, role) : app.build.groupMember(at, role);
const create = (at: TestContainer, attributes: Record<string, unknown> = {}, as: BuiltUser = at.owner) =>
  app.as(as).post(path(at), { name: 'robot', scopes: ['api'], ...attributes });
/** The bot of a token, as a caller. */
const getBot = (at: TestContainer, body: { token: string; user_id: number; id: number }): BuiltUser => ({
  ...at.owner,
  id: body.user_id,
  token: body.token,
  token_id: body.id,
});
const memberIds = async (at: TestContainer) =>
  (await app.as(at.owner).get(`/${at.kind}/${at.id}/members`)).body.map((one: { id: number }) => one.id);

// Contract: core-2.bot, core-2.resource
test('a token is made with a bot that is a member of the project or group, and acts as that bot', async (t) => {
  for (const kind of KINDS) {
    const at = await createContainer(kind);
    const { status, body } = await create(at, { scopes: ['read_api', 'api', 'api'], expires_at: '2030-06-01' });
    t.is(status, 201);
    const { id, token, user_id: botId, ...record } = body;
    t.deepEqual(record, {
      name: 'robot',
      description: null,
      revoked: false,
      created_at: '2030-01-01T00:00:00.000Z',
      scopes: ['read_api', 'api'],
      last_used_at: null,
      active: true,
      expires_at: '2030-06-01',
      access_level: 40,
      resource_type: singular(kind),
      resource_id: at.id,
    });
    t.regex(token, /^pat-[\w-]{26}$/);
    const self = (await app.as(getBot(at, body)).get('/user')).body;
    t.is(self.id, botId);
    t.regex(self.username, new RegExp(`^${singular(kind)}_${at.id}_bot_[0-9a-f]+$`));
    t.true(self.bot);
    t.is(self.name, 'robot');
    t.true((await memberIds(at)).includes(botId));
    t.is((await app.as(getBot(at, body)).get(`/${kind}/${at.id}`)).status, 200);
    const read = await app.as(at.owner).get(path(at, `/${id}`));
    t.deepEqual({ ...read.body, last_used_at: null }, { id, user_id: botId, ...record });
  }
});

// Contract: core-2.resource
test("a project's token reaches that project and no other private one, with the role that it was given", async (t) => {
  const at = await createContainer('projects');
  const other = await app.build.project({ owner: at.owner });
  const guest = getBot(at, (await create(at, { access_level: 10 })).body);
  t.is((await app.as(guest).get(`/projects/${at.id}`)).status, 200);
  t.is((await app.as(guest).get(`/projects/${at.id}/repository/tree`)).status, 403);
  t.is((await app.as(guest).get(`/projects/${other.id}`)).status, 404);
  const reader = getBot(at, (await create(at, { access_level: 40, scopes: ['read_api'] })).body);
  t.is((await app.as(reader).get(`/projects/${at.id}/repository/tree`)).status, 200);
  t.is((await app.as(reader).post(`/projects/${at.id}/repository/branches`, { branch: 'x', ref: 'main' })).status, 403);
});

// Contract: core-2.resource
test("a group's token reaches the projects in the group and below it", async (t) => {
  const at = await createContainer('groups');
  const sub = await app.build.group({ parent: at, owner: at.owner });
  const project = await app.build.projectIn({ ...sub, owner: at.owner });
  const bot = getBot(at, (await create(at, { access_level: 30 })).body);
  t.is((await app.as(bot).get(`/projects/${project.id}`)).status, 200);
});

// Contract: core-2.resource.rights
test('Maintainers of a project and Owners of a group keep its tokens; for others they are 401 and 400', async (t) => {
  for (const kind of KINDS) {
    const at = await createContainer(kind);
    const { id } = (await create(at)).body;
    const low = await member(at, kind === 'projects' ? 'developer' : 'maintainer');
    const answers = [
      await app.as(low).get(path(at)),
      await app.as(low).get(path(at, `/${id}`)),
      await app.as(low).get(path(at, '/99999999')),
      await app.as(low).delete(path(at, `/${id}`)),
      await app.as(low).post(path(at, `/${id}/rotate`), {}),
      await create(at, {}, low),
    ];
    const unauthorized = { message: '401 Unauthorized' };
    t.deepEqual(
      answers.map(({ status, body }) => [status, body]),
      [
        ...Array.from({ length: 5 }, () => [401, unauthorized]),
        [400, { message: `400 Bad request - User does not have permission to create ${singular(kind)} access token` }],
      ],
    );
    const enough = await member(at, kind === 'projects' ? 'maintainer' : 'owner');
    t.is((await app.as(enough).get(path(at))).body.length, 1);
    t.is((await create(at, {}, enough)).status, 201);
    t.is((await app.as(await app.build.user()).get(path(at))).status, 404);
    t.is((await app.anonymous.get(path(at))).status, 401);
    const admin = await app.build.admin();
    t.is((await create(at, { access_level: 50 }, admin)).status, 201);
  }
});

// Contract: core-2.resource
test('nobody makes a token with a higher level than their own', async (t) => {
  const at = await createContainer('projects');
  const maintainer = await member(at, 'maintainer');
  const rejection = await create(at, { access_level: 50 }, maintainer);
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body, {
    message:
      "400 Bad request - Access level of the token can't be greater the access level of the user who created the token",
  });
  t.is((await create(at, { access_level: 40 }, maintainer)).status, 201);
  t.is((await create(at, { access_level: 50 })).body.access_level, 50);
});

// Contract: core-2.resource
test('a token needs a name, scopes for bots, a level from the list and an end within a year', async (t) => {
  const at = await createContainer('projects');
  const answers = [
    await app.as(at.owner).post(path(at), {}),
    await create(at, { scopes: ['sudo'] }),
    await create(at, { scopes: ['read_user'] }),
    await create(at, { scopes: [] }),
    await create(at, { name: ' ' }),
    await create(at, { access_level: 35 }),
    await create(at, { access_level: 0 }),
    await create(at, { expires_at: '2031-01-02' }),
    await create(at, { expires_at: '2029-12-31' }),
  ];
  t.deepEqual(
    answers.map(({ status, body }) => [status, body.error ?? body.message]),
    [
      [400, 'name is missing, scopes is missing, scopes does not have a valid value'],
      [400, 'scopes does not have a valid value'],
      [400, 'scopes does not have a valid value'],
      [400, "400 Bad request - Scopes can't be blank"],
      [400, "400 Bad request - Name can't be blank"],
      [400, 'access_level does not have a valid value'],
      [400, 'access_level does not have a valid value'],
      [400, '400 Bad request - Expiration date must be on or before 2031-01-01'],
      [400, '400 Bad request - Expiration date must be in the future'],
    ],
  );
  t.deepEqual((await app.as(at.owner).get(path(at))).body, []);
  t.is((await memberIds(at)).length, 1, 'no bot was left behind');
  for (const level of [10, 15, 20, 30, 40, 50])
    t.is((await create(at, { access_level: level })).body.access_level, level);
});

// Contract: core-2.resource
test('without an end a token lives on, unless the instance wants one [unverified]', async (t) => {
  const at = await createContainer('projects');
  t.is((await create(at)).body.expires_at, null);
});

// Contract: core-2.bot
test('a token makes, rotates and revokes no tokens of its project or group, but reads them', async (t) => {
  for (const kind of KINDS) {
    const at = await createContainer(kind);
    const bot = getBot(at, (await create(at, { access_level: 50 })).body);
    const other = (await create(at)).body;
    t.is((await app.as(bot).get(path(at))).body.length, 2);
    const rejection = await create(at, {}, bot);
    t.is(rejection.status, 400);
    t.regex(rejection.body.message, /^400 Bad request - User does not have permission/);
    t.is((await app.as(bot).delete(path(at, `/${other.id}`))).status, 401);
    t.is((await app.as(bot).post(path(at, `/${other.id}/rotate`), {})).status, 401);
    t.is((await app.as(bot).get(path(at, `/${other.id}`))).body.revoked, false);
  }
});

// Contract: core-2.resource
test('tokens are listed with those that work no more, by the filters and orders of personal ones', async (t) => {
  const at = await createContainer('projects');
  const ids: Record<string, number> = {};
  for (const [name, expires_at] of [
    ['alpha', '2030-03-01'],
    ['beta', '2030-02-01'],
    ['gamma', undefined],
  ] as const)
    ids[name] = (await create(at, { name, expires_at })).body.id;
  await app.as(at.owner).delete(path(at, `/${ids.gamma}`));
  const names = async (query: string) =>
    (await app.as(at.owner).get(path(at, query))).body.map(({ name }: { name: string }) => name);
  t.deepEqual(await names(''), ['alpha', 'beta', 'gamma']);
  t.deepEqual(await names('?state=active'), ['alpha', 'beta']);
  t.deepEqual(await names('?state=inactive'), ['gamma']);
  t.deepEqual(await names('?revoked=true'), ['gamma']);
  t.deepEqual(await names('?search=ET'), ['beta']);
  t.deepEqual(await names('?expires_after=2030-02-15'), ['alpha']);
  t.deepEqual(await names('?sort=expires_desc'), ['gamma', 'alpha', 'beta']);
  t.deepEqual(await names('?sort=name_desc&per_page=2'), ['gamma', 'beta']);
  t.deepEqual((await app.as(at.owner).get(path(at, `/${ids.gamma}`))).body.access_level, 40);
});

// Contract: core-2.resource.rights
test('a missing token, a personal one, and one of another place are 404 with the kind', async (t) => {
  for (const kind of KINDS) {
    const at = await createContainer(kind);
    const elsewhere = await createContainer(kind);
    const other = (await create(elsewhere)).body.id;
    for (const id of [99999999, other, at.owner.token_id]) {
      for (const [method, rest] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/rotate'],
      ] as const) {
        const { status, body } = await app.as(at.owner).request(method, path(at, `/${id}${rest}`));
        t.is(status, 404);
        t.deepEqual(body, { message: `404 ${singular(kind)} Access Token Not Found` });
      }
    }
    t.is((await app.as(elsewhere.owner).get(path(elsewhere, `/${other}`))).body.revoked, false);
  }
});

// Contract: core-2.resource.rotate
test('a revoked token is refused at once, and its bot is no member any more', async (t) => {
  for (const kind of KINDS) {
    const at = await createContainer(kind);
    const { body } = await create(at);
    const bot = getBot(at, body);
    t.is((await app.as(bot).get('/user')).status, 200);
    const { status, text } = await app.as(at.owner).delete(path(at, `/${body.id}`));
    t.deepEqual([status, text], [204, '']);
    t.is((await app.as(bot).get('/user')).status, 401);
    t.false((await memberIds(at)).includes(body.user_id));
    const after = await app.as(at.owner).get(path(at, `/${body.id}`));
    t.deepEqual([after.body.revoked, after.body.active, after.body.access_level], [true, false, 40]);
    t.is((await app.as(at.owner).delete(path(at, `/${body.id}`))).status, 204, 'again changes nothing');
  }
});

// Contract: core-2.resource.rotate
test('a token that changed after If-Unmodified-Since is not revoked', async (t) => {
  const at = await createContainer('projects');
  const { body } = await create(at);
  const stale = app.as(at.owner).with({ 'If-Unmodified-Since': 'Mon, 31 Dec 2029 00:00:00 GMT' });
  t.is((await stale.delete(path(at, `/${body.id}`))).status, 412);
  t.is((await app.as(getBot(at, body)).get('/user')).status, 200);
});

// Contract: core-2.resource.rotate
test('a rotated token keeps its bot, its role and its scopes, and its reuse ends the family', async (t) => {
  for (const kind of KINDS) {
    const at = await createContainer(kind);
    const first = (await create(at, { access_level: 30, expires_at: '2030-01-03' })).body;
    const { status, body } = await app.as(at.owner).post(path(at, `/${first.id}/rotate`), { expires_at: '2030-09-01' });
    t.is(status, 200);
    t.deepEqual(
      [body.user_id, body.access_level, body.scopes, body.expires_at, body.resource_type, body.resource_id],
      [first.user_id, 30, ['api'], '2030-09-01', singular(kind), at.id],
    );
    t.is((await app.as(getBot(at, first)).get('/user')).status, 401);
    const [bot] = (await app.as(at.owner).get(`/${kind}/${at.id}/members?user_ids=${body.user_id}`)).body;
    t.is(bot.expires_at, '2030-09-01', 'its role lasts as long as its token');
    const reused = await app.as(getBot(at, first)).post(path(at, `/${body.id}/rotate`), {});
    t.is(reused.status, 401);
    t.is((await app.as(getBot(at, body)).get('/user')).status, 401);
    t.false((await memberIds(at)).includes(body.user_id));
  }
});

// Contract: core-2.resource.rotate
test('a token rotates itself with the scope self_rotate, whatever its role', async (t) => {
  for (const kind of KINDS) {
    const at = await createContainer(kind);
    const first = (await create(at, { access_level: 10, scopes: ['self_rotate'] })).body;
    const { status, body } = await app.as(getBot(at, first)).post(path(at, '/self/rotate'), {});
    t.is(status, 200);
    t.is(body.expires_at, '2030-01-08');
    t.is(body.access_level, 10);
    const viaPersonal = await app.as(getBot(at, body)).post('/personal_access_tokens/self/rotate', {});
    t.is(viaPersonal.status, 200);
    t.is((await app.as(at.owner).post(path(at, '/self/rotate'), {})).status, 405, 'a personal one is none of it');
  }
});

// Contract: core-2.resource.rotate
test("administrators end and renew a project's token by its id alone, too", async (t) => {
  const [at, admin] = [await createContainer('projects'), await app.build.admin()];
  const first = (await create(at)).body;
  const { body } = await app.as(admin).post(`/personal_access_tokens/${first.id}/rotate`, {});
  t.is(body.user_id, first.user_id);
  t.is((await app.as(at.owner).get(path(at, `/${body.id}`))).body.access_level, 40);
  t.is((await app.as(admin).delete(`/personal_access_tokens/${body.id}`)).status, 204);
  t.false((await memberIds(at)).includes(body.user_id));
});

// Contract: core-2.bot
test('bots are hidden from lists of people and of users without bots', async (t) => {
  const [at, admin] = [await createContainer('projects'), await app.build.admin()];
  const { body } = await create(at);
  const username = (await app.as(getBot(at, body)).get('/user')).body.username;
  const found = async (query: string) =>
    (await app.as(admin).get(`/users?username=${username}${query}`)).body.map((one: { id: number }) => one.id);
  t.deepEqual(await found(''), [body.user_id]);
  t.deepEqual(await found('&humans=true'), []);
  t.deepEqual(await found('&without_project_bots=true'), []);
  t.deepEqual(await found('&exclude_humans=true'), [body.user_id]);
});

// Contract: core-2.bot
test('a bot makes no group and no project of its own, and is external where its maker is', async (t) => {
  const at = await createContainer('projects');
  const bot = getBot(at, (await create(at, { access_level: 50 })).body);
  t.is((await app.as(bot).post('/groups', { name: 'mine', path: 'mine' })).status, 403);
  t.is((await app.as(bot).post('/projects', { name: 'mine' })).status, 400);
  const guest = await app.build.user({ external: true });
  await app.build.member(at, 'maintainer', guest);
  const { user_id: id } = (await create(at, {}, guest)).body;
  const [row] = await app.context().query<{ external: boolean }>(sql`select external from users where id = ${id}`);
  t.true(row?.external);
});

// Contract: core-2.bot
test('a bot is added to no other project or group, and to its own again after it was removed [unverified text]', async (t) => {
  for (const kind of KINDS) {
    const [at, elsewhere] = [await createContainer(kind), await createContainer('groups')];
    const { user_id: bot } = (await create(at)).body;
    const add = (to: TestContainer, users: string) =>
      app.as(to.owner).post(`/${to.kind}/${to.id}/members`, { user_id: users, access_level: 30 });
    const rejection = await add(elsewhere, String(bot));
    t.is(rejection.status, 400);
    const text = 'project bots cannot be added to other groups / projects';
    t.deepEqual(rejection.body, { message: { user: [text] } });
    const person = await app.build.user();
    const several = await add(elsewhere, `${bot},${person.id}`);
    t.deepEqual(Object.values(several.body.message), [text]);
    t.deepEqual((await memberIds(elsewhere)).toSorted(), [elsewhere.owner.id, person.id].toSorted());
    t.is((await app.as(at.owner).delete(`/${kind}/${at.id}/members/${bot}`)).status, 204);
    t.is((await add(at, String(bot))).status, 201);
  }
});

// Contract: core-2.bot
test.serial('where tokens must expire, those of projects and groups do too', async (t) => {
  const at = await createContainer('groups');
  await app.set({ require_personal_access_token_expiry: true });
  const [without, within] = [await create(at), await create(at, { expires_at: '2031-01-01' })];
  await app.set({ require_personal_access_token_expiry: false });
  t.is(without.status, 400);
  t.deepEqual(without.body, { message: "400 Bad request - Expiration date can't be blank" });
  t.is(within.status, 201);
});

// Contract: core-2.bot
test('tokens of a project that is deleted, and of a group, open nothing any more', async (t) => {
  for (const kind of KINDS) {
    const at = await createContainer(kind);
    const bot = getBot(at, (await create(at)).body);
    t.is((await app.as(bot).get('/user')).status, 200);
    const table = kind === 'projects' ? sql`delete from projects` : sql`delete from namespaces`;
    await app.context().query(sql`${table} where id = ${at.id}`);
    app.tokens.forget();
    const { status, body } = await app.as(bot).get('/user');
    t.is(status, 401);
    t.deepEqual(body, { message: '401 Unauthorized' });
  }
});

// Contract: core-2.resource.rotate
test('making, rotating and revoking are in the log of the project or group', async (t) => {
  for (const kind of KINDS) {
    const at = await createContainer(kind);
    const first = (await create(at)).body;
    const next = (await app.as(at.owner).post(path(at, `/${first.id}/rotate`), {})).body;
    await app.as(at.owner).delete(path(at, `/${next.id}`));
    const events = await app.context().query<{ event_name: string }>(sql`
      select event_name from audit_events where entity_id = ${at.id} and target_type = 'PersonalAccessToken'
         and entity_type = ${kind === 'projects' ? 'Project' : 'Group'} order by id`);
    const names = ['created', 'rotated', 'revoked'].map((what) => `${singular(kind)}_access_token_${what}`);
    t.deepEqual(
      events.map(({ event_name }) => event_name),
      names,
    );
  }
});
