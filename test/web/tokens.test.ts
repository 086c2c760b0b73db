import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);
const PAGE = '/-/user_settings/personal_access_tokens';
const SIGN_IN = `/users/sign_in?redirect_to=${encodeURIComponent(PAGE)}`;

// Contract: web.tokens
test.serial(
  'a person makes a token, copies it once, uses it, rotates it and revokes it',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const watched = await openPage(app, browser);
    const { page, requests } = watched;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
    await signIn(page, app, user, SIGN_IN);
    await page.getByRole('link', { name: 'New token' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    await focusIs(t, page, 'Name');
    await becomes(t, () => page.getByLabel('Expiration date').inputValue(), '2030-01-31');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText("Name can't be blank").waitFor();
    await focusIs(t, page, 'Name');
    await name.fill('Deploy script');
    await page.getByLabel('Description').fill('Runs each night');
    await page.getByRole('checkbox', { name: 'read_api' }).check();
    await page.getByRole('checkbox', { name: 'read_user' }).check();
    await inspect(t, page, 'token-new');
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = page.getByLabel('The new token', { exact: true });
    await secret.waitFor();
    await focusIs(t, page, 'Token “Deploy script”');
    const token = await secret.inputValue();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    t.is(await page.evaluate<string>('navigator.clipboard.readText()'), token);
    await inspect(t, page, 'token-made');
    const withToken = app.withHeaders({ 'PRIVATE-TOKEN': token });
    t.is((await withToken.get('/user')).body.username, user.username);
    // Shown only once: neither stored nor loaded again.
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await secret.waitFor({ state: 'detached' });
    await page.reload();
    const table = page.getByRole('table', { name: 'Active tokens' });
    await table.getByText('Runs each night').waitFor();
    t.false((await page.content()).includes(token));
    t.false(requests.some((url) => url.includes(token)));
    t.false(JSON.stringify(await page.evaluate('({...localStorage, ...sessionStorage})')).includes(token));
    await inspect(t, page, 'tokens');

    await page.getByRole('button', { name: 'Rotate Deploy script' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click();
    await secret.waitFor();
    const rotated = await secret.inputValue();
    t.not(rotated, token);
    await focusIs(t, page, 'Token “Deploy script”');
    t.is((await withToken.get('/user')).status, 401);
    t.is((await app.withHeaders({ 'PRIVATE-TOKEN': rotated }).get('/user')).status, 200);

    await page.getByRole('button', { name: 'Revoke Deploy script' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke “Deploy script”?' });
    await dialog.waitFor();
    await inspect(t, page, 'token-revoke');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Token “Deploy script” revoked.').waitFor();
    t.is((await app.withHeaders({ 'PRIVATE-TOKEN': rotated }).get('/user')).status, 401);
    await page.getByRole('link', { name: 'Inactive' }).click();
    await page.getByRole('table', { name: 'Inactive tokens' }).getByText('Revoked').first().waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.keyboard
test.serial(
  'the keyboard alone makes and revokes a token, and the focus comes back from the question',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    await signIn(page, app, user, SIGN_IN);
    await page.getByRole('link', { name: 'New token' }).focus();
    await keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await keyboard.type('By keyboard');
    const scope = page.getByRole('checkbox', { name: 'read_api' });
    await scope.focus();
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await page.getByLabel('The new token', { exact: true }).waitFor();
    await focusIs(t, page, 'Token “By keyboard”');
    const revoke = page.getByRole('button', { name: 'Revoke By keyboard' });
    await revoke.focus();
    await keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog');
    // The dialog gets the focus shortly after it is rendered; keys pressed earlier go to the page below.
    const dialogFocused = () => page.locator('[role=alertdialog]:focus-within').waitFor();
    await dialogFocused();
    await keyboard.press('Tab');
    await focusIs(t, page, 'Cancel');
    await keyboard.press('Tab');
    await focusIs(t, page, 'Revoke');
    await keyboard.press('Tab');
    await focusIs(t, page, 'Cancel', 'the focus stays within the question');
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await revoke.and(page.locator(':focus')).waitFor();
    await keyboard.press('Enter');
    await dialogFocused();
    await keyboard.press('Shift+Tab');
    await dialog.getByRole('button', { name: 'Revoke' }).and(page.locator(':focus')).waitFor();
    await keyboard.press('Enter');
    await page.getByText('Token “By keyboard” revoked.').and(page.locator(':focus')).waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.tokens
test.serial(
  'pages of tokens, and those that ended, each have an address; scopes of administrators are offered to them alone',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    for (let number = 0; number < 21; number += 1) await app.build.token(user);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user, SIGN_IN);
    const rows = page.getByRole('table', { name: 'Active tokens' }).getByRole('rowheader');
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'Previous' }).waitFor();
    await becomes(t, () => new URL(page.url()).search, '?page=2');
    await page.reload();
    await page.getByRole('link', { name: 'Previous' }).waitFor();
    await rows.first().waitFor();
    await becomes(t, () => rows.count(), 2);
    await page.goto(`${app.url}${PAGE}?state=inactive`);
    await page.getByText('No inactive tokens.').waitFor();
    await inspect(t, page, 'tokens-empty');
    await page.goto(`${app.url}${PAGE}?new=1`);
    await page.getByRole('checkbox', { name: 'read_api' }).waitFor();
    await becomes(t, () => page.getByRole('checkbox', { name: 'sudo' }).count(), 0);
    await page.goBack();
    await page.getByText('No inactive tokens.').waitFor();
    untroubled(t, app, watched);
  }),
);
