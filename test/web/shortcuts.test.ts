import { readFileSync } from 'node:fs';
import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);
const pages = (JSON.parse(readFileSync('dist/api/web/pages.json', 'utf8')) as { path: string }[]).map(({ path }) =>
  path
    .replaceAll(/:\w+\(\\d\+\)/g, '1')
    .replaceAll(/:\w+\([^)]*\)/g, 'abcd')
    .replaceAll(/:\w+\+?/g, 'none'),
);

// Contract: web.shortcuts
test.serial(
  'on every page ? lists the shortcuts, Escape closes the list, and the focus returns',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { admin: true });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const opensAndCloses = async (path: string, focused?: string) => {
      await page.goto(app.url + path);
      await page.getByRole('main').waitFor();
      // The element in the URL's fragment gets the focus once it is rendered.
      if (focused !== undefined) await focusIs(t, page, focused, path);
      const home = page.getByRole('link', { name: 'Capstan' });
      await home.focus();
      await keyboard.press('?');
      await list.getByText('Focus the search of the page').waitFor();
      await page.locator('[role=dialog]:focus-within').waitFor();
      await keyboard.press('?');
      await becomes(t, () => list.count(), 1, path);
      await keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
      await home.and(page.locator(':focus')).waitFor();
    };
    for (const path of ['/', '/users/sign_in', '/no/such/page', '/-/api-docs']) await opensAndCloses(path);
    await signIn(page, app, user);
    const signedIn = pages.filter((path) => path !== '/users/sign_in');
    for (const path of signedIn) await opensAndCloses(path);
    await opensAndCloses('/-/api-docs#/Projects/createProject', 'Create a project');
    await page.goto(`${app.url}/`);
    await page.getByText('No projects yet').waitFor();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).press('Enter');
    await list.waitFor();
    await inspect(t, page, 'shortcuts');
    await list.getByRole('button', { name: 'Close' }).click();
    await list.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).and(page.locator(':focus')).waitFor();
    // Many of these pages have subjects that do not exist, and no worker runs: each of them logs a 404, and the health
    // page a 503.
    const complaints = watched.complaints.filter((text) => !text.includes('status of 503'));
    const notFound = complaints.filter((text) => text.includes('status of 404')).length;
    untroubled(t, app, { ...watched, complaints }, notFound);
    t.true(watched.complaints.length - complaints.length <= 1);
  }),
);

// Contract: web.shortcuts
test.serial(
  '/ goes to the search of a page, on each width, and is a sign like any other where somebody types',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    const search = page.getByRole('searchbox', { name: 'Search operations' });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${app.url}/-/api-docs#/Projects/getProject`);
      await page.getByRole('heading', { name: 'Read a project' }).waitFor();
      await focusIs(t, page, 'Read a project');
      await keyboard.press('/');
      await search.and(page.locator(':focus')).waitFor();
      await keyboard.type('a/b?');
      await becomes(t, () => search.inputValue(), 'a/b?', `${width}`);
      await becomes(t, () => page.getByRole('dialog').count(), 0);
      // So that the next address is another one.
      await page.goto('about:blank');
    }
    await page.goto(`${app.url}/users/sign_in`);
    await focusIs(t, page, 'Username or email');
    await keyboard.type('some/one?');
    await becomes(t, () => page.getByLabel('Username or email').inputValue(), 'some/one?');
    await becomes(t, () => page.getByRole('dialog').count(), 0);
    untroubled(t, app, watched);
  }),
);

// Contract: web.shortcuts
test.serial(
  'who wants no single keys as shortcuts switches them off, which is kept, and on again',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    const open = page.getByRole('button', { name: 'Keyboard shortcuts' });
    const checkbox = page.getByRole('checkbox', { name: /as shortcuts/ });
    await page.goto(`${app.url}/-/api-docs`);
    await open.click();
    await checkbox.uncheck();
    await keyboard.press('Escape');
    await page.reload();
    await open.focus();
    await keyboard.press('?');
    await keyboard.press('/');
    await open.and(page.locator(':focus')).waitFor();
    await becomes(t, () => page.getByRole('dialog').count(), 0);
    await open.click();
    await checkbox.check();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    untroubled(t, app, watched);
  }),
);
