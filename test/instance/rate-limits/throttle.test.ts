import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test, [], { limitsOn: true, trustedProxies: '127.0.0.1' });

const NAMES = ['name', 'limit', 'observed', 'remaining', 'reset', 'resettime'].map((part) => `ratelimit-${part}`);
const limitsIn = (headers: Headers) => NAMES.map((name) => headers.get(name));
const nothing = NAMES.map(() => null);

let hours = 0;
/** Each test begins in an hour of its own, so that no period is shared. */
test.serial.beforeEach(() => app.clock.set(new Date(Date.UTC(2030, 0, 1, (hours += 1))).toISOString()));
test.serial.afterEach.always(() =>
  app.set({
    throttle_authenticated_api_enabled: false,
    throttle_authenticated_api_requests_per_period: 7200,
    throttle_authenticated_api_period_in_seconds: 3600,
    throttle_unauthenticated_api_enabled: false,
    throttle_unauthenticated_api_requests_per_period: 3600,
    token_guess_limit: 20,
    token_guess_address_limit: 200,
  }),
);

// Contract: limits-11
test.serial('the throttle of all requests is off by default, and then no header speaks of it', async (t) => {
  const user = await app.build.user();
  t.deepEqual(limitsIn((await app.as(user).get('/user')).headers), nothing);
  t.deepEqual(limitsIn((await app.anonymous.get('/projects')).headers), nothing);
});

// Contract: limits-11
test.serial(
  'while the throttle is on every answer says what is left, of 7,200 an hour for a user and 3,600 for an address',
  async (t) => {
    const user = await app.build.user();
    await app.set({ throttle_authenticated_api_enabled: true, throttle_unauthenticated_api_enabled: true });
    const reset = Math.floor(app.clock.now().getTime() / 1000) + 3600;
    const time = new Date(reset * 1000).toUTCString();
    const first = await app.as(user).get('/user');
    t.deepEqual(limitsIn(first.headers), ['throttle_authenticated_api', '120', '1', '7199', String(reset), time]);
    t.is(first.headers.get('retry-after'), null);
    const second = await app.as(user).get('/projects/none%2Fsuch');
    t.is(second.status, 404);
    t.is(second.headers.get('ratelimit-observed'), '2');
    const anonymous = await app.anonymous.get('/projects');
    t.deepEqual(limitsIn(anonymous.headers), ['throttle_unauthenticated_api', '60', '1', '3599', String(reset), time]);
  },
);

// Contract: limits-12
test.serial(
  'over the throttle the answer is 429 in plain text, with all headers and the seconds to wait',
  async (t) => {
    const user = await app.build.user();
    await app.set({
      throttle_authenticated_api_enabled: true,
      throttle_authenticated_api_requests_per_period: 1,
      throttle_authenticated_api_period_in_seconds: 45,
    });
    app.clock.advance('5 seconds');
    t.is((await app.as(user).get('/user')).status, 200);
    const { status, text, headers } = await app.as(user).get('/user');
    t.is(status, 429);
    t.is(text, 'Retry later\n');
    t.is(headers.get('content-type'), 'text/plain');
    t.is(headers.get('ratelimit-name'), 'throttle_authenticated_api');
    t.is(headers.get('ratelimit-limit'), '2', '1 in 45 seconds, per minute, rounded up');
    t.is(headers.get('ratelimit-observed'), '2');
    t.is(headers.get('ratelimit-remaining'), '0');
    const wait = Number(headers.get('retry-after'));
    t.is(Number(headers.get('ratelimit-reset')), Math.floor(app.clock.now().getTime() / 1000) + wait);
    t.is(headers.get('ratelimit-resettime'), new Date(Number(headers.get('ratelimit-reset')) * 1000).toUTCString());
    app.clock.advance(`${wait} seconds`);
    t.is((await app.as(user).get('/user')).status, 200);
  },
);

// Contract: limits-13
test.serial('the throttle comes before the operation: what it refuses changes nothing', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  await app.set({ throttle_authenticated_api_enabled: true, throttle_authenticated_api_requests_per_period: 1 });
  const create = (name: string) => owner.post('/projects', { name });
  t.is((await create('one')).status, 201);
  t.is((await create('two')).status, 429);
  await app.set({ throttle_authenticated_api_enabled: false });
  t.is((await create('two')).status, 201);
});

// Contract: limits-13
test.serial(
  'requests that fail before anybody is known count for their address: no route, broken JSON, a bad token',
  async (t) => {
    await app.set({ throttle_unauthenticated_api_enabled: true, throttle_unauthenticated_api_requests_per_period: 3 });
    t.is((await app.anonymous.get('/nothing')).status, 404);
    t.is((await app.anonymous.raw('POST', '/api/v4/projects', '{', 'application/json')).status, 400);
    t.is((await app.withHeaders({ 'PRIVATE-TOKEN': 'wrong' }).get('/user')).status, 401);
    for (const path of ['/nothing', '/projects', '/version']) {
      const { status, text } = await app.anonymous.get(path);
      t.is(status, 429);
      t.is(text, 'Retry later\n');
    }
  },
);

// Contract: limits-13
test.serial('a user over the throttle does not stop others, nor anonymous callers', async (t) => {
  const [one, two] = [await app.build.user(), await app.build.user()];
  await app.set({ throttle_authenticated_api_enabled: true, throttle_authenticated_api_requests_per_period: 1 });
  await app.as(one).get('/user');
  t.is((await app.as(one).get('/user')).status, 429);
  t.is((await app.as(two).get('/user')).status, 200);
  t.is((await app.anonymous.get('/projects')).status, 200);
});

// Contract: limits-17
test.serial('GraphQL requests are counted by the same throttle and refused in plain text', async (t) => {
  const user = await app.build.user();
  await app.set({ throttle_authenticated_api_enabled: true, throttle_authenticated_api_requests_per_period: 2 });
  const ask = () => app.as(user).graphql('{ currentUser { username } }');
  t.is((await app.as(user).get('/user')).headers.get('ratelimit-observed'), '1');
  const answered = await ask();
  t.is(answered.status, 200);
  t.is(answered.headers.get('ratelimit-observed'), '2');
  const rejection = await ask();
  t.is(rejection.status, 429);
  t.is(rejection.text, 'Retry later\n');
  t.truthy(rejection.headers.get('retry-after'));
});

const guess = (token: string, from = '192.0.2.1') =>
  app.withHeaders({ 'PRIVATE-TOKEN': token, 'X-Forwarded-For': from }).get('/user');

// Contract: limits-14
test.serial('after twenty unknown tokens of one beginning in a minute more of them are refused', async (t) => {
  for (let count = 1; count <= 20; count += 1) t.is((await guess(`glpat-same${count}`)).status, 401);
  const rejection = await guess('glpat-same21');
  t.is(rejection.status, 429);
  t.deepEqual(rejection.body, {
    message: { error: 'This endpoint has been requested too many times. Try again later.' },
  });
  t.is(rejection.headers.get('retry-after'), '60');
  app.clock.advance('1 minute');
  t.is((await guess('glpat-same21')).status, 401);
});

// Contract: limits-14
test.serial('one client with a wrong token stops no other behind its address', async (t) => {
  const user = await app.build.user();
  for (let count = 1; count <= 30; count += 1) await guess('glpat-forgotten-in-a-script');
  t.is((await guess('glpat-forgotten-in-a-script')).status, 429);
  t.is((await guess(user.token)).status, 200, 'a right one');
  t.is((await guess('glpat-mistyped')).status, 401, 'another wrong one');
  const from = { 'X-Forwarded-For': '192.0.2.1' };
  t.is((await app.withHeaders(from).get('/projects')).status, 200, 'without one');
  t.is((await app.withHeaders({ ...from, Authorization: `Bearer ${user.token}` }).get('/user')).status, 200);
  t.is((await guess('glpat-forgotten-in-a-script', '192.0.2.2')).status, 401, 'from another address');
});

// Contract: limits-14
test.serial('an address that guesses all around is refused every unknown token, and never a right one', async (t) => {
  const user = await app.build.user();
  await app.set({ token_guess_address_limit: 25 });
  const statuses: number[] = [];
  for (let count = 1; count <= 27; count += 1) statuses.push((await guess(`glpat-${count}-wrong`)).status);
  t.deepEqual(statuses, [...Array.from({ length: 25 }, () => 401), 429, 429]);
  const many = await Promise.all(
    Array.from({ length: 40 }, (_, count) => guess(count % 4 === 0 ? user.token : `glpat-${count}-other`)),
  );
  t.deepEqual(
    many.map(({ status }) => status),
    many.map((_, count) => (count % 4 === 0 ? 200 : 429)),
  );
  t.is((await guess('glpat-other', '192.0.2.2')).status, 401);
});

test.serial('addresses of one IPv6 network count together, those of another do not', async (t) => {
  await app.set({ token_guess_limit: 2 });
  t.is((await guess('glpat-same1', '2001:db8:1:2::1')).status, 401);
  t.is((await guess('glpat-same2', '2001:db8:1:2:ffff::2')).status, 401);
  t.is((await guess('glpat-same3', '2001:db8:1:2::3')).status, 429);
  t.is((await guess('glpat-same3', '2001:db8:1:3::3')).status, 401);
});

test.serial('not even a part of a token that was guessed is stored', async (t) => {
  await guess('glpat-abcdefghijklmnop');
  const rows = await app.context().query<{ key: string }>(sql`select key from rate_limit_counts`);
  t.true(rows.length > 0);
  for (const { key } of rows) t.false(key.includes('glpat') || key.includes('abcd'), key);
});

// Contract: limits-14
test.serial('expired and revoked tokens, and good ones, are no guesses', async (t) => {
  const user = await app.build.user();
  const expired = await app.build.token(user, { expires_on: '2029-12-01' });
  await app.set({ token_guess_limit: 1 });
  for (let count = 0; count < 3; count += 1) {
    t.is((await app.as(expired).get('/user')).status, 401);
    t.is((await app.as(user).get('/user')).status, 200);
  }
});

// Contract: limits-15
test.serial(
  'with all requests and token guesses unlimited, or no failure, a request costs no more statements',
  async (t) => {
    const project = await app.build.project();
    const read = () => app.as(project.owner).get(`/projects/${project.id}`);
    await read();
    const before = app.services.db.statements;
    await read();
    t.true(
      app.services.db.statements - before <= 3,
      'its token is remembered, so only the project, its details and its issues are read',
    );
  },
);
