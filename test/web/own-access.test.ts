import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { signIn as signInElsewhere, userWithPassword } from '../core/signed-in.js';
import { Browser, OauthSandbox } from '../auth/oauth/oauth-browser.js';
import { accountButton, becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);
const sandbox = new OauthSandbox(app);

// Contract: web.sessions
test.serial(
  'a person sees where they are signed in, and ends one session, then all others',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const others = [
      await signInElsewhere(app, user),
      await signInElsewhere(app, user),
      await signInElsewhere(app, user),
    ];
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user);
    await accountButton(page).click();
    await page.getByRole('link', { name: 'Sessions' }).click();
    const table = page.getByRole('table', { name: 'Sessions' });
    await table.getByText('current').waitFor();
    await table.getByText(/^Chrome on /).waitFor();
    await becomes(t, () => table.getByRole('rowheader').count(), 4);
    await becomes(t, () => table.getByRole('button').count(), 3, 'the one in use is ended by signing out');
    await inspect(t, page, 'sessions');
    await table.getByRole('button').first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The session was revoked.').and(page.locator(':focus')).waitFor();
    await table.getByRole('button').nth(2).waitFor({ state: 'detached' });
    const still = await Promise.all(others.map(({ client }) => client.get('/user')));
    t.deepEqual(still.map(({ status }) => status).toSorted(), [200, 200, 401]);
    await page.getByRole('button', { name: 'Revoke all others' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke all other sessions?' });
    await dialog.waitFor();
    await inspect(t, page, 'sessions-end');
    await dialog.getByRole('button', { name: 'Revoke all others' }).click();
    await page.getByText('All other sessions were revoked.').waitFor();
    for (const { client } of others) t.is((await client.get('/user')).status, 401);
    await page.getByRole('button', { name: 'Revoke all others' }).waitFor({ state: 'detached' });
    await page.reload();
    await table.getByText('current').waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.allowed-applications
test.serial(
  'a person sees what they allowed an application, and takes it back',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const elsewhere = new Browser(app, await signInElsewhere(app, user));
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent('/-/user_settings/applications')}`);
    await page.getByText('No authorized applications.').waitFor();
    await inspect(t, page, 'applications-none');
    const { access_token: token } = await sandbox.tokens(
      await sandbox.application({ name: 'Dashboard' }),
      elsewhere,
      'api read_user',
    );
    const bearer = app.withHeaders({ Authorization: `Bearer ${token}` });
    t.is((await bearer.get('/user')).body.id, user.id);
    await page.goto(app.url);
    await accountButton(page).click();
    await page.getByRole('link', { name: 'Applications' }).click();
    const table = page.getByRole('table', { name: 'Authorized applications' });
    await table.getByText('Dashboard').waitFor();
    await table.getByText('read_user').waitFor();
    await inspect(t, page, 'applications-allowed');
    await page.getByRole('button', { name: 'Revoke Dashboard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“Dashboard” no longer has access to your account.').and(page.locator(':focus')).waitFor();
    await page.getByText('No authorized applications.').waitFor();
    t.is((await bearer.get('/user')).status, 401);
    untroubled(t, app, watched);
  }),
);

// Contract: web.own-applications
test.serial(
  'a person makes an application, copies its secret once, gives it another one, and deletes it',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent('/-/user_settings/applications')}`);
    await page.getByText('No applications yet.').waitFor();
    await page.getByRole('link', { name: 'New application' }).click();
    await focusIs(t, page, 'Name');
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    await inspect(t, page, 'own-application-refused');
    await page.getByLabel('Name', { exact: true }).fill('My dashboard');
    await page.getByLabel('Redirect URI').fill('https://dashboard.example.com/callback');
    await page.getByRole('checkbox', { name: 'read_user' }).check();
    await becomes(t, () => page.getByRole('checkbox', { name: 'sudo' }).count(), 0);
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByText('Secret of “My dashboard”').waitFor();
    const secret = page.getByLabel('The new token');
    const first = await secret.inputValue();
    const table = page.getByRole('table', { name: 'Own applications' });
    await table.getByText('My dashboard').waitFor();
    await inspect(t, page, 'own-application-made');
    await app.set({ oauth_applications_per_user: 1 });
    await page.getByRole('link', { name: 'New application' }).click();
    await page.getByLabel('Name', { exact: true }).fill('My other dashboard');
    await page.getByLabel('Redirect URI').fill('https://dashboard.example.com/callback');
    await page.getByRole('checkbox', { name: 'read_user' }).check();
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByText('The limit of 1 application is reached; delete one to make another.').waitFor();
    await becomes(
      t,
      () => page.getByLabel('Name', { exact: true }).inputValue(),
      'My other dashboard',
      'what was typed stays',
    );
    await inspect(t, page, 'own-application-limit');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Renew secret for My dashboard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Renew secret' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    t.not(await secret.inputValue(), first);
    await page.getByRole('button', { name: 'Delete My dashboard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The application “My dashboard” was deleted.').waitFor();
    await page.getByText('No applications yet.').waitFor();
    untroubled(t, app, watched, 2);
  }),
);
