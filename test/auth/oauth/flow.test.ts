import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import * as client from 'openid-client';
import { AuthorizationCode } from 'simple-oauth2';
import type { AccessToken } from 'simple-oauth2';
import { useApp } from '../../core/app.js';
import { CALLBACK, ISSUER, OauthSandbox } from './oauth-browser.js';

const app = useApp(test);
const sandbox = new OauthSandbox(app);

/** The service believes to be at a name that no resolver knows. */
const fetchHere: client.CustomFetch = (url, options) => fetch(url.replace(ISSUER, app.url), options as RequestInit);

async function discover(applicationId: string, authentication: client.ClientAuth) {
  return client.discovery(new URL(ISSUER), applicationId, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
    [client.customFetch]: fetchHere,
  });
}

// Contract: oauth-19.flow, oauth-19.refresh
test('an unmodified OAuth client gets, uses, refreshes and revokes its tokens', async (t) => {
  const { user, browser } = await sandbox.person();
  const application = await sandbox.application();
  const config = await discover(application.application_id, client.ClientSecretBasic(application.secret));
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'read_api',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  const back = await browser.authorize(url.href);
  t.is(back.origin + back.pathname, 'https://client.example/callback');
  const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
  t.like(tokens, { token_type: 'bearer', expires_in: 7200, scope: 'read_api' });
  t.is(typeof tokens.created_at, 'number');
  const bearer = app.withHeaders({ Authorization: `Bearer ${tokens.access_token}` });
  t.is((await bearer.get('/user')).body.id, user.id);
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  t.not(renewed.access_token, tokens.access_token);
  t.not(renewed.refresh_token, tokens.refresh_token);
  const before = await bearer.get('/user');
  t.is(before.status, 401);
  t.is(before.body.error_description, 'Token was revoked. You have to re-authorize from the user.');
  t.is((await app.withHeaders({ Authorization: `Bearer ${renewed.access_token}` }).get('/user')).body.id, user.id);
  t.like(await client.tokenIntrospection(config, renewed.access_token), { active: true, scope: 'read_api' });
  await client.tokenRevocation(config, renewed.access_token);
  t.is((await app.withHeaders({ Authorization: `Bearer ${renewed.access_token}` }).get('/user')).status, 401);
  t.like(await client.tokenIntrospection(config, renewed.access_token), { active: false });
});

// Contract: oauth-19.flow
test('simple-oauth2 gets, refreshes and revokes its tokens', async (t) => {
  const { user, browser } = await sandbox.person();
  const application = await sandbox.application();
  const oauth = new AuthorizationCode({
    client: { id: application.application_id, secret: application.secret },
    auth: { tokenHost: app.url },
  });
  const url = oauth.authorizeURL({ redirect_uri: CALLBACK, scope: 'read_api', state: 'some-state' });
  const code = (await browser.authorize(url)).searchParams.get('code') ?? '';
  const first = await oauth.getToken({ code, redirect_uri: CALLBACK });
  const second = await first.refresh();
  const getStatus = async (token: AccessToken) =>
    (await app.withHeaders({ Authorization: `Bearer ${token.token.access_token}` }).get('/user')).status;
  t.is(await getStatus(first), 401);
  t.is(await getStatus(second), 200);
  await second.revokeAll();
  t.is(await getStatus(second), 401);
  t.is((await app.as(user).get('/user')).status, 200);
});

// Contract: oauth-19.revoke
test('a revocation answers an empty object as JSON, also for a token that nobody has', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const { access_token } = await sandbox.tokens(application, browser);
  for (const token of [access_token, access_token, 'nonsense']) {
    const { status, headers, body } = await sandbox.post('/oauth/revoke', { token, ...sandbox.proof(application) });
    t.is(status, 200);
    t.is(headers.get('content-type'), 'application/json');
    t.deepEqual(body as object, {});
  }
});

// Contract: oauth-19.flow
test('an unmodified public client signs in with PKCE alone', async (t) => {
  const { user, browser } = await sandbox.person();
  const application = await sandbox.application({
    confidential: false,
    redirect_uri: 'http://127.0.0.1/callback\ncom.example.app:/callback',
  });
  const config = await discover(application.application_id, client.None());
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  // The port of the day: a program on the user's machine takes any that is free.
  const redirect_uri = 'http://127.0.0.1:51234/callback';
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'api',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const back = await browser.authorize(url.href);
  t.is(back.host, '127.0.0.1:51234');
  const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier });
  t.is((await app.anonymous.get(`/user?access_token=${tokens.access_token}`)).body.id, user.id);
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  t.is((await app.anonymous.get(`/user?access_token=${tokens.access_token}`)).status, 401);
  t.is((await app.anonymous.get(`/user?access_token=${renewed.access_token}`)).body.id, user.id);
  await client.tokenRevocation(config, renewed.refresh_token ?? '');
  t.is((await app.anonymous.get(`/user?access_token=${renewed.access_token}`)).status, 401);
  await t.throwsAsync(client.refreshTokenGrant(config, renewed.refresh_token ?? ''));
});

// Contract: oauth-19.flow
test("@gitbeaker/rest uses an application's token as oauthToken", async (t) => {
  const { user, browser } = await sandbox.person();
  const { access_token: oauthToken } = await sandbox.tokens(await sandbox.application(), browser);
  const api = new Gitlab({ host: app.url, oauthToken });
  t.is((await api.Users.showCurrentUser()).id, user.id);
  const project = await api.Projects.create({ name: 'Made by an application' });
  t.is(project.name, 'Made by an application');
});

// Contract: oauth-19.applications
test('@gitbeaker/rest creates, lists and removes applications', async (t) => {
  const api = new Gitlab({ host: app.url, token: (await app.build.admin()).token });
  const application = await api.Applications.create('Cycle', 'https://cycle.example/', 'api read_user', {
    confidential: false,
  });
  t.like(application, { application_name: 'Cycle', callback_url: 'https://cycle.example/', confidential: false });
  const listed = (await api.Applications.all()).find(({ id }) => id === application.id);
  t.truthy(listed);
  t.false('secret' in (listed ?? {}));
  await api.Applications.remove(application.id);
  t.false((await api.Applications.all()).some(({ id }) => id === application.id));
});

// Contract: signin-interface-5.2.access-token, signin-interface-5.2.bearer
test("an application's token works in GraphQL, as Bearer and as access_token", async (t) => {
  const { user, browser } = await sandbox.person();
  const { access_token } = await sandbox.tokens(await sandbox.application(), browser, 'read_api');
  const query = '{ currentUser { username } }';
  const bearer = await app.withHeaders({ Authorization: `Bearer ${access_token}` }).graphql(query);
  t.is(bearer.body.data.currentUser.username, user.username);
  const path = `/api/graphql?access_token=${access_token}`;
  const parameter = await app.anonymous.raw('POST', path, JSON.stringify({ query }), 'application/json');
  t.is(parameter.body.data.currentUser.username, user.username);
});

// Contract: signin-rest-2.carriers
test("an application's token opens what its scopes open, and is none in PRIVATE-TOKEN", async (t) => {
  const { browser } = await sandbox.person();
  const { access_token } = await sandbox.tokens(await sandbox.application(), browser, 'read_user');
  const bearer = app.withHeaders({ Authorization: `Bearer ${access_token}` });
  t.is((await bearer.get('/user')).status, 200);
  t.is((await bearer.get('/projects')).status, 403);
  t.is((await app.withHeaders({ 'PRIVATE-TOKEN': access_token }).get('/user')).status, 401);
});

// Contract: oauth-19.info
test('the provider describes itself where RFC 8414 says', async (t) => {
  const { body } = await app.anonymous.raw('GET', '/.well-known/oauth-authorization-server');
  t.like(body, {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/oauth/authorize`,
    token_endpoint: `${ISSUER}/oauth/token`,
    revocation_endpoint: `${ISSUER}/oauth/revoke`,
    introspection_endpoint: `${ISSUER}/oauth/introspect`,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  });
});

// Contract: oauth-19.info
test('a token tells of itself at /oauth/token/info, and nothing else does', async (t) => {
  const { user, browser } = await sandbox.person();
  const application = await sandbox.application();
  const { access_token } = await sandbox.tokens(application, browser, 'api read_user');
  const bearer = app.withHeaders({ Authorization: `Bearer ${access_token}` });
  const { status, body } = await bearer.raw('GET', '/oauth/token/info');
  t.is(status, 200);
  t.deepEqual(body, {
    resource_owner_id: user.id,
    scope: ['api', 'read_user'],
    expires_in: 7200,
    application: { uid: application.application_id },
    created_at: Math.floor(app.clock.now().getTime() / 1000),
    scopes: ['api', 'read_user'],
    expires_in_seconds: 7200,
  });
  t.is((await app.anonymous.raw('GET', `/oauth/token/info?access_token=${access_token}`)).status, 200);
  for (const token of ['', 'nonsense', user.token, `${access_token}x`]) {
    const answer = await app.withHeaders({ Authorization: `Bearer ${token}` }).raw('GET', '/oauth/token/info');
    t.is(answer.status, 401);
    t.is(answer.body.error, 'invalid_token');
  }
});
