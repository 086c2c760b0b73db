import type { IncomingMessage, RequestListener } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { POSTS_AT_ONCE } from '../../../shared/core/network/request-outbound.js';
import { useApp } from '../../core/app.js';
import { eventually } from '../../core/processes.js';
import { webServer } from '../../git/git-remote.js';
import { CHALLENGED, checksCounted, DENIED, HARD, getLog, OFF, SOFT, solved, SPAM } from './spam-steps.js';

const app = useApp(test);
const LOCAL = { outbound_local_requests_whitelist: ['127.0.0.1'] };

test.serial.beforeEach(() => app.set(OFF as never));

/** A request that another service got. */
interface Got {
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A service that always sends the same response, and records its requests. */
async function service(t: ExecutionContext, answer: string, status = 200, headers: Record<string, string> = {}) {
  const got: Got[] = [];
  const url = await webServer(t, (request, response) => {
    void textOf(request).then((body) => {
      got.push({ url: request.url ?? '', headers: request.headers, body });
      response.writeHead(status, headers).end(answer);
    });
  });
  return { url, got };
}

const verdict = (value: string) => JSON.stringify({ verdict: value, score: 0.9 });
const asking = (url: string) => ({
  ...LOCAL,
  spam_check_endpoint_enabled: true,
  spam_check_endpoint_url: `${url}/check`,
  spam_check_api_key: 'secret key',
});

async function setUp() {
  const project = await app.build.project({ visibility: 'public', empty: true });
  const headers = { 'User-Agent': 'test/1', Referer: 'http://elsewhere.test/page' };
  const post = (title = 'A question', more: Record<string, string> = {}) =>
    app
      .as(project.owner)
      .with({ ...headers, ...more })
      .post(`/projects/${project.id}/issues`, { title, description: 'Why?' });
  return { user: project.owner, post };
}

// Contract: spam-6.3.1
test.serial(
  'words and phrases are found whatever their case, marks between them and width, and only as whole words',
  async (t) => {
    const { post } = await setUp();
    await app.set({ spam_wordlist: ['casino', 'cheap pills', 'evil.example'], spam_wordlist_verdict: 'disallow' });
    const said: [string, number][] = [
      ['The CASINO is open', 409],
      ['Casinos', 201],
      ['cheap, pills', 409],
      ['cheap cheap pills', 409],
      ['cheap and pills', 201],
      ['see http://evil.example/x', 409],
      ['ＣＡＳＩＮＯ', 409],
      ['ca\u0000sino', 400],
      ['pills cheap', 201],
    ];
    for (const [title, status] of said) t.is((await post(title)).status, status, title);
  },
);

// Contract: spam-6.3.1
test.serial('expressions are matched against each line, and what is slow elsewhere is not slow here', async (t) => {
  const { user, post } = await setUp();
  await app.set({ spam_wordlist_expressions: ['(?i)^buy\\s+now', '(a+)+b$'], spam_wordlist_verdict: 'block' });
  t.is((await post('BUY   now, please')).status, 409);
  t.is((await post('I buy now')).status, 201);
  const path = `/projects/${(await app.build.project({ visibility: 'public', empty: true, owner: user })).id}/issues`;
  const description = `${'a'.repeat(60_000)}!\nfirst line`;
  t.is((await app.as(user).post(path, { title: 'Long', description })).status, 201);
  t.is((await app.as(user).post(path, { title: 'Long', description: `${description}\nBuy now` })).status, 409);
});

// Contract: spam-6.3.1
test.serial('a list that is too large, no expression of RE2, or too complex is refused', async (t) => {
  const admin = app.as(await app.build.admin());
  const cases = [
    { spam_wordlist: [' '] },
    { spam_wordlist: ['x'.repeat(201)] },
    { spam_wordlist: Array.from({ length: 1001 }, (_, index) => `word${index}`) },
    { spam_wordlist_expressions: ['(?=a)'] },
    { spam_wordlist_expressions: [''] },
    { spam_wordlist_expressions: ['[a-z]{200}', '[a-z]{300}', '[a-z]{250}'] },
    { spam_wordlist_verdict: 'allow' },
    { spam_check_endpoint_url: 'file:///etc/passwd' },
    { spam_check_endpoint_url: 'http://user:pass@example.com' },
    { captcha_provider: 'none' },
    { recaptcha_site_key: '<script>' },
  ];
  for (const settings of cases)
    t.is((await admin.put('/application/settings', settings)).status, 400, JSON.stringify(settings).slice(0, 80));
});

// Contract: spam-6.3.2, spam-6.3.8
test.serial('a service of the own is asked as JSON, with its key, outside of any transaction', async (t) => {
  const { user, post } = await setUp();
  const { url, got } = await service(t, verdict('DISALLOW'));
  await app.set(asking(url));
  const before = await checksCounted('http', 'disallow');
  const { body } = await post('Anything');
  t.deepEqual(body, { message: { error: DENIED } });
  t.is(await checksCounted('http', 'disallow'), before + 1);
  const [{ url: path, headers, body: sent } = {} as Got] = got;
  t.is(path, '/check');
  t.is(headers.authorization, 'Bearer secret key');
  t.deepEqual(JSON.parse(sent), {
    action: 'create',
    type: 'Issue',
    title: 'Anything',
    text: 'Why?',
    user: { id: user.id, username: user.username, name: user.name },
    ip: '127.0.0.1',
    user_agent: 'test/1',
    referer: 'http://elsewhere.test/page',
  });
});

// Contract: spam-6.2.4
test.serial('of what several checkers say the most severe counts', async (t) => {
  const { user, post } = await setUp();
  const orders: [http: string, wordlist: string, title: string, logged: string | null][] = [
    ['allow', 'disallow', SPAM, 'disallow'],
    ['block', 'disallow', SPAM, 'block'],
    ['conditional_allow', 'block', SPAM, 'block'],
    ['conditional_allow', 'block', 'A question', 'conditional_allow'],
    ['noop', 'block', 'A question', null],
    ['allow', 'block', 'A question', null],
  ];
  for (const [said, listed, title, logged] of orders) {
    const { url } = await service(t, verdict(said));
    await app.set({ ...HARD, ...asking(url), spam_wordlist_verdict: listed as 'block' });
    const before = (await getLog(app, user)).length;
    t.is((await post(title)).status, logged === null ? 201 : 409, `${said}, ${listed}`);
    const log = await getLog(app, user);
    t.is(log[before]?.verdict ?? null, logged);
  }
});

const BAD: Record<string, { listener: RequestListener; counted: 'error' | 'timeout' }> = {
  'hangs before it answers': { listener: () => undefined, counted: 'timeout' },
  'hangs in its answer': { listener: (_request, response) => void response.write('{"ver'), counted: 'timeout' },
  'answers HTML': {
    listener: (_request, response) => void response.end('<html>block</html>'),
    counted: 'error',
  },
  'answers 10 MB': {
    listener: (_request, response) => void response.end(Buffer.alloc(10_000_000, ' ')),
    counted: 'error',
  },
  'answers an unknown verdict': {
    listener: (_request, response) => void response.end(verdict('maybe')),
    counted: 'error',
  },
  'answers nothing': { listener: (_request, response) => void response.end(), counted: 'error' },
  'answers 500': {
    listener: (_request, response) => void response.writeHead(500).end(verdict('block')),
    counted: 'error',
  },
  'goes away': { listener: (request) => void request.socket.destroy(), counted: 'error' },
};

for (const [what, { listener, counted }] of Object.entries(BAD)) {
  // Contract: spam-6.2.4
  test.serial(`a checker that ${what} has no say, and is counted`, async (t) => {
    const { user, post } = await setUp();
    await app.set(asking(await webServer(t, listener)));
    const before = await checksCounted('http', counted);
    t.is((await post()).status, 201);
    t.is(await checksCounted('http', counted), before + 1);
    t.deepEqual(await getLog(app, user), []);
    // Another checker's verdict still counts.
    await app.set(HARD);
    t.is((await post(SPAM)).status, 409);
  });
}

// Contract: spam-6.2.4
test.serial('a checker that sends on to a local address leads nowhere', async (t) => {
  const { post } = await setUp();
  const inside = await service(t, verdict('block'));
  const { url } = await service(t, '', 307, { Location: `${inside.url}/secret` });
  await app.set(asking(url));
  t.is((await post()).status, 201);
  t.deepEqual(inside.got, []);
});

// Contract: spam-6.2.4, spam-6.3.6
test.serial('a local service is asked only where administrators allow it', async (t) => {
  const { post } = await setUp();
  const { url, got } = await service(t, verdict('block'));
  await app.set({ ...asking(url), outbound_local_requests_whitelist: [] });
  t.is((await post()).status, 201);
  await app.set({ ...asking(url), spam_check_endpoint_enabled: false });
  t.is((await post()).status, 201);
  t.deepEqual(got, []);
});

// Contract: spam-6.2.4
test.serial('a client that does not wait does not get past a checker', async (t) => {
  const { user } = await setUp();
  const project = await app.build.project({ visibility: 'public', empty: true, owner: user });
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const url = await webServer(t, (_request, response) => {
    called.resolve();
    void answer.promise.then(() => response.end(verdict('block')));
  });
  await app.set(asking(url));
  const leaving = new AbortController();
  const gone = fetch(`${app.url}/api/v4/projects/${project.id}/issues`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': user.token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Anything' }),
    signal: leaving.signal,
  }).catch(() => null);
  await called.promise;
  leaving.abort();
  await gone;
  answer.resolve();
  await app.set(OFF as never);
  t.deepEqual((await app.as(user).get(`/projects/${project.id}/issues`)).body, []);
});

// Contract: spam-6.3.3
test.serial('what Akismet calls spam a CAPTCHA settles; any other answer has no say', async (t) => {
  const { post, user } = await setUp();
  const using = (url: string) => ({
    ...LOCAL,
    ...SOFT,
    spam_wordlist: [],
    akismet_enabled: true,
    akismet_url: url,
    akismet_api_key: 'abc',
  });
  const yes = await service(t, 'true');
  await app.set(using(yes.url));
  const { body } = await post('Cheap');
  t.is(body.message.error, CHALLENGED);
  t.is(yes.got[0]?.url, '/1.1/comment-check');
  t.deepEqual(Object.fromEntries(new URLSearchParams(yes.got[0]?.body)), {
    api_key: 'abc',
    blog: 'http://capstan.test',
    user_ip: '127.0.0.1',
    user_agent: 'test/1',
    referrer: 'http://elsewhere.test/page',
    comment_type: 'forum-post',
    comment_author: user.name,
    comment_content: 'Cheap\n\nWhy?',
  });
  for (const [answer, counted] of [
    ['false', 'allow'],
    ['invalid', 'error'],
  ] as const) {
    const { url } = await service(t, answer);
    await app.set(using(url));
    const before = await checksCounted('akismet', counted);
    t.is((await post('Cheap')).status, 201, answer);
    t.is(await checksCounted('akismet', counted), before + 1);
  }
});

// Contract: spam-6.3.4
test.serial("a CAPTCHA's provider is asked with a form, and only about an entry that could be used", async (t) => {
  const { post } = await setUp();
  const provider = await service(t, JSON.stringify({ success: true, hostname: 'x' }));
  await app.set({ ...LOCAL, ...SOFT, captcha_provider: 'verify_url', captcha_verify_url: `${provider.url}/verify` });
  const { body } = await post(SPAM);
  t.is((await post(SPAM, solved(body.spam_log_id + 1000, 'token'))).status, 409);
  t.deepEqual(provider.got, []);
  t.is((await post(SPAM, solved(body.spam_log_id, 'token'))).status, 201);
  t.deepEqual(Object.fromEntries(new URLSearchParams(provider.got[0]?.body)), {
    secret: 'solved',
    response: 'token',
    remoteip: '127.0.0.1',
  });
});

const UNSURE: Record<string, RequestListener> = {
  rejects: (_request, response) => void response.end('{"success":false,"error-codes":["timeout-or-duplicate"]}'),
  hangs: () => undefined,
  'answers HTML': (_request, response) => void response.end('<html>success</html>'),
  'says "true" as a text': (_request, response) => void response.end('{"success":"true"}'),
  'answers 10 MB': (_request, response) => void response.end(`{"success":true,"x":"${'x'.repeat(10_000_000)}"}`),
  'sends on': (_request, response) => void response.writeHead(302, { Location: 'http://127.0.0.1/' }).end(),
};

for (const [what, listener] of Object.entries(UNSURE)) {
  // Contract: spam-6.3.4, spam-6.2.2.1
  test.serial(`with a CAPTCHA's provider that ${what} the text is checked as if there were no response`, async (t) => {
    const { post } = await setUp();
    await app.set({
      ...LOCAL,
      ...SOFT,
      captcha_provider: 'verify_url',
      captcha_verify_url: await webServer(t, listener),
    });
    const { body } = await post(SPAM);
    const retried = await post(SPAM, solved(body.spam_log_id, 'token'));
    t.is(retried.status, 409);
    t.true(retried.body.spam_log_id > body.spam_log_id);
  });
}

// Contract: spam-6.3.2
test.serial('a service is asked by so many at once, and by one caller alone by fewer; the others wait', async (t) => {
  const [one, other] = [await setUp(), await setUp()];
  const held: (() => void)[] = [];
  let most = 0;
  let holds = true;
  const url = await webServer(t, (_request, response) => {
    const answer = () => void response.end(verdict('allow'));
    if (!holds) return answer();
    held.push(answer);
    most = Math.max(most, held.length);
  });
  await app.set(asking(url));
  const posts = Array.from({ length: POSTS_AT_ONCE.ofOne + 3 }, () => one.post());
  await eventually(() => Promise.resolve(held.length === POSTS_AT_ONCE.ofOne));
  const beside = other.post();
  await eventually(() => Promise.resolve(held.length > POSTS_AT_ONCE.ofOne));
  t.is(most, POSTS_AT_ONCE.ofOne + 1);
  holds = false;
  for (const answer of held) answer();
  for (const { status } of await Promise.all([...posts, beside])) t.is(status, 201);
});
