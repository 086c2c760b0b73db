import test from 'ava';
import { sql } from '../../shared/core/sql.js';
import { removeIdleBots } from '../../shared/resource-access-tokens/resource-access-token.jobs.js';
import { removeBots } from '../../workers/resource-access-tokens/remove-bots.js';
import { useApp } from '../core/app.js';
import type { BuiltUser } from '../core/builders.js';

const app = useApp(test);

async function makeToken(owner: BuiltUser, project: { id: number }, given: Record<string, unknown> = {}) {
  const { body } = await app.as(owner).post(`/projects/${project.id}/access_tokens`, {
    name: 'robot',
    scopes: ['api'],
    ...given,
  });
  return body as { id: number; user_id: number; token: string };
}

const isThere = async (id: number) =>
  (await app.context().query(sql`select id from users where id = ${id}`)).length > 0;

/** As if a token had been revoked, or had ended, so many days ago. */
const revokedAgo = (id: number, days: number) =>
  app.context().query(sql`
    update personal_access_tokens set revoked = true, updated_at = ${app.clock.now()}::timestamptz - ${days} * interval '1 day'
     where id = ${id}`);

test("a bot goes when its last token is over for 30 days, and what it did is the ghost user's", async (t) => {
  const project = await app.build.project();
  const gone = await makeToken(project.owner, project);
  const recent = await makeToken(project.owner, project);
  const expired = await makeToken(project.owner, project, { expires_at: '2030-01-02' });
  const working = await makeToken(project.owner, project);
  const made = await app
    .as({ ...project.owner, token: gone.token })
    .post(`/projects/${project.id}/pipeline`, { ref: 'main' });
  t.is(made.status, 201);
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
  const pipeline = (await app.as(project.owner).get(`/projects/${project.id}/pipelines/${made.body.id}`)).body;
  t.is(pipeline.user.username, 'ghost');
  t.is((await app.as({ ...project.owner, token: working.token }).get('/user')).body.id, working.user_id);
  t.deepEqual(
    (await app.as(project.owner).get(`/projects/${project.id}/access_tokens`)).body.map(({ id }: { id: number }) => id),
    [recent.id, working.id],
  );
});

test('a bot goes with its project, and looking twice tells of it once', async (t) => {
  const project = await app.build.project();
  const { user_id: bot } = await makeToken(project.owner, project);
  await app.context().query(sql`delete from projects where id = ${project.id}`);
  await removeBots.handle(app.context(), [{}]);
  await removeBots.handle(app.context(), [{}]);
  const events = await app.context().query(sql`
    select id from audit_events where event_name = 'user_deleted' and entity_id = ${bot}`);
  t.is(events.length, 1);
  await app.work();
  t.false(await isThere(bot));
});
