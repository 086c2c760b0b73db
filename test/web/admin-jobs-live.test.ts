import test from 'ava';
import type { Page } from 'playwright-core';
import { sql } from 'kysely';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { eventually } from '../core/processes.js';
import { userWithPassword } from '../core/signed-in.js';
import { flakyQueue, idleQueue } from './admin-jobs-sandbox.js';
import { becomes, focusIs, inBrowser, inspect, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// The queue's times are the database's.
test.serial.before('set the clock', () => app.clock.set(new Date().toISOString()));

/** A page whose timers are controlled by the test. */
async function opened(path: string) {
  const admin = await userWithPassword(app, { admin: true });
  const watched = await browser.open();
  const { page } = watched;
  await page.clock.install({ time: app.clock.now() });
  await signIn(page, app, admin, path);
  return { page, watched };
}

/** Records the API requests of a page from now on. */
function watch(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/')) requests.push(new URL(request.url()).pathname);
  });
  return requests;
}

/** Simulates that the page becomes hidden or visible again. */
const show = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);

const isQueues = (url: string) => new URL(url).pathname.endsWith('/admin/jobs/queues');

// Contract: jobs-page.live
test.serial(
  'the page looks again every 5 s, not while it is hidden or stopped, and says when it looked',
  inBrowser(async (t) => {
    const queue = await idleQueue(app, 'test.followed');
    const { page, watched } = await opened('/admin/jobs');
    await page.getByText(/^No jobs\./).waitFor();
    await page.getByText(/queues have no jobs$/).click();
    await page.getByRole('link', { name: 'test.followed' }).waitFor();
    await inspect(t, page, 'jobs-overview-empty');
    await queue.send({ n: 1 });
    await page.clock.runFor(5_500);
    const row = page.getByRole('table', { name: 'Queues' }).getByRole('row').filter({ hasText: 'test.followed' });
    await row.waitFor();
    await page.getByText(/^Updated .* automatically$/).waitFor();
    const next = page.waitForRequest((request) => isQueues(request.url()));
    await page.clock.runFor(5_500);
    await next;
    await show(page, 'hidden');
    const hidden = watch(page);
    await page.clock.runFor(120_000);
    t.deepEqual(hidden, []);
    const again = page.waitForRequest((request) => isQueues(request.url()));
    await show(page, 'visible');
    await again;
    await page.getByRole('button', { name: 'Pause updates' }).click();
    await page.getByText(/^Paused, last updated/).waitFor();
    const stopped = watch(page);
    await page.clock.runFor(30_000);
    t.deepEqual(stopped, []);
    const followed = page.waitForRequest((request) => isQueues(request.url()));
    await page.getByRole('button', { name: 'Resume updates' }).click();
    await page.clock.runFor(5_500);
    await followed;
    untroubled(t, app, watched);
  }),
);

// Contract: jobs-page.live
test.serial(
  'while jobs are chosen nothing is asked, and new ones do not push them away',
  inBrowser(async (t) => {
    const queue = await idleQueue(app, 'test.held');
    const id = await queue.send({ n: 1 });
    const { page, watched } = await opened('/admin/jobs/queues/test.held?state=created');
    const table = page.getByRole('table', { name: 'Jobs, waiting' });
    const checkbox = table.getByRole('checkbox', { name: `Select job ${id}` });
    await checkbox.check();
    await queue.send({ n: 2 });
    await page.getByText(/^Paused while jobs are selected/).waitFor();
    const held = watch(page);
    await page.clock.runFor(60_000);
    t.deepEqual(held, []);
    await becomes(t, () => table.getByRole('checkbox').count(), 1);
    await checkbox.uncheck();
    await page.clock.runFor(6_000);
    await eventually(async () => (await table.getByRole('checkbox').count()) === 2);
    untroubled(t, app, watched);
  }),
);

// Contract: jobs-page.problems
test.serial(
  'what cannot be looked at is said, what was seen stays; jobs and queues that are not there are told apart',
  inBrowser(async (t) => {
    const { page } = await opened('/admin/jobs');
    await page.getByRole('table', { name: 'Queues' }).waitFor();
    await page.route('**/api/v4/admin/jobs/**', (route) => route.abort());
    const failed = page.getByRole('alert').getByText("Can't reach the server");
    for (let second = 0; second < 60 && !(await failed.isVisible()); second += 1) await page.clock.runFor(1_000);
    await failed.waitFor();
    await page.getByRole('table', { name: 'Queues' }).waitFor();
    await page.getByText(/stale: last updated/).waitFor();
    await inspect(t, page, 'jobs-stale');
    await page.unroute('**/api/v4/admin/jobs/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await failed.waitFor({ state: 'detached' });
    await page.goto(`${app.url}/admin/jobs/queues/no.such_queue`);
    await page.getByText('404 Queue Not Found').waitFor();
    await page.goto(`${app.url}/admin/jobs/00000000-0000-4000-8000-000000000000`);
    await page.getByText('404 Job Not Found').waitFor();
    await page.getByText(/Finished jobs are deleted/).waitFor();
    await inspect(t, page, 'jobs-job-gone');
  }),
);

// Contract: jobs-page.processes
test.serial(
  'a process that was not seen for 30 s is marked, and a recurring job is run at once by hand',
  inBrowser(async (t) => {
    await flakyQueue(t, app, 'test.alive');
    await app.context().query(sql`
      insert into queue_workers (hostname, pid, tag, version, queues, concurrency, busy, started_at, last_seen_at)
      values ('gone.example', 7, 'capstan', '0.1.0', '{test.alive}', 1, 0, now() - interval '1 hour',
              now() - interval '31 seconds')`);
    const { page, watched } = await opened('/admin/jobs/processes');
    const table = page.getByRole('table', { name: 'Processes' });
    await table.getByRole('row').filter({ hasText: 'gone.example:7' }).getByText('stale').waitFor();
    await table.getByText('alive', { exact: true }).waitFor();
    await inspect(t, page, 'jobs-processes');
    await page.getByRole('link', { name: 'Recurring' }).click();
    const recurring = page.getByRole('table', { name: 'Recurring jobs' });
    const row = recurring.getByRole('row').filter({ hasText: 'user_sessions.tidy' });
    await row.getByText('not run yet').waitFor();
    await row.locator('summary').click();
    await becomes(t, () => row.locator('td[data-column=Next] time').count(), 5, 'the next five');
    await row.getByRole('button', { name: 'Run now: user_sessions.tidy' }).click();
    await page.getByText(/^user_sessions.tidy was queued/).waitFor();
    await row.getByRole('link', { name: 'waiting' }).waitFor();
    await inspect(t, page, 'jobs-recurring');
    untroubled(t, app, watched);
  }),
);

// Contract: jobs-page.keyboard
test.serial(
  'the keyboard alone finds a job by its error, chooses it and deletes it',
  inBrowser(async (t) => {
    const queue = await flakyQueue(t, app, 'test.keys');
    const ids = [await queue.send({ n: 1 }), await queue.send({ n: 2, errorText: 'forbidden' })];
    for (const id of ids) await queue.comesTo(id, 'failed');
    const admin = await userWithPassword(app, { admin: true });
    const watched = await browser.open();
    const { page } = watched;
    const { keyboard } = page;
    await signIn(page, app, admin, '/admin/jobs');
    await page.getByRole('table', { name: 'Queues' }).waitFor();
    await focusIs(t, page, 'Jobs');
    // The way back, and the parts.
    for (const name of ['Administration', 'Queues', 'All jobs']) {
      await keyboard.press('Tab');
      await focusIs(t, page, name);
    }
    await keyboard.press('Enter');
    await focusIs(t, page, 'All jobs', 'the heading of the page');
    await page.getByRole('table', { name: 'Jobs, failed' }).waitFor();
    await keyboard.press('/');
    await focusIs(t, page, 'Error');
    await keyboard.type('is forbidden');
    await keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'Jobs, failed' });
    await eventually(async () => (await table.getByRole('checkbox').count()) === 1);
    await focusIs(t, page, 'Error', 'the focus stays where somebody goes on');
    await becomes(t, () => new URL(page.url()).searchParams.get('error'), 'is forbidden');
    for (let tab = 0; tab < 40; tab += 1) {
      await keyboard.press('Tab');
      if (await page.evaluate(`document.activeElement.matches('td input[type=checkbox]')`)) break;
    }
    await focusIs(t, page, `Select job ${ids[1]}`);
    await keyboard.press('Space');
    await page.getByText('1 job selected').waitFor();
    for (let tab = 0; tab < 4; tab += 1) {
      await keyboard.press('Shift+Tab');
      if (await page.evaluate(`document.activeElement.textContent.trim() === 'Delete'`)) break;
    }
    await focusIs(t, page, 'Delete');
    await keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: 'Delete 1 job?' }).waitFor();
    await keyboard.press('Tab');
    await focusIs(t, page, 'Cancel', 'haste harms nothing');
    await keyboard.press('Tab');
    await focusIs(t, page, 'Delete');
    await keyboard.press('Enter');
    await focusIs(t, page, '1 job deleted.');
    t.is(await queue.stateOf(ids[1] as string), undefined);
    t.is(await queue.stateOf(ids[0] as string), 'failed');
    await keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    untroubled(t, app, watched);
  }),
);
