import test from 'ava';
import type { Page } from 'playwright-core';
import { sql } from 'kysely';
import { useApp } from '../core/app.js';
import type { TestApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { OauthSandbox } from '../auth/oauth/oauth-browser.js';
import { inBrowser, inspect, openPage } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const limited = useApp(test, [], { limitsOn: true });
const crowded = useApp(test, [], { poolSize: 1, work: { acquireTimeout: 2000 } });
const browser = useBrowser(test);
const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Expects a page with the error and the request's id, in the common layout, and with a link to continue. */
async function expectProblem(page: Page, title: string, text: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await page.getByRole('alert').getByText(text).waitFor();
  await page.getByText(/^Request [\w-]+$/).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API reference' }).waitFor();
}

const serviceFails = async (on: TestApp, work: () => Promise<void>) => {
  await on.services.db.query(sql`alter table oauth_applications rename to oauth_applications_away`);
  try {
    await work();
  } finally {
    await on.services.db.query(sql`alter table oauth_applications_away rename to oauth_applications`);
  }
};

// Contract: web.problems
test.serial(
  'what an application asks for wrongly is told on a page in the look of the others',
  inBrowser(async (t) => {
    const { page, complaints, requests } = await openPage(app, browser);
    const answer = await page.goto(`${app.url}/oauth/authorize?client_id=nobody&response_type=code`);
    t.is(answer?.status(), 400);
    await expectProblem(page, 'Invalid authorization request', /client/);
    t.is(await page.title(), 'Invalid authorization request · Capstan');
    await inspect(t, page, 'oauth-problem');
    t.deepEqual(
      complaints.filter((text) => !text.includes('status of 400')),
      [],
    );
    t.true(requests.every((url) => url.startsWith(app.url)));
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByRole('heading', { name: 'Capstan', level: 1 }).waitFor();
  }),
);

// Contract: web.problems
test.serial(
  'without any script problems are told as well, and other pages say that they need it',
  inBrowser(async (t) => {
    const { page: first } = await openPage(app, browser);
    const context = await first.context().browser()!.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${app.url}/oauth/authorize?client_id=nobody&response_type=code`);
    await expectProblem(page, 'Invalid authorization request', /client/);
    t.is((await page.goto(`${app.url}/users/sign_in`))?.status(), 200);
    await page.getByRole('heading', { name: 'This page needs JavaScript' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API reference' }).waitFor();
    await context.close();
  }),
);

// Contract: web.problems
test.serial(
  'a failure of the service, and too many requests, are told on a page',
  inBrowser(async (t) => {
    const { page } = await openPage(app, browser);
    await serviceFails(app, async () => {
      const answer = await page.goto(`${app.url}/oauth/authorize?client_id=nobody&response_type=code`);
      t.is(answer?.status(), 500);
      await expectProblem(page, 'Server error', '500 Internal Server Error');
      await inspect(t, page, 'failed');
    });
    await limited.set({ oauth_authorize_limit: 1 });
    const path = new OauthSandbox(limited).authorizePath({ id: 0, application_id: 'nobody', secret: '' });
    await page.goto(limited.url + path);
    t.is((await page.goto(limited.url + path))?.status(), 429);
    await expectProblem(page, 'Too many requests', 'Try again later');
  }),
);

// Contract: web.problems
test('a refusal beside the API is a page for people and JSON for programs, with the same status', async (t) => {
  const cases: [string, string, number][] = [
    ['GET', `/oauth/authorize?client_id=${'x'.repeat(9000)}`, 414],
    ['POST', '/no/such/page', 404],
    ['POST', '/', 404],
    ['PUT', '/-/session/password', 401],
    ['GET', '/oauth/token/info', 401],
  ];
  for (const [method, path, status] of cases) {
    const page = await app.withHeaders(HTML).raw(method, path);
    t.is(page.status, status, path);
    t.is(page.headers.get('content-type'), 'text/html; charset=utf-8', path);
    t.regex(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'/);
    t.is(page.headers.get('cache-control'), 'no-store');
    t.true(page.text.includes(page.headers.get('x-request-id') ?? '-'), 'the request is named');
    t.notRegex(page.text, /\{\{|@[A-Z]|<style|\sstyle=/);
    const json = await app.anonymous.raw(method, path);
    t.is(json.status, status, path);
    t.is(json.headers.get('content-type'), 'application/json', path);
  }
});

// Contract: web.problems
test('what a page is told of is text on it: it can hold no markup', async (t) => {
  const page = await app.withHeaders(HTML).raw('GET', '/oauth/authorize?client_id=%3Cb%3Enobody&scope=%3Cscript%3E');
  t.is(page.status, 400);
  t.notRegex(page.text, /<b>nobody|<script>/);
});

// Contract: web.problems
test('a service without a free connection says so on a page, and when to come again', async (t) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const ctx = crowded.context();
  const holding = ctx.transaction(async () => {
    await ctx.query(sql`select 1`);
    await held;
  });
  const cookie = { ...HTML, Cookie: '_service_session=nobody-has-this' };
  const page = await crowded.withHeaders(cookie).raw('POST', '/users/sign_out');
  release();
  await holding;
  t.is(page.status, 503);
  t.regex(page.text, /<h1>Service unavailable<\/h1>/);
  t.truthy(page.headers.get('retry-after'));
});
