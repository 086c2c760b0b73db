import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { becomes, focusIs, inBrowser, inspect, openPage, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search help' });
const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Help pages' }).getByRole('link', { name, exact: true });
const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const getPath = (page: Page) => {
  const { pathname, hash } = new URL(page.url());
  return pathname + hash;
};

// Contract: help.web
test.serial(
  'who is not signed in reads the help, page by page and section by section',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/help`);
    await title(page, 'Help');
    await page.getByRole('heading', { name: 'Not available yet', level: 2 }).waitFor();
    await inspect(t, page, 'help');
    await entry(page, 'Operate').click();
    await title(page, 'Operate');
    await focusIs(t, page, 'Operate', 'the focus goes to the title');
    await entry(page, 'Upgrade').click();
    await becomes(t, () => getPath(page), '/help/operate#upgrade');
    await focusIs(t, page, 'Upgrade', 'a section takes the focus');
    await page
      .getByRole('region', { name: 'Operate' })
      .getByRole('link', { name: 'backup', exact: true })
      .first()
      .click();
    await becomes(t, () => getPath(page), '/help/operate#backup');
    await page.getByRole('link', { name: 'Copies objects' }).click();
    await title(page, 'Configuration');
    await becomes(t, () => getPath(page), '/help/configuration#object-storage');
    await focusIs(t, page, 'Object storage', 'a link leads to a section of another page');
    await page.goBack();
    await title(page, 'Operate');
    await page.goto(`${app.url}/help/configuration`);
    await page.getByRole('cell', { name: 'SECRET_KEY_BASE', exact: true }).waitFor();
    await inspect(t, page, 'help-configuration');
    untroubled(t, app, watched);
  }),
);

// Contract: help.web
test.serial(
  'a search shows the sections that hold its words, by the keyboard alone, and stands in the address',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/help/schedules`);
    await page.getByRole('heading', { name: 'Missed runs', level: 2 }).waitFor();
    await inspect(t, page, 'help-page');
    await search(page).focus();
    await page.keyboard.type('pull mirrors');
    const matches = page.getByRole('list', { name: 'Matches' }).getByRole('link');
    await matches.filter({ hasText: 'Repositories: Pull mirrors' }).waitFor();
    await becomes(t, () => new URL(page.url()).searchParams.get('search'), 'pull mirrors');
    await inspect(t, page, 'help-search');
    await matches.filter({ hasText: 'Repositories: Pull mirrors' }).focus();
    await page.keyboard.press('Enter');
    await title(page, 'Repositories');
    await becomes(t, () => getPath(page), '/help/repositories#pull-mirrors');
    await focusIs(t, page, 'Pull mirrors');
    await search(page).fill('zeppelin');
    await page.getByText('No results.').waitFor();
    await page.goto(`${app.url}/help?search=backup`);
    await matches.filter({ hasText: 'Operate: Backup' }).waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: help.web
test.serial(
  'a page that is not there says so, and a page that does not load offers to try again',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/help/none`);
    await title(page, 'Page not found');
    await page.route('**/-/help/pages/security.json', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`${app.url}/help/security`);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute('**/-/help/pages/security.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Credentials', level: 2 }).waitFor();
    t.pass();
  }),
);
