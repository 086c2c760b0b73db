import test from 'ava';
import { useApp } from '../core/app.js';

const app = useApp(test, [], { limitsOn: true });

const NAMES = ['name', 'limit', 'observed', 'remaining', 'reset', 'resettime'].map((part) => `ratelimit-${part}`);
const told = (headers: Headers) => NAMES.map((name) => headers.get(name));
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
  }),
);

test.serial('the throttle of all requests is off by default, and then no header speaks of it', async (t) => {
  const user = await app.build.user();
  t.deepEqual(told((await app.as(user).get('/user')).headers), nothing);
  t.deepEqual(told((await app.anonymous.get('/projects')).headers), nothing);
});

test.serial(
  'while the throttle is on every answer says what is left, of 7,200 an hour for a user and 3,600 for an address',
  async (t) => {
    const user = await app.build.user();
    await app.set({ throttle_authenticated_api_enabled: true, throttle_unauthenticated_api_enabled: true });
    const reset = Math.floor(app.clock.now().getTime() / 1000) + 3600;
    const time = new Date(reset * 1000).toUTCString();
    const first = await app.as(user).get('/user');
    t.deepEqual(told(first.headers), ['throttle_authenticated_api', '120', '1', '7199', String(reset), time]);
    t.is(first.headers.get('retry-after'), null);
    const second = await app.as(user).get('/projects/none%2Fsuch');
    t.is(second.status, 404);
    t.is(second.headers.get('ratelimit-observed'), '2');
    const anonymous = await app.anonymous.get('/projects');
    t.deepEqual(told(anonymous.headers), ['throttle_unauthenticated_api', '60', '1', '3599', String(reset), time]);
  },
);

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

test.serial('a user over the throttle does not stop others, nor anonymous callers', async (t) => {
  const [one, two] = [await app.build.user(), await app.build.user()];
  await app.set({ throttle_authenticated_api_enabled: true, throttle_authenticated_api_requests_per_period: 1 });
  await app.as(one).get('/user');
  t.is((await app.as(one).get('/user')).status, 429);
  t.is((await app.as(two).get('/user')).status, 200);
  t.is((await app.anonymous.get('/projects')).status, 200);
});

test.serial('GraphQL requests are counted by the same throttle and refused in plain text', async (t) => {
  const user = await app.build.user();
  await app.set({ throttle_authenticated_api_enabled: true, throttle_authenticated_api_requests_per_period: 2 });
  const ask = () => app.as(user).graphql('{ currentUser { username } }');
  t.is((await app.as(user).get('/user')).headers.get('ratelimit-observed'), '1');
  const answered = await ask();
  t.is(answered.status, 200);
  t.is(answered.headers.get('ratelimit-observed'), '2');
  const refused = await ask();
  t.is(refused.status, 429);
  t.is(refused.text, 'Retry later\n');
  t.truthy(refused.headers.get('retry-after'));
});

test.serial(
  'after twenty unknown tokens in a minute an address is refused, with a good token too, but not without one',
  async (t) => {
    const user = await app.build.user();
    const guess = (token: string) => app.withHeaders({ 'PRIVATE-TOKEN': token }).get('/user');
    for (let count = 1; count <= 20; count += 1) t.is((await guess(`wrong-${count}`)).status, 401);
    const refused = await guess('wrong-21');
    t.is(refused.status, 429);
    t.deepEqual(refused.body, {
      message: { error: 'This endpoint has been requested too many times. Try again later.' },
    });
    t.is(refused.headers.get('retry-after'), '60');
    t.is((await guess(user.token)).status, 429);
    t.is((await app.anonymous.get('/projects')).status, 200);
    app.clock.advance('1 minute');
    t.is((await guess(user.token)).status, 200);
  },
);

test.serial('expired and revoked tokens, and good ones, are no guesses', async (t) => {
  const user = await app.build.user();
  const expired = await app.build.token(user, { expires_on: '2029-12-01' });
  await app.set({ token_guess_limit: 1 });
  for (let count = 0; count < 3; count += 1) {
    t.is((await app.as(expired).get('/user')).status, 401);
    t.is((await app.as(user).get('/user')).status, 200);
  }
});

test.serial(
  'with all requests and token guesses unlimited, or no failure, a request costs no more statements',
  async (t) => {
    const project = await app.build.project();
    const read = () => app.as(project.owner).get(`/projects/${project.id}`);
    await read();
    const before = app.services.db.statements;
    await read();
    t.true(
      app.services.db.statements - before <= 2,
      'its token is remembered, so only the project and its details are read',
    );
  },
);
