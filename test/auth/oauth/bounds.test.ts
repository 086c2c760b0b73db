import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { rawRequest } from '../../core/raw-http.js';
import { OauthSandbox } from './oauth-browser.js';

const app = useApp(test);
const limited = useApp(test, [], { limitsOn: true });
const sandbox = new OauthSandbox(app);

const countRows = async () => {
  const [row] = await app.services.db.query<{ count: number }>(
    sql`select count(*) as count from oauth_records where kind = 'Interaction'`,
  );
  return row?.count;
};

// Contract: oauth-19.bounds
test.serial('nothing is kept of an authorization request whose sender is to sign in first', async (t) => {
  const application = await sandbox.application();
  for (const prompt of [null, 'login', 'consent']) {
    const answer = await app.anonymous.raw('GET', sandbox.authorizePath(application, { prompt }));
    t.regex(answer.headers.get('location') ?? '', /^\/users\/sign_in\?/);
  }
  t.is(await countRows(), 0);
  const { browser } = await sandbox.person();
  t.regex((await browser.go(sandbox.authorizePath(application, { prompt: 'login' }))).location, /^\/users\/sign_in\?/);
  t.is(await countRows(), 0);
  t.regex((await browser.go(sandbox.authorizePath(application))).location, /^\/oauth\/consent\//);
  t.is(await countRows(), 1);
});

// Contract: oauth-19.bounds
test('an authorization request of more than 8 KiB is refused, in a URL and in a form', async (t) => {
  const application = await sandbox.application();
  const path = sandbox.authorizePath(application, { state: 'x'.repeat(8 * 1024) });
  const answer = await app.anonymous.raw('GET', path);
  t.is(answer.status, 414);
  t.deepEqual(answer.body, { error: '414 Request-URI Too Large' });
  const form = await rawRequest(app.url, {
    method: 'POST',
    path: '/oauth/authorize',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: path.slice(path.indexOf('?') + 1),
  });
  t.is(form.status, 413);
});

// Contract: oauth-19.bounds
test('authorization requests of one address are limited', async (t) => {
  await limited.set({ oauth_authorize_limit: 3 });
  const there = new OauthSandbox(limited);
  const path = there.authorizePath(await there.application());
  for (let n = 0; n < 3; n += 1) t.is((await limited.anonymous.raw('GET', path)).status, 303);
  const rejection = await limited.anonymous.raw('GET', path);
  t.is(rejection.status, 429);
  t.truthy(rejection.headers.get('retry-after'));
});

test('a form of the library is read by the rules for bodies', async (t) => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const post = (body: string) => rawRequest(app.url, { method: 'POST', path: '/oauth/token', headers, body });
  t.is((await post(`grant_type=${'x'.repeat(56 * 1024)}`)).status, 413);
  t.deepEqual((await post('grant_type=authorization_code')).body.error, 'invalid_request');
});
