import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { OauthSandbox } from './oauth-browser.js';

const app = useApp(test);
const sandbox = new OauthSandbox(app);
const PATH = '/-/session/applications';

/** Requests of an application with an access token. */
const bearer = (token: string) => app.withHeaders({ Authorization: `Bearer ${token}` });

// Contract: oauth-19.authorized
test('a person sees what they allowed which application, and takes it back: all its tokens are refused', async (t) => {
  const { user, browser } = await sandbox.person();
  const [application, another] = [
    await sandbox.application({ name: 'Dashboard' }),
    await sandbox.application({ name: 'Atlas' }),
  ];
  const client = browser.signedIn!.client;
  t.deepEqual((await client.raw('GET', PATH)).body, []);
  const [first, second] = [
    await sandbox.tokens(application, browser, 'read_user'),
    await sandbox.tokens(application, browser, 'api'),
  ];
  const otherTokens = await sandbox.tokens(another, browser, 'api');
  t.is((await bearer(second.access_token).get('/user')).body.id, user.id);
  const { status, body } = await client.raw('GET', PATH);
  t.is(status, 200);
  t.like(body, [
    { name: 'Atlas', scopes: ['api'] },
    { name: 'Dashboard', scopes: ['api', 'read_user'], allowed_at: '2030-01-01T00:00:00.000Z' },
  ]);
  const { id } = body[1];
  t.is((await client.raw('DELETE', `${PATH}/${id}`)).status, 204);
  for (const { access_token: token } of [first, second]) t.is((await bearer(token).get('/user')).status, 401);
  const refresh = await sandbox.refresh(application, second.refresh_token);
  t.is(refresh.status, 400);
  t.is((await bearer(otherTokens.access_token).get('/user')).status, 200);
  t.deepEqual(
    (await client.raw('GET', PATH)).body.map(({ name }: { name: string }) => name),
    ['Atlas'],
  );
  t.is((await client.raw('DELETE', `${PATH}/${id}`)).status, 404, 'there is nothing more to take back');
  const [event] = await app.context().query<{ event_name: string; message: string }>(sql`
    select e.event_name, e.message from audit_events e
     where e.entity_type = 'User' and e.entity_id = ${user.id} order by e.id desc limit 1`);
  t.deepEqual(
    { ...event },
    { event_name: 'oauth_application_deauthorized', message: 'Took back what application Dashboard was allowed' },
  );
});

// Contract: oauth-19.authorized
test('only the person in a session of their own sees and takes back what they allowed', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const { access_token: token } = await sandbox.tokens(application, browser, 'api');
  const client = browser.signedIn!.client;
  const [{ id }] = (await client.raw('GET', PATH)).body;
  const other = (await sandbox.person()).browser.signedIn!;
  t.deepEqual((await other.client.raw('GET', PATH)).body, []);
  const rejection = await other.client.raw('DELETE', `${PATH}/${id}`);
  t.deepEqual([rejection.status, rejection.body], [404, { message: '404 Application Not Found' }]);
  t.is((await browser.signedIn!.cookieOnly.raw('DELETE', `${PATH}/${id}`)).status, 422);
  for (const caller of [app.anonymous, bearer(token)]) {
    t.is((await caller.raw('GET', PATH)).status, 401);
    t.is((await caller.raw('DELETE', `${PATH}/${id}`)).status, 401);
  }
  t.is((await bearer(token).get('/user')).status, 200);
});
