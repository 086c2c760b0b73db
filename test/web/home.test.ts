import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { eventually } from '../core/processes.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, inBrowser, inspect, signIn } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** Records the API requests of a page from now on. */
function watch(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (['fetch', 'xhr'].includes(request.resourceType())) requests.push(new URL(request.url()).pathname);
  });
  return requests;
}

/** Simulates that the page becomes hidden or visible again. */
const show = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);

/** A page whose timers are controlled by the test. */
async function openHome(names: { project: string; schedule: string; cron?: string }) {
  const user = await userWithPassword(app, { name: 'Grace Hopper' });
  const project = await app.build.project({ owner: user, name: names.project });
  const { schedule: description, cron = '30 2 * * *' } = names;
  await app.build.schedule({ project, owner: user, description, cron });
  const watched = await browser.open();
  const { page } = watched;
  await page.clock.install({ time: app.clock.now() });
  await signIn(page, app, user);
  await page.getByRole('table', { name: 'Schedules', exact: true }).waitFor();
  return { ...watched, user, project };
}

// Contract: web.home
test.serial(
  'home asks at most four things, again once something changed, and nothing while it is hidden',
  inBrowser(async (t) => {
    const { page, project, user } = await openHome({ project: 'Rocket', schedule: 'Nightly build' });
    await app.calm();
    const first = watch(page);
    await page.reload();
    await page.getByRole('table', { name: 'Schedules', exact: true }).waitFor();
    await page.getByRole('table', { name: 'Projects' }).waitFor();
    t.true(first.length <= 4, first.join(' '));
    await show(page, 'hidden');
    const requests = watch(page);
    await page.clock.runFor(10 * 60_000);
    t.deepEqual(requests, []);
    await show(page, 'visible');
    await eventually(() => Promise.resolve(app.changes.size > 0));
    const next = page.waitForRequest((request) => request.url().includes('/pipeline_schedules'));
    await app.build.schedule({ project, owner: user, description: 'Weekly report' });
    await next;
    await page.getByText('Weekly report').first().waitFor();
  }),
);

// Contract: web.home
test.serial(
  'where looking again fails, home says that it is stale and since when, and shows what it saw',
  inBrowser(async (t) => {
    const { page } = await openHome({ project: 'Rocket', schedule: 'Nightly build' });
    const schedules = page.getByRole('region', { name: 'Schedules' });
    await schedules.getByText(/^Live, last updated /).waitFor();
    for (const pattern of ['**/api/v4/pipeline_schedules**', '**/-/events?**'])
      await page.route(pattern, (route) => route.abort());
    await show(page, 'hidden');
    await show(page, 'visible');
    // The next poll, and the tries after it.
    const failed = schedules.getByRole('alert').getByText("Can't reach the server");
    for (let second = 0; second < 60 && !(await failed.isVisible()); second += 1) await page.clock.runFor(1_000);
    await failed.waitFor();
    await schedules.getByText(/stale: last updated .* ago/).waitFor();
    await schedules.getByText('Nightly build').waitFor();
    await inspect(t, page, 'home-stale');
    for (const pattern of ['**/api/v4/pipeline_schedules**', '**/-/events?**']) await page.unroute(pattern);
    await schedules.getByRole('button', { name: 'Try again' }).click();
    await schedules.getByText(/^(Updated .* automatically|Live, last updated .*)$/).waitFor();
    await becomes(t, () => schedules.getByRole('alert').count(), 0);
  }),
);

// Contract: web.home
test.serial(
  'names of any length keep their words whole, and the page as wide as the screen',
  inBrowser(async (t) => {
    const { page, user } = await openHome({
      project: 'Interplanetary communication infrastructure for observatories',
      schedule: 'Regenerate internationalisation catalogues and documentation-bundles',
      cron: '0,10,20,30,40,50 6-18 * * 1-5',
    });
    await app.build.project({ owner: user, name: 'x'.repeat(120) });
    await page.reload();
    await page.getByRole('table', { name: 'Projects' }).getByText('Interplanetary').first().waitFor();
    for (const width of [1280, 1000, 900, 861]) {
      await page.setViewportSize({ width, height: 800 });
      const beyond = `[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth + 1).length`;
      t.is(await page.evaluate<number>(beyond), 0, `a table is wider than its frame at ${width}`);
    }
    await inspect(t, page, 'home-long-names');
  }),
);

// Contract: web.home
test.serial(
  'home names what needs somebody: a schedule whose branch is gone before it fires, and a token that ends',
  inBrowser(async (t) => {
    const { page, user, project } = await openHome({ project: 'Rocket', schedule: 'Nightly build' });
    await becomes(t, () => page.getByRole('region', { name: 'Needs attention' }).count(), 0);
    const client = app.as(user);
    await client.post(`/projects/${project.id}/repository/branches`, { branch: 'fix/valve', ref: 'main' });
    await app.build.schedule({ project, owner: user, description: 'Valve test', ref: 'fix/valve' });
    await client.delete(`/projects/${project.id}/repository/branches/fix%2Fvalve`);
    const day = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    await app.build.token(user, { expires_on: day(3) });
    await app.build.token(user, { expires_on: day(30) });
    await page.reload();
    const needs = page.getByRole('region', { name: 'Needs attention' });
    await needs.getByText("will fail: fix/valve doesn't exist").waitFor();
    const tokens = needs.getByRole('table', { name: 'Expiring access tokens' });
    await tokens.getByText(/^in [23] days$/).waitFor();
    await becomes(t, () => tokens.getByRole('row').count(), 2);
    await inspect(t, page, 'home-needs-you');
    await tokens.getByRole('link').click();
    await page.getByRole('heading', { name: 'Access tokens', level: 1 }).waitFor();
  }),
);

// Contract: web.home.next-hour
test.serial(
  'home shows what fires within the hour, by the minute, and leads to it',
  inBrowser(async (t) => {
    const { page, user, project } = await openHome({ project: 'Rocket', schedule: 'Nightly build' });
    const hour = page.getByRole('list', { name: 'Schedules that run within the hour' });
    await page.getByText('No schedules run within the hour.').waitFor();
    const due = new Date(app.clock.now().getTime() + 25 * 60_000);
    const cron = `${due.getUTCMinutes()} * * * *`;
    for (const description of ['Sweep', 'Mirror'])
      await app.build.schedule({ project, owner: user, description, cron });
    const late = new Date(due.getTime() + 20 * 60_000);
    const one = await app.build.schedule({
      project,
      owner: user,
      description: 'Report',
      cron: `${late.getUTCMinutes()} * * * *`,
    });
    await page.reload();
    await page.getByText(/^3 schedules run within the hour, the next in 2\d min\.$/).waitFor();
    // A schedule that fires every twenty minutes is listed three times.
    await app.build.schedule({ project, owner: user, description: 'Beat', cron: '*/20 * * * *' });
    await page.reload();
    await page.getByText(/^4 schedules run within the hour/).waitFor();
    await becomes(t, () => hour.getByRole('link', { name: /Beat/ }).count(), 3);
    await hour.getByRole('link', { name: /in 2\d min: (Sweep, Mirror|Mirror, Sweep)$/ }).waitFor();
    await inspect(t, page, 'home-next-hour');
    await hour.getByRole('link', { name: /: Report$/ }).click();
    await page.waitForURL(new RegExp(`/-/pipeline_schedules/${one.id}$`));
  }),
);
