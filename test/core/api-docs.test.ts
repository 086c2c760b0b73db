import test from 'ava';
import { useApp } from './app.js';
import { hasBrowser, useBrowser } from './browser.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

test('the API reference is served by this service alone, under a policy that evaluates no text', async (t) => {
  const page = await app.anonymous.raw('GET', '/-/api-docs');
  t.is(page.status, 200);
  t.regex(page.headers.get('content-type') ?? '', /^text\/html/);
  const policy = page.headers.get('content-security-policy') ?? '';
  t.regex(policy, /default-src 'none'; script-src 'self';/);
  t.notRegex(policy, /unsafe|https?:/);
  t.notRegex(page.text, /https?:\/\//);
  for (const [, file] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
    const answer = await app.anonymous.raw('GET', file as string);
    t.is(answer.status, 200, file);
    const again = await app
      .withHeaders({ 'If-None-Match': answer.headers.get('etag') ?? '' })
      .raw('GET', file as string);
    t.is(again.status, 304, file);
  }
  t.is((await app.anonymous.raw('GET', '/-/api-docs/package.json')).status, 404);
});

test('a browser shows the API reference and tries an operation without asking any other origin', async (t) => {
  if (!hasBrowser) return t.pass('there is no packaged browser for this system');
  t.timeout(120_000);
  await app.build.project({ visibility: 'public', name: 'Seen from a browser' });
  const { page, requests, complaints } = await browser.open();
  await page.goto(`${app.url}/-/api-docs`);
  // Operations are drawn as they come into sight: a reader looks for the area.
  await page.getByPlaceholder('Filter by tag or path').fill('Projects');
  const operation = page.locator('#operations-Projects-getProjects');
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table', { hasText: 'Seen from a browser' }).waitFor();
  t.deepEqual(
    requests.filter((url) => !url.startsWith(app.url) && !url.startsWith('data:')),
    [],
  );
  t.deepEqual(complaints, []);
});
