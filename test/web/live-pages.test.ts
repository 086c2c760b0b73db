import test from 'ava';
import type { Page } from 'playwright-core';
import { TestApp, useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { eventually } from '../core/processes.js';
import { userWithPassword } from '../core/signed-in.js';
import { getPath, ring } from '../ci/pipeline-schedules/schedule-steps.js';
import { becomes, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

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

const seconds = (count: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, count * 1000);
  });

const listening = (count: number, on: TestApp = app) => eventually(() => Promise.resolve(on.changes.size === count));

async function scheduled(description: string) {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const project = await app.build.project({ owner, name: 'Rocket' });
  const schedule = await app.build.schedule({ project, owner, description, cron: '0 * * * *' });
  await app.calm();
  const list = `/${project.full_path}/-/pipeline_schedules`;
  return { owner, project, list, one: `${list}/${schedule.id}`, at: getPath(project, `/${schedule.id}`) };
}

// Contract: web.live
test.serial(
  'what one page changes another shows by itself, and what a worker does, while neither asks for anything',
  inBrowser(async (t) => {
    const { owner, list, one } = await scheduled('Nightly build');
    const [first, second] = [await openPage(app, browser), await openPage(app, browser)];
    await signIn(first.page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(list)}`);
    await signIn(second.page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(one)}`);
    await first.page.getByText('Nightly build').first().waitFor();
    await second.page.getByText('Live, last updated').waitFor();
    await listening(2);
    await seconds(3);
    const requests = [watch(first.page), watch(second.page)];
    await seconds(4);
    t.deepEqual(requests, [[], []]);
    await second.page.goto(`${app.url}${one}/edit`);
    await second.page.getByLabel('Description').fill('Weekly report');
    await second.page.getByRole('button', { name: 'Save' }).click();
    await first.page.getByText('Weekly report').first().waitFor();
    await second.page.getByRole('heading', { name: 'Weekly report' }).waitFor();
    await listening(2);
    app.clock.advance('1 hour');
    await ring(app);
    await second.page.getByRole('table', { name: 'Pipelines, newest first' }).waitFor();
    await inspect(t, second.page, 'live-schedule');
    untroubled(t, app, first);
    untroubled(t, app, second);
  }),
);

// Contract: web.live.kinds
test.serial(
  'comments, issues on a board and deployments of others are shown by themselves, and what is typed stays',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const other = app.as(await app.build.member(project, 'developer'));
    const at = `/projects/${project.id}`;
    const { body: issue } = await other.post(`${at}/issues`, { title: 'Leak' });
    const { body: board } = await other.post(`${at}/boards`, { name: 'Roofs' });
    await app.calm();
    const others = app.changes.size;
    const watched = await openPage(app, browser);
    const { page } = watched;
    const show = async (path: string) => {
      await page.goto(app.url + path);
      await listening(others + 1);
    };
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/${project.full_path}/-/issues/${issue.iid}`);
    await listening(others + 1);
    const field = page.getByLabel('Comment', { exact: true });
    await field.fill('I am on my way');
    await other.post(`${at}/issues/${issue.iid}/notes`, { body: 'It drips through.' });
    await page.getByText('It drips through.').waitFor();
    await becomes(t, () => field.inputValue(), 'I am on my way');
    t.true(await field.evaluate((element) => element === element.ownerDocument.activeElement));
    await show(`/${project.full_path}/-/boards/${board.id}`);
    await other.post(`${at}/issues`, { title: 'Broken tile' });
    await page.getByText('Broken tile').waitFor();
    const { body: label } = await other.post(`${at}/labels`, { name: 'doing', color: '#d9534f' });
    const { body: list } = await other.post(`${at}/boards/${board.id}/lists`, { label_id: label.id });
    const column = page.getByRole('region', { name: 'doing', exact: true });
    await column.getByText('No issues.').waitFor();
    await other.delete(`${at}/boards/${board.id}/lists/${list.id}`);
    await column.waitFor({ state: 'detached' });
    await show(`/${project.full_path}/-/boards`);
    await page.getByRole('link', { name: 'Roofs' }).waitFor();
    await other.put(`${at}/boards/${board.id}`, { name: 'All roofs' });
    await page.getByRole('link', { name: 'All roofs' }).waitFor();
    await show(`/${project.full_path}/-/milestones`);
    const { body: milestone } = await other.post(`${at}/milestones`, { title: 'Before the rain' });
    await page.getByRole('link', { name: 'Before the rain' }).waitFor();
    await show(`/${project.full_path}/-/milestones/${milestone.iid}`);
    await other.put(`${at}/milestones/${milestone.id}`, { title: 'Before the snow' });
    await page.getByRole('heading', { name: 'Before the snow' }).waitFor();
    const files = [{ file_path: 'roof.txt', content: 'Tiles' }];
    const { body: snippet } = await other.post(`${at}/snippets`, { title: 'Roof', visibility: 'private', files });
    await show(`/${project.full_path}/-/snippets/${snippet.id}`);
    await other.post(`${at}/snippets/${snippet.id}/notes`, { body: 'Slate would last.' });
    await page.getByText('Slate would last.').waitFor();
    await show(`/${project.full_path}/-/environments`);
    await page.getByText('No environments.').waitFor();
    await other.post(`${at}/environments`, { name: 'production' });
    await page.getByText('production').first().waitFor();
    await show(`/${project.full_path}/-/branches`);
    await page.getByRole('link', { name: 'main', exact: true }).first().waitFor();
    await other.post(`${at}/repository/branches?branch=roof&ref=main`);
    await page.getByRole('link', { name: 'roof', exact: true }).first().waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.live.hidden
test.serial(
  'a page that nobody sees follows nothing, and shows what changed once somebody does',
  inBrowser(async (t) => {
    const { owner, one, at } = await scheduled('Nightly build');
    // Pages of the test before stay open.
    const others = app.changes.size;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(one)}`);
    await page.getByText('Live, last updated').waitFor();
    await listening(others + 1);
    await seconds(3);
    await show(page, 'hidden');
    await listening(others);
    const requests = watch(page);
    await app.as(owner).put(at, { description: 'Changed unseen' });
    await seconds(6);
    t.deepEqual(requests, []);
    await show(page, 'visible');
    await page.getByRole('heading', { name: 'Changed unseen' }).waitFor();
    await listening(others + 1);
    untroubled(t, app, watched);
  }),
);

// Contract: web.live.stale
test.serial(
  'a page whose service does not answer says since when, and not any more once it does',
  inBrowser(async (t) => {
    const { owner, one, at } = await scheduled('Nightly build');
    const { page } = await openPage(app, browser);
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(one)}`);
    await page.getByText('Live, last updated').waitFor();
    // Only the stream is lost: the page polls instead, and is not stale.
    await page.route('**/-/events?**', (route) => route.abort());
    await show(page, 'hidden');
    await show(page, 'visible');
    await page.getByText(/^Updated .* automatically$/).waitFor();
    await becomes(t, () => page.getByText('Live updates lost at').count(), 0);
    await page.unroute('**/-/events?**');
    await page.getByText('Live, last updated').waitFor();
    for (const pattern of ['**/-/events?**', '**/api/**']) await page.route(pattern, (route) => route.abort());
    await show(page, 'hidden');
    await show(page, 'visible');
    await page.getByText(/^Live updates lost at \d\d:\d\d: the server isn't responding/).waitFor();
    await page.getByRole('heading', { name: 'Nightly build' }).waitFor();
    await inspect(t, page, 'live-stale');
    await app.as(owner).put(at, { description: 'Changed meanwhile' });
    for (const pattern of ['**/-/events?**', '**/api/**']) await page.unroute(pattern);
    await page.getByText('Live updates lost at').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Changed meanwhile' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText(/^Offline since \d\d:\d\d\./).waitFor();
    await page.context().setOffline(false);
    await page.getByText('Offline since').waitFor({ state: 'detached' });
    await page.getByText('Live, last updated').waitFor();
  }),
);

// Contract: web.live.stale
test.serial(
  'a service that stops does not wait for pages, and they say since when they are stale',
  inBrowser(async (t) => {
    const { owner, one } = await scheduled('Nightly build');
    const second = new TestApp([], { beside: app });
    await second.start();
    const { page } = await openPage(second, browser);
    await signIn(page, second, owner, `/users/sign_in?redirect_to=${encodeURIComponent(one)}`);
    await page.getByText('Live, last updated').waitFor();
    await listening(1, second);
    const began = performance.now();
    await second.stop();
    t.true(performance.now() - began < 5_000);
    await page.getByText(/^Live updates lost at \d\d:\d\d: the server isn't responding/).waitFor();
    await page.getByRole('heading', { name: 'Nightly build' }).waitFor();
  }),
);
