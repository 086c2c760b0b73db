import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { signIn } from '../../core/signed-in.js';
import { Browser, CALLBACK, OauthSandbox, pkce } from './oauth-browser.js';

const app = useApp(test);
const sandbox = new OauthSandbox(app);

// Contract: oauth-19.consent
test('who is not signed in signs in first, and comes back to the same request', async (t) => {
  const application = await sandbox.application();
  const stranger = new Browser(app);
  const path = sandbox.authorizePath(application, { prompt: 'login', state: 'x&y' });
  const page = await stranger.go(path);
  t.is(page.status, 303);
  const target = new URL(page.location, app.url);
  t.is(target.pathname, '/users/sign_in');
  const back = new URL(target.searchParams.get('redirect_to') ?? '', app.url);
  t.is(back.pathname, '/oauth/authorize');
  t.is(back.searchParams.get('state'), 'x&y');
  t.is(back.searchParams.get('prompt'), null);
  const silent = await stranger.go(sandbox.authorizePath(application, { prompt: 'none' }));
  t.is(new URL(silent.location).searchParams.get('error'), 'login_required');
});

// Contract: oauth-19.consent
test('the page is told which application asks for what, and where it leads, nothing of it in the document', async (t) => {
  const { user, browser } = await sandbox.person();
  const application = await sandbox.application({ name: '<script>alert(1)</script>' });
  const { location } = await browser.go(sandbox.authorizePath(application, { scope: 'api read_user' }));
  const page = await browser.go(location);
  t.is(page.status, 200);
  t.false(page.text.includes('alert(1)'));
  t.regex(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self';/);
  const consent = await browser.go(location, { headers: { Accept: 'application/json' } });
  t.like(JSON.parse(consent.text), {
    application: { name: '<script>alert(1)</script>', confidential: true },
    scopes: [
      { name: 'api', description: 'Read and change everything that you can read and change.' },
      { name: 'read_user', description: 'Read your profile and those of other users.' },
    ],
    redirect_host: 'client.example',
    user: { username: user.username },
    csrf_token: browser.signedIn?.csrf,
  });
});

// Contract: oauth-19.consent
test('nobody but the person who is asked can answer, and only from the page', async (t) => {
  const { user, browser } = await sandbox.person();
  const application = await sandbox.application();
  const { location } = await browser.go(sandbox.authorizePath(application));
  const other = (await sandbox.person()).browser;
  const elsewhere = new Browser(app, await signIn(app, user));
  t.is((await other.decide(location, 'allow')).status, 404);
  t.is((await elsewhere.decide(location, 'allow')).status, 404);
  t.is((await new Browser(app).decide(location, 'allow')).status, 401);
  for (const csrf of ['', 'nonsense', other.signedIn?.csrf ?? '', elsewhere.signedIn?.csrf ?? ''])
    t.is((await browser.decide(location, 'allow', csrf)).status, 422);
  t.is((await app.context().query(sql`select 1 as found from oauth_grants where user_id = ${user.id}`)).length, 0);
  t.is((await browser.decide(location, 'allow')).status, 200);
});

// Contract: oauth-19.consent
test('an answer leads on only in the browser that asked: a link to it, sent to somebody else, leads nowhere', async (t) => {
  const attacker = (await sandbox.person()).browser;
  const victim = (await sandbox.person()).browser;
  const application = await sandbox.application();
  const { location } = await attacker.go(sandbox.authorizePath(application));
  const { redirect_to } = JSON.parse((await attacker.decide(location, 'allow')).text) as { redirect_to: string };
  const page = await victim.go(redirect_to);
  t.deepEqual([page.status, page.location], [400, '']);
});

// Contract: oauth-19.consent
test('anything but allow is no', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  for (const decision of ['deny', '', 'ALLOW', 'yes']) {
    const back = await browser.authorize(sandbox.authorizePath(application), decision);
    t.is(back.searchParams.get('error'), 'access_denied');
  }
});

// Contract: oauth-19.consent
test('what was allowed to a confidential application before is not asked again, more is, and prompt=consent is', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  await sandbox.code(application, browser, { scope: 'read_api read_user' });
  const getLocation = async (params: Record<string, string>) =>
    (await browser.go(sandbox.authorizePath(application, params))).location;
  t.true((await getLocation({ scope: 'read_user' })).startsWith(`${CALLBACK}?code=`));
  t.true((await getLocation({ scope: 'read_user api' })).includes('/oauth/consent/'));
  t.true((await getLocation({ scope: 'read_user', prompt: 'consent' })).includes('/oauth/consent/'));
});

// Contract: oauth-19.consent
test('a public application is asked for each time: anybody could claim to be it', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application({ confidential: false });
  const { challenge } = pkce();
  const path = sandbox.authorizePath(application, { code_challenge: challenge, code_challenge_method: 'S256' });
  await browser.authorize(path);
  t.true((await browser.go(path)).location.includes('/oauth/consent/'));
});

// Contract: signin-digest
test('the database holds no code, token or secret', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const code = await sandbox.code(application, browser);
  const { body } = await sandbox.redeem(application, code);
  const stored = await Promise.all(
    [
      sql`select * from oauth_applications`,
      sql`select * from oauth_grants`,
      sql`select * from oauth_access_tokens`,
      sql`select * from oauth_records`,
      sql`select * from audit_events`,
    ].map((statement) => app.context().query(statement)),
  );
  const text = JSON.stringify(stored);
  for (const secret of [code, body.access_token, body.refresh_token, application.secret]) {
    t.true(secret.length > 20);
    t.false(text.includes(secret));
    t.false(text.includes(Buffer.from(secret).toString('hex')));
  }
});

// Contract: oauth-19.audit
test('what was allowed, and to which application, is an audit event of the person', async (t) => {
  const { user, browser } = await sandbox.person();
  const application = await sandbox.application({ name: 'Reader' });
  await sandbox.code(application, browser, { scope: 'read_user' });
  const events = await app.context().query<Record<string, unknown>>(sql`
    select author_id, message, ip_address from audit_events where entity_type = 'User' and entity_id = ${user.id}`);
  t.deepEqual(events, [
    { author_id: user.id, message: 'Allowed application Reader: read_user', ip_address: '127.0.0.1' },
  ]);
});

// Contract: oauth-19.audit
test('registering, renewing and deleting an application are audit events of the instance', async (t) => {
  const application = await sandbox.application({ name: 'Audited' });
  const admin = app.as(await app.build.admin());
  await admin.post(`/applications/${application.id}/renew-secret`);
  await admin.delete(`/applications/${application.id}`);
  const events = await app.context().query<{ event_name: string; entity_type: string }>(sql`
    select event_name, entity_type from audit_events
     where target_type = 'OauthApplication' and target_id = ${application.id} order by id`);
  t.deepEqual(
    events.filter(({ entity_type }) => entity_type === 'Instance').map(({ event_name }) => event_name),
    ['oauth_application_created', 'oauth_application_secret_renewed', 'oauth_application_deleted'],
  );
});
