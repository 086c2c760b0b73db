import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { CALLBACK, OauthSandbox } from './oauth-browser.js';

const app = useApp(test);
const sandbox = new OauthSandbox(app);
const PATH = '/-/session/own_applications';
const ATTRIBUTES = { name: 'My dashboard', redirect_uri: CALLBACK, scopes: 'api read_user', confidential: true };

/** Requests an application as the page does. */
const register = (client: Client, attributes: object = {}) =>
  client
    .with({ 'Content-Type': 'application/json' })
    .raw('POST', PATH, JSON.stringify({ ...ATTRIBUTES, ...attributes }));

// Contract: oauth-19.own-applications
test('a person registers an application, lets others sign in to it, renews its secret and deletes it', async (t) => {
  const { user, browser } = await sandbox.person();
  const client = browser.signedIn!.client;
  t.deepEqual((await client.raw('GET', PATH)).body, []);
  const { status, body: application } = await register(client);
  t.is(status, 201);
  t.regex(application.secret, /^oas-/);
  const [listed] = (await client.raw('GET', PATH)).body;
  t.like(listed, {
    id: application.id,
    application_name: 'My dashboard',
    scopes: ['api', 'read_user'],
    confidential: true,
  });
  t.false('secret' in listed);
  const other = await sandbox.person();
  const { access_token: token } = await sandbox.tokens(application, other.browser, 'read_user');
  const bearer = app.withHeaders({ Authorization: `Bearer ${token}` });
  t.is((await bearer.get('/user')).body.id, other.user.id);
  const renewed = await client.raw('POST', `${PATH}/${application.id}/renew_secret`);
  t.is(renewed.status, 201);
  t.not(renewed.body.secret, application.secret);
  t.is((await bearer.get('/user')).status, 200, 'what was issued stays');
  t.is((await client.raw('DELETE', `${PATH}/${application.id}`)).status, 204);
  t.is((await bearer.get('/user')).status, 401);
  const events = await app.context().query<{ event_name: string }>(sql`
    select e.event_name from audit_events e where e.entity_type = 'User' and e.entity_id = ${user.id}
       and e.event_name like 'oauth_application_%' order by e.id`);
  t.deepEqual(
    events.map(({ event_name: name }) => name),
    ['oauth_application_created', 'oauth_application_secret_renewed', 'oauth_application_deleted'],
  );
});

// Contract: oauth-19.own-applications
test('nobody else sees or changes it, not even an administrator by the list of the instance, and bad values are named', async (t) => {
  const { browser } = await sandbox.person();
  const client = browser.signedIn!.client;
  const { body: application } = await register(client);
  const stranger = (await sandbox.person()).browser.signedIn!.client;
  t.deepEqual((await stranger.raw('GET', PATH)).body, []);
  t.is((await stranger.raw('DELETE', `${PATH}/${application.id}`)).status, 404);
  t.is((await stranger.raw('POST', `${PATH}/${application.id}/renew_secret`)).status, 404);
  const admin = app.as(await app.build.admin());
  const ids = (await admin.get('/applications?per_page=100')).body.map(({ id }: { id: number }) => id);
  t.false(ids.includes(application.id));
  t.is((await admin.delete(`/applications/${application.id}`)).status, 404);
  const bad = await register(client, { name: ' ', redirect_uri: 'javascript:alert(1)', scopes: '' });
  t.is(bad.status, 400);
  t.deepEqual(Object.keys(bad.body.message).toSorted(), ['name', 'redirect_uri', 'scopes']);
  // Scopes that only administrators have to give.
  t.is((await register(client, { scopes: 'sudo' })).status, 400);
});

// Contract: oauth-19.own-applications
test('no token, and no request without the token of its session, makes one', async (t) => {
  const { user, browser } = await sandbox.person();
  t.is((await register(app.as(user))).status, 401);
  t.is((await app.anonymous.raw('GET', PATH)).status, 401);
  t.is((await register(browser.signedIn!.cookieOnly)).status, 422);
  t.deepEqual((await browser.signedIn!.client.raw('GET', PATH)).body, []);
});

// Contract: oauth-19.own-applications
test('a person has a hundred at most, or what the setting says, also where two are made at once', async (t) => {
  const admin = app.as(await app.build.admin());
  t.is((await admin.get('/application/settings')).body.oauth_applications_per_user, 100);
  const client = (await sandbox.person()).browser.signedIn!.client;
  const { body: first } = await register(client);
  t.is((await admin.put('/application/settings', { oauth_applications_per_user: 2 })).status, 200);
  const answers = await Promise.all(Array.from({ length: 4 }, () => register(client)));
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400, 400, 400]);
  t.deepEqual(answers.find(({ status }) => status === 400)!.body, {
    message: 'The limit of 2 applications is reached; delete one to make another.',
  });
  t.is((await client.raw('GET', PATH)).body.length, 2);
  const other = (await sandbox.person()).browser.signedIn!.client;
  t.is((await register(other)).status, 201, 'each has a limit of their own');
  t.is((await client.raw('DELETE', `${PATH}/${first.id}`)).status, 204);
  t.is((await register(client)).status, 201);
  t.is((await admin.put('/application/settings', { oauth_applications_per_user: 0 })).status, 200);
  t.is((await register(client)).status, 201, '0 is unlimited');
});
