import test from 'ava';
import { insertToken } from '../../../shared/auth/personal-access-tokens/create-token.js';
import { sql } from 'kysely';
import { removeIdleBots } from '../../../shared/auth/auth.jobs.js';
import { removeBots } from '../../../workers/auth/auth.registry.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { handled } from '../../core/handled.js';

const app = useApp(test);

interface CreatedToken {
  id: number;
  user_id: number;
  token: string;
}

let admin: BuiltUser;
test.serial.before('an administrator', async () => {
  admin = await app.build.admin();
});

async function makeToken(owner: BuiltUser, project: { id: number }, attributes: Record<string, unknown> = {}) {
  const { body } = await app.as(owner).post(`/projects/${project.id}/access_tokens`, {
    name: 'robot',
    scopes: ['api'],
    ...attributes,
  });
  return body as CreatedToken;
}

const isThere = async (id: number) =>
  (await app.context().query(sql`select id from users where id = ${id}`)).length > 0;

/** As if a token had been revoked, or had ended, so many days ago. */
const revokedAgo = (id: number, days: number) =>
  app.context().query(sql`
    update personal_access_tokens set revoked = true, updated_at = ${app.clock.now()}::timestamptz - ${days} * interval '1 day'
     where id = ${id}`);

// Contract: core-2.bot
test("a bot goes when its last token is over for 30 days, and what it did is the ghost user's", async (t) => {
  const project = await app.build.project();
  const gone = await makeToken(project.owner, project);
  const recent = await makeToken(project.owner, project);
  const expired = await makeToken(project.owner, project, { expires_at: '2030-01-02' });
  const working = await makeToken(project.owner, project);
  const response = await app
    .as({ ...project.owner, token: gone.token })
    .post(`/projects/${project.id}/pipeline`, { ref: 'main' });
  t.is(response.status, 201);
  await revokedAgo(gone.id, 31);
  await revokedAgo(recent.id, 29);
  await app.context().query(sql`update personal_access_tokens set expires_on = '2029-11-30' where id = ${expired.id}`);
  const person = await app.build.user();
  await revokedAgo(person.token_id, 100);

  await app.services.jobs.send(removeIdleBots, {});
  await app.work();
  t.deepEqual(
    [
      await isThere(gone.user_id),
      await isThere(expired.user_id),
      await isThere(recent.user_id),
      await isThere(working.user_id),
      await isThere(person.id),
    ],
    [false, false, true, true, true],
  );
  const pipeline = (await app.as(project.owner).get(`/projects/${project.id}/pipelines/${response.body.id}`)).body;
  t.is(pipeline.user.username, 'ghost');
  t.is((await app.as({ ...project.owner, token: working.token }).get('/user')).body.id, working.user_id);
  t.deepEqual(
    (await app.as(project.owner).get(`/projects/${project.id}/access_tokens`)).body.map(({ id }: { id: number }) => id),
    [recent.id, working.id],
  );
});

// Contract: core-2.bot
test('a bot goes with its project, and looking twice tells of it once', async (t) => {
  const project = await app.build.project();
  const { user_id: bot } = await makeToken(project.owner, project);
  await app.context().query(sql`delete from projects where id = ${project.id}`);
  await handled(app, removeBots, [{}]);
  await handled(app, removeBots, [{}]);
  const events = await app.context().query(sql`
    select id from audit_events where event_name = 'user_deleted' and entity_id = ${bot}`);
  t.is(events.length, 1);
  await app.work();
  t.false(await isThere(bot));
});

/** Ways on which the last token of a project goes. */
const ENDS: [way: string, end: (owner: BuiltUser, project: { id: number }, token: CreatedToken) => Promise<unknown>][] =
  [
    ['by its project', (owner, { id }, token) => app.as(owner).delete(`/projects/${id}/access_tokens/${token.id}`)],
    ['by its id', async (_owner, _project, token) => app.as(admin).delete(`/personal_access_tokens/${token.id}`)],
    ['by itself', (owner, _project, { token }) => app.as({ ...owner, token }).delete('/personal_access_tokens/self')],
    [
      'by its reuse',
      async (owner, _project, { token }) => {
        await app.as({ ...owner, token }).post('/personal_access_tokens/self/rotate', {});
        await app.as({ ...owner, token }).post('/personal_access_tokens/self/rotate', {});
      },
    ],
  ];

/**
 * Tokens of a bot in addition to those of its project: a bot cannot create any, but administrators may, and older ones
 * exist.
 */
async function otherTokens(bot: number): Promise<string[]> {
  const responses = await Promise.all([
    app.as(admin).post(`/users/${bot}/personal_access_tokens`, { name: 'x', scopes: ['api'] }),
    app.as(admin).post(`/users/${bot}/impersonation_tokens`, { name: 'x', scopes: ['api'] }),
  ]);
  const ctx = app.context();
  const own = await ctx.transaction(() => insertToken(ctx, { user_id: bot, name: 'x', scopes: ['api'] }));
  return [...responses.map(({ body }) => (body as CreatedToken).token), own.plain];
}

const getStatuses = (tokens: readonly string[]) =>
  Promise.all(tokens.map(async (token) => (await app.withHeaders({ 'PRIVATE-TOKEN': token }).get('/user')).status));

// Contract: core-2.rights.bots
test('with its last token of the project a bot loses its role and all other tokens, whichever way that goes', async (t) => {
  for (const [way, end] of ENDS) {
    const project = await app.build.project({ empty: true });
    const token = await makeToken(project.owner, project);
    const others = await otherTokens(token.user_id);
    t.deepEqual(await getStatuses([token.token, ...others]), [200, 200, 200, 200], way);
    await end(project.owner, project, token);
    t.deepEqual(await getStatuses([token.token, ...others]), [401, 401, 401, 401], way);
    const { body } = await app.as(project.owner).get(`/projects/${project.id}/members/all`);
    t.deepEqual(
      body.map(({ id }: { id: number }) => id),
      [project.owner.id],
      way,
    );
    const revoked = await app.context().query(sql`
      select e.id from audit_events e join personal_access_tokens t on t.id = e.target_id
       where t.user_id = ${token.user_id} and e.event_name like '%_revoked'`);
    t.is(revoked.length, 4, `${way}: each is told of`);
  }
});

// Contract: core-2.rights.bots
test('a rotation keeps the bot and its other tokens', async (t) => {
  const project = await app.build.project({ empty: true });
  const token = await makeToken(project.owner, project);
  const others = await otherTokens(token.user_id);
  await app.as(project.owner).post(`/projects/${project.id}/access_tokens/${token.id}/rotate`, {});
  t.deepEqual(await getStatuses([token.token, ...others]), [401, 200, 200, 200]);
});

// Contract: core-2.rights.bots
test('when its last token of the project ends by its day, its other tokens are revoked soon, and it goes in time', async (t) => {
  const project = await app.build.project({ empty: true });
  const token = await makeToken(project.owner, project);
  const [other, active] = [await makeToken(project.owner, project), await makeToken(project.owner, project)];
  const [left, working] = [await otherTokens(token.user_id), await otherTokens(active.user_id)];
  await otherTokens(other.user_id);
  const expireOn = (id: number, day: string) =>
    app.context().query(sql`update personal_access_tokens set expires_on = ${day} where id = ${id}`);
  await expireOn(token.id, '2030-01-01');
  await expireOn(other.id, '2029-11-30');
  await handled(app, removeBots, [{}]);
  app.tokens.forget();
  t.deepEqual(await getStatuses(left), [401, 401, 401]);
  t.deepEqual(await getStatuses(working), [200, 200, 200]);
  await app.work();
  t.deepEqual(
    [await isThere(token.user_id), await isThere(other.user_id), await isThere(active.user_id)],
    [true, false, true],
  );
});
