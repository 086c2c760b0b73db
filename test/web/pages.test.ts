import test from 'ava';
import { useApp } from '../core/app.js';
import { hasBrowser, useBrowser } from '../core/browser.js';
import { PASSWORD, userWithPassword } from '../core/signed-in.js';
import { focused, inspect, untroubled } from './person.js';

const app = useApp(test);
const browser = useBrowser(test);
/** One at a time: the machine has one browser, and pages are compared by how they look. */
const inBrowser = hasBrowser ? test.serial : test.skip;

inBrowser('who is not signed in learns what this is, and signs in', async (t) => {
  t.timeout(120_000);
  const user = await userWithPassword(app, { name: 'Ada Lovelace' });
  const watched = await browser.open();
  const { page } = watched;
  await page.goto(`${app.url}/`);
  await page.getByRole('heading', { name: 'Capstan', level: 1 }).waitFor();
  t.is(await page.title(), 'Capstan');
  await inspect(t, page, 'welcome');
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  t.is(await page.title(), 'Sign in · Capstan');
  t.is(await focused(page), 'Sign in', 'the focus goes to the heading');
  await inspect(t, page, 'sign-in');
  await page.getByLabel('Username or email').fill(user.username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  t.is(new URL(page.url()).pathname, '/');
  await page.getByText('Signed in as Ada Lovelace').waitFor();
  await page.getByText('Nothing here yet').waitFor();
  await inspect(t, page, 'home-empty');
  untroubled(t, app, watched);
});
