import test from 'ava';
import { useApp } from '../core/app.js';
import type { TestApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { Client } from '../core/client.js';
import { eventually } from '../core/processes.js';
import { PASSWORD, userWithPassword } from '../core/signed-in.js';
import { becomes, fillSignIn, focusIs, inBrowser, inspect, openPage, signIn, signOut, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** Requests as the pages of a browser send them that holds this cookie. */
async function getSession(on: TestApp, cookie: string): Promise<{ client: Client }> {
  const answer = await on.withHeaders({ Cookie: cookie }).raw('GET', '/-/session');
  return { client: on.withHeaders({ Cookie: cookie, 'X-CSRF-Token': answer.body.csrf_token }) };
}

// Contract: web.sign-in
test.serial(
  'who is not signed in learns what this is, and signs in and out',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/`);
    await page.getByRole('heading', { name: 'Capstan', level: 1 }).waitFor();
    t.is(await page.title(), 'Capstan');
    await inspect(t, page, 'welcome');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    t.is(await page.title(), 'Sign in · Capstan');
    await focusIs(t, page, 'Username or email', 'the focus goes to what is to be filled in');
    await becomes(t, () => page.getByText('abcdef12345').count(), 0, 'the version is for those who are signed in');
    await inspect(t, page, 'sign-in');
    await fillSignIn(page, user.username);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, '/');
    await page.getByText('Signed in as Ada Lovelace').waitFor();
    await page.getByText('No projects yet').waitFor();
    await page.getByText(/^Capstan \d+\.\d+\.\d+ \(abcdef12345\)$/).waitFor();
    await inspect(t, page, 'home-empty');
    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${app.url}/-/profile/password`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${app.url}/users/sign_in?problem=throttled`);
    await page.getByText('Too many attempts').waitFor();
    await focusIs(t, page, 'Username or email');
    untroubled(t, app, watched);
  }),
);

// Contract: web.sign-in
test.serial(
  'a wrong password is told in words, the username stays, the password has the focus, and neither is in a URL',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await openPage(app, browser);
    const { page, requests } = watched;
    await page.goto(`${app.url}/users/sign_in?redirect_to=%2F-%2Fprofile%2Fpassword`);
    await fillSignIn(page, user.username, 'not the password');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await becomes(t, () => alert.textContent(), /Not signed in: .*Invalid login or password\..*Request [\w-]+/);
    await focusIs(t, page, 'Password');
    await becomes(t, () => page.getByLabel('Username or email').inputValue(), user.username);
    const describedBy = await page.getByLabel('Password').getAttribute('aria-describedby');
    t.is(describedBy, await alert.getAttribute('id'), 'what was wrong is read out with the field');
    await inspect(t, page, 'sign-in-refused');
    // The typed text is selected, so that typing replaces it.
    await page.keyboard.type('not the password either');
    await page.keyboard.press('Enter');
    // The answer is on the page once what was typed is selected again: its end was where the cursor stood.
    await eventually(async () => (await page.evaluate('document.activeElement.selectionStart')) === 0);
    await focusIs(t, page, 'Password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    // Back to the page that the user originally requested.
    await page.getByRole('heading', { name: 'Change password' }).waitFor();
    t.false(requests.some((url) => url.includes('password=') || url.includes(encodeURIComponent(PASSWORD))));
    untroubled(t, app, watched, 2);
  }),
);

// Contract: web.sign-in
test.serial(
  'signing in leads nowhere else than into this service',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await openPage(app, browser);
    await signIn(watched.page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent('//elsewhere.invalid/x')}`);
    await watched.page.getByRole('heading', { name: 'Home' }).waitFor();
    await becomes(t, () => watched.page.url(), `${app.url}/`);
    untroubled(t, app, watched);
  }),
);

// Contract: web.keyboard
test.serial(
  'the keyboard alone leads through signing in, past the navigation, and to the theme',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${app.url}/users/sign_in`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await focusIs(t, page, 'Username or email');
    await keyboard.type(user.username);
    await keyboard.press('Tab');
    await focusIs(t, page, 'Password');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await focusIs(t, page, 'Home');
    const theme = page.getByRole('button', { name: 'Switch to dark theme' });
    await theme.focus();
    await keyboard.press('Space');
    await focusIs(t, page, 'Switch to light theme');
    const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    t.is(await ground(), 'rgb(18, 20, 22)');
    await page.reload();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    t.is(await ground(), 'rgb(18, 20, 22)', 'the choice is kept');
    const first = 'New project';
    await page.getByRole('link', { name: first }).waitFor();
    await keyboard.press('Tab');
    await focusIs(t, page, 'Skip to content');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await focusIs(t, page, first);
    t.deepEqual(await page.evaluate<string[]>('Object.keys(localStorage)'), ['theme']);
    await page.setViewportSize({ width: 320, height: 640 });
    const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const tops = async () =>
      (await Promise.all((await entries.all()).map((entry) => entry.boundingBox()))).map((bounds) => bounds?.y);
    t.is(new Set(await tops()).size, 1, 'they stand in one row');
    await entries.nth(-2).focus();
    await keyboard.press('Tab');
    await focusIs(t, page, 'Help');
    const { x, width } = (await entries.last().boundingBox())!;
    t.true(x >= 0 && x + width <= 320, 'what has the focus is in sight');
    untroubled(t, app, watched);
  }),
);

// Contract: web.home
test.serial(
  'home tells what runs next, and what became of the last run and why',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Grace Hopper' });
    const project = await app.build.project({ owner: user, name: 'Rocket' });
    await app.build.schedule({ project, owner: user, description: 'Nightly build', cron: '30 2 * * *' });
    await app.build.schedule({ project, owner: user, description: 'Weekly report', cron: '0 9 * * 1', active: false });
    const played = await app.build.schedule({ project, owner: user, description: 'Hourly check', cron: '0 * * * *' });
    await app.as(user).post(`/projects/${project.id}/pipeline_schedules/${played.id}/play`);
    const asOwner = app.as(user);
    await asOwner.post(`/projects/${project.id}/repository/branches`, { branch: 'gone', ref: 'main' });
    const broken = await app.build.schedule({
      project,
      owner: user,
      description: 'Broken',
      ref: 'gone',
      cron: '0 5 * * *',
    });
    await asOwner.delete(`/projects/${project.id}/repository/branches/gone`);
    await asOwner.post(`/projects/${project.id}/pipeline_schedules/${broken.id}/play`);
    await app.work();
    const [failed] = (await asOwner.get(`/projects/${project.id}/pipeline_schedules/${broken.id}/runs`)).body;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (['fetch', 'xhr'].includes(request.resourceType())) requests.push(request.url());
    });
    await page.goto(`${app.url}/`);
    const table = page.getByRole('table', { name: 'Schedules', exact: true });
    await table.getByText('started manually').waitFor();
    await table.getByText('not run yet').first().waitFor();
    const rows = table.getByRole('row');
    t.deepEqual(
      (await rows.getByRole('rowheader').allTextContents()).map((text) => text.trim()),
      ['Hourly check', 'Nightly build', 'Broken'],
      'what runs next stands first',
    );
    await becomes(t, () => rows.nth(1).locator('time').first().getAttribute('datetime'), '2030-01-01T01:00:00.000Z');
    await becomes(t, () => rows.nth(1).textContent(), /in 1 h/);
    await becomes(t, () => rows.nth(2).textContent(), /in 2 h 30 min/);
    t.is(failed.state, 'failed');
    const failures = page.getByRole('table', { name: 'Schedules that need attention' });
    await failures.getByText(`failed: ${failed.reason}`).waitFor();
    t.deepEqual(
      (await failures.getByRole('rowheader').allTextContents()).map((text) => text.trim()),
      ['Broken'],
    );
    t.true((await failures.boundingBox())!.y < (await table.boundingBox())!.y, 'failures stand first');
    await page.getByRole('table', { name: 'Projects' }).getByText('Rocket', { exact: false }).first().waitFor();
    await inspect(t, page, 'home');
    // On a slow machine it may have polled again by now.
    t.true(new Set(requests).size <= 4, requests.join('\n'));
    untroubled(t, app, watched);
  }),
);

// Contract: web.password
test.serial(
  'a person changes their password, is told what is wrong at the field, and goes on',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user, '/users/sign_in?redirect_to=%2F-%2Fprofile%2Fpassword');
    const fill = async (current: string, newPassword: string, again = newPassword) => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password', { exact: true }).fill(newPassword);
      await page.getByLabel('Confirm new password').fill(again);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await fill(PASSWORD, 'another horse 43 battery', 'another house');
    await page.getByText("Confirm new password doesn't match").waitFor();
    await fill('not the password', 'another horse 43 battery');
    await page.getByText('Current password is invalid').waitFor();
    await focusIs(t, page, 'Current password');
    await inspect(t, page, 'password');
    await fill(PASSWORD, 'another horse 43 battery');
    await page.getByText('Password changed.').and(page.locator(':focus')).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText(`Signed in as`).waitFor();
    await signOut(page);
    await fillSignIn(page, user.username, 'another horse 43 battery');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.not-found
test.serial(
  'an address without a page says so, and leads home',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    const answer = await page.goto(`${app.url}/no/such/page`);
    t.is(answer?.status(), 404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await inspect(t, page, 'not-found');
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await page.getByRole('heading', { name: 'Capstan', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    untroubled(t, app, watched, 3);
  }),
);

// Contract: web.session-ends
test.serial(
  'who is signed out elsewhere is asked to sign in again, and comes back to the page',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await openPage(app, browser);
    const { page } = watched;
    const path = '/-/user_settings/personal_access_tokens?state=inactive';
    await signIn(page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent(path)}`);
    await page.getByText('No inactive tokens.').waitFor();
    const [cookie] = await page.context().cookies();
    t.like(cookie, { name: '_service_session', httpOnly: true, sameSite: 'Lax' });
    const { client } = await getSession(app, `${cookie?.name}=${cookie?.value}`);
    t.is((await client.raw('DELETE', '/users/sign_out')).status, 204);
    await page.getByRole('link', { name: 'Active', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await fillSignIn(page, user.username);
    await page.getByRole('heading', { name: 'Access tokens', exact: true }).waitFor();
    await page.getByRole('table', { name: 'Active tokens' }).waitFor();
    untroubled(t, app, watched, 1);
  }),
);
