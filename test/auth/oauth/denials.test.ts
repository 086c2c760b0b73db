import test from 'ava';
import { useApp } from '../../core/app.js';
import { PASSWORD, postJson, signIn, userWithPassword } from '../../core/signed-in.js';
import { Browser, CALLBACK, OauthSandbox, pkce } from './oauth-browser.js';
import type { Application } from './oauth-browser.js';

const app = useApp(test);
const sandbox = new OauthSandbox(app);

const works = async (token: string) =>
  (await app.withHeaders({ Authorization: `Bearer ${token}` }).get('/user')).status === 200;

/** The error that an authorization request is sent back to the application with. */
async function getError(application: Application, browser: Browser, params: Record<string, string | null>) {
  const page = await browser.go(sandbox.authorizePath(application, params));
  if (!URL.canParse(page.location)) return null;
  const { searchParams, hash } = new URL(page.location);
  return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
}

// Contract: oauth-19.redirects
test('a redirect URI that is not exactly a registered one gets a page, and no redirect', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application({ redirect_uri: `${CALLBACK}\nhttps://client.example/other?a=1` });
  for (const redirect_uri of [
    'https://evil.example/callback',
    'https://client.example/callback/',
    'https://client.example/callback/../evil',
    'https://client.example/callback%2F..%2Fevil',
    'https://client.example/callback?extra=1',
    'https://client.example/callback#fragment',
    'https://client.example/CALLBACK',
    'http://client.example/callback',
    'https://client.example:444/callback',
    'https://client.example@evil.example/callback',
    'https://client.example.evil.example/callback',
    'https://sub.client.example/callback',
    'https://client.example/other',
    '//client.example/callback',
    'javascript:alert(1)',
    '/callback',
  ]) {
    const page = await browser.go(sandbox.authorizePath(application, { redirect_uri }));
    t.deepEqual([page.status, page.location], [400, ''], redirect_uri);
    t.regex(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    t.false(page.text.includes('evil.example'));
  }
  const doubled = `${sandbox.authorizePath(application)}&redirect_uri=https%3A%2F%2Fevil.example%2F`;
  t.deepEqual([(await browser.go(doubled)).status, (await browser.go(doubled)).location], [400, '']);
});

// Contract: oauth-19.redirects
test('an application that nobody registered gets a page, and no redirect', async (t) => {
  const { browser } = await sandbox.person();
  const page = await browser.go(sandbox.authorizePath({ id: 0, application_id: '<b>nobody</b>', secret: '' }));
  t.deepEqual([page.status, page.location], [400, '']);
  t.false(page.text.includes('<b>nobody'));
});

// Contract: oauth-19.redirects
test('applications are registered only with redirect URIs that lead to one', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const redirect_uri of [
    '',
    'callback',
    '//client.example',
    'https://client.example/#x',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://*.example/callback',
    'https://user:secret@client.example/',
    'com.example.app:/callback http://client.example/callback',
  ]) {
    const { status, body } = await admin.post('/applications', { name: 'Bad', redirect_uri, scopes: 'api' });
    t.is(status, 400, redirect_uri);
    t.deepEqual(Object.keys(body.message), ['redirect_uri']);
  }
  const { body } = await admin.post('/applications', { name: ' ', redirect_uri: CALLBACK, scopes: 'api nonsense' });
  t.deepEqual(Object.keys(body.message), ['name', 'scopes']);
  const missing = await admin.post('/applications', {});
  t.deepEqual(
    [missing.status, missing.body],
    [400, { error: 'name is missing, redirect_uri is missing, scopes is missing' }],
  );
});

// Contract: oauth-19.applications
test('only administrators see, register and delete applications', async (t) => {
  const { id } = await sandbox.application();
  const user = app.as(await app.build.user());
  t.is((await user.get('/applications')).status, 403);
  t.is((await user.post('/applications', { name: 'x', redirect_uri: CALLBACK, scopes: 'api' })).status, 403);
  t.is((await user.delete(`/applications/${id}`)).status, 403);
  t.is((await user.post(`/applications/${id}/renew-secret`)).status, 403);
  t.is((await app.anonymous.get('/applications')).status, 401);
});

// Contract: oauth-19.pkce
test('PKCE is S256 or refused: plain, unnamed and malformed challenges', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const { verifier, challenge } = pkce();
  const challenges: Record<string, string>[] = [
    { code_challenge: verifier, code_challenge_method: 'plain' },
    { code_challenge: verifier },
    { code_challenge_method: 'S256' },
    { code_challenge: 'short', code_challenge_method: 'S256' },
    { code_challenge: challenge, code_challenge_method: 's256' },
  ];
  for (const params of challenges)
    t.is(await getError(application, browser, params), 'invalid_request', JSON.stringify(params));
});

// Contract: oauth-19.pkce
test('a public application cannot do without PKCE', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application({ confidential: false });
  t.is(await getError(application, browser, {}), 'invalid_request');
});

// Contract: oauth-19.pkce
test('a code asked for with PKCE is nothing without its verifier, and one without takes none', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const { verifier, challenge } = pkce();
  const params = { code_challenge: challenge, code_challenge_method: 'S256' };
  const proofs: Record<string, string>[] = [{}, { code_verifier: pkce().verifier }, { code_verifier: challenge }];
  for (const more of proofs) {
    const answer = await sandbox.redeem(application, await sandbox.code(application, browser, params), more);
    t.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant']);
  }
  const good = await sandbox.redeem(application, await sandbox.code(application, browser, params), {
    code_verifier: verifier,
  });
  t.is(good.status, 200);
  // An attacker who strips the challenge from the request gains nothing.
  const stripped = await sandbox.redeem(application, await sandbox.code(application, browser), {
    code_verifier: verifier,
  });
  t.deepEqual([stripped.status, stripped.body.error], [400, 'invalid_grant']);
});

// Contract: oauth-19.replay
test('a code used twice is refused, and ends the tokens that it was for', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const other = await sandbox.tokens(application, browser);
  const code = await sandbox.code(application, browser);
  const first = await sandbox.redeem(application, code);
  t.true(await works(first.body.access_token));
  const second = await sandbox.redeem(application, code);
  t.deepEqual([second.status, second.body.error], [400, 'invalid_grant']);
  t.false(await works(first.body.access_token));
  t.is((await sandbox.refresh(application, first.body.refresh_token)).status, 400);
  t.true(await works(other.access_token));
});

// Contract: oauth-19.replay
test('of many uses of one code at the same time not one leaves a token that works', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const code = await sandbox.code(application, browser);
  const answers = await Promise.all(Array.from({ length: 6 }, () => sandbox.redeem(application, code)));
  const successes = answers.filter(({ status }) => status === 200);
  t.true(successes.length <= 1);
  t.true(answers.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'));
  for (const { body } of successes) t.false(await works(body.access_token));
});

// Contract: oauth-19.replay
test('a code is for its application, its redirect URI and ten minutes', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application({ redirect_uri: `${CALLBACK}\nhttps://client.example/other` });
  const stranger = await sandbox.application();
  const code = () => sandbox.code(application, browser);
  for (const answer of [
    await sandbox.redeem(stranger, await code()),
    await sandbox.redeem(application, await code(), { redirect_uri: 'https://client.example/other' }),
    await sandbox.redeem(application, 'nonsense'),
  ])
    t.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant']);
});

// Contract: oauth-19.applications
test('a client proves itself with its own secret, of today', async (t) => {
  const { browser } = await sandbox.person();
  const [application, other] = [await sandbox.application(), await sandbox.application()];
  const code = await sandbox.code(application, browser);
  for (const client_secret of ['wrong', other.secret, application.secret.slice(0, -1)]) {
    const answer = await sandbox.redeem(application, code, { client_secret });
    t.deepEqual([answer.status, answer.body.error], [401, 'invalid_client']);
  }
  const without = await sandbox.post('/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: application.application_id,
  });
  t.is(without.status, 401);
  const renewed = await app.as(await app.build.admin()).post(`/applications/${application.id}/renew-secret`);
  t.is(renewed.status, 201);
  t.is((await sandbox.redeem(application, code)).status, 401);
  t.is((await sandbox.redeem(application, code, { client_secret: renewed.body.secret })).status, 200);
});

// Contract: oauth-19.grants
test('client credentials, passwords, implicit and unknown grants are not offered', async (t) => {
  const { user, browser } = await sandbox.person();
  const application = await sandbox.application();
  for (const grant_type of ['client_credentials', 'password', 'implicit', 'nonsense']) {
    const answer = await sandbox.post('/oauth/token', {
      grant_type,
      username: user.username,
      password: PASSWORD,
      ...sandbox.proof(application),
    });
    t.deepEqual([answer.status, answer.body.error], [400, 'unsupported_grant_type']);
  }
  t.is(await getError(application, browser, { response_type: 'token' }), 'unsupported_response_type');
});

// Contract: oauth-19.refresh
test('a refresh token is replaced by its use, and using it again ends everything of its grant', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const first = await sandbox.tokens(application, browser);
  const second = await sandbox.refresh(application, first.refresh_token);
  t.is(second.status, 200);
  t.true(await works(second.body.access_token));
  const again = await sandbox.refresh(application, first.refresh_token);
  t.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
  t.false(await works(second.body.access_token));
  t.is((await sandbox.refresh(application, second.body.refresh_token)).status, 400);
});

// Contract: oauth-19.refresh
test('a refresh token is for its application alone, and gives no scope that was not allowed', async (t) => {
  const { browser } = await sandbox.person();
  const [application, other] = [await sandbox.application(), await sandbox.application()];
  const { refresh_token } = await sandbox.tokens(application, browser, 'read_api read_user');
  const stolen = await sandbox.refresh(other, refresh_token);
  t.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant']);
  const wider = await sandbox.refresh(application, refresh_token, { scope: 'api' });
  t.deepEqual([wider.status, wider.body.error], [400, 'invalid_scope']);
  const narrower = await sandbox.refresh(application, refresh_token, { scope: 'read_user' });
  t.is(narrower.body.scope, 'read_user');
});

// Contract: oauth-19.scopes
test('scopes that the application may not ask for, or that nobody knows, refuse the whole request', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application({ scopes: 'read_api read_user' });
  for (const scope of ['api', 'read_user api', 'nonsense', 'read_user nonsense', 'openid', 'sudo read_api'])
    t.is(await getError(application, browser, { scope }), 'invalid_scope', scope);
  const back = await browser.authorize(sandbox.authorizePath(application, { scope: 'read_user' }));
  t.truthy(back.searchParams.get('code'));
});

// Contract: oauth-19.scopes
test('without a scope an application asks for api, as in the public API', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const { body } = await sandbox.redeem(application, await sandbox.code(application, browser, { scope: null }));
  t.is(body.scope, 'api');
  const narrow = await sandbox.application({ scopes: 'read_user' });
  t.is(await getError(narrow, browser, { scope: null }), 'invalid_scope');
});

// Contract: oauth-19.state
test('state comes back as it was sent, with the issuer, also when the answer is no', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const state = 'a b&c=d#é"<';
  const allowed = await browser.authorize(sandbox.authorizePath(application, { state }));
  t.is(allowed.searchParams.get('state'), state);
  t.is(allowed.searchParams.get('iss'), 'http://capstan.test');
  const other = await sandbox.application();
  const denied = await browser.authorize(sandbox.authorizePath(other, { state }), 'deny');
  t.is(denied.searchParams.get('error'), 'access_denied');
  t.is(denied.searchParams.get('state'), state);
  t.is(denied.searchParams.get('code'), null);
});

// Contract: oauth-19.revoke
test('a block and another password end what was allowed to applications', async (t) => {
  const admin = app.as(await app.build.admin());
  const application = await sandbox.application();
  for (const act of [
    (id: number, _browser: Browser) => admin.post(`/users/${id}/block`),
    (id: number, _browser: Browser) => admin.put(`/users/${id}`, { password: 'another horse 43' }),
    (_id: number, { signedIn }: Browser) =>
      postJson(signedIn?.client ?? app.anonymous, '/-/session/password', {
        current_password: PASSWORD,
        password: 'another horse 43',
      }),
  ]) {
    const user = await userWithPassword(app);
    const browser = new Browser(app, await signIn(app, user));
    const { access_token, refresh_token } = await sandbox.tokens(application, browser);
    t.true(await works(access_token));
    t.true((await act(user.id, browser)).status < 300);
    t.false(await works(access_token));
    t.is((await sandbox.refresh(application, refresh_token)).status, 400);
  }
});

// Contract: oauth-19.applications
test('deleting an application ends its tokens', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const { access_token } = await sandbox.tokens(application, browser);
  const admin = app.as(await app.build.admin());
  t.is((await admin.delete(`/applications/${application.id}`)).status, 204);
  t.false(await works(access_token));
  t.is((await admin.delete(`/applications/${application.id}`)).status, 404);
});

// Contract: oauth-19.revoke
test('revoking takes the token of the application that asks, and tells nothing about others', async (t) => {
  const { browser } = await sandbox.person();
  const [application, other] = [await sandbox.application(), await sandbox.application()];
  const { access_token, refresh_token } = await sandbox.tokens(application, browser);
  t.is((await sandbox.post('/oauth/revoke', { token: access_token, ...sandbox.proof(other) })).status, 200);
  t.true(await works(access_token));
  t.is((await sandbox.post('/oauth/revoke', { token: access_token })).status, 400);
  t.is((await sandbox.post('/oauth/revoke', { token: 'nonsense', ...sandbox.proof(application) })).status, 200);
  t.is((await sandbox.post('/oauth/revoke', { token: refresh_token, ...sandbox.proof(application) })).status, 200);
  t.false(await works(access_token));
});
