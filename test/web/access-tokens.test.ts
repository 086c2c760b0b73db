import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);
const signInAt = (path: string) => `/users/sign_in?redirect_to=${encodeURIComponent(path)}`;

// Contract: web.access-tokens
test.serial(
  'a Maintainer makes a token of a project with a role, copies it once, rotates it and revokes it',
  inBrowser(async (t) => {
    const maintainer = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ name: 'Rocket' });
    await app.build.member(project, 'maintainer', maintainer);
    const watched = await openPage(app, browser);
    const { page, requests } = watched;
    await signIn(page, app, maintainer, signInAt(`/${project.full_path}/-/settings/repository`));
    await page.getByRole('link', { name: 'Access tokens' }).click();
    await page.getByText('No tokens yet. A token gives an application access to this project').waitFor();
    await inspect(t, page, 'access-tokens-empty');
    await page.getByRole('link', { name: 'New token' }).click();
    await focusIs(t, page, 'Name');
    await becomes(t, () => page.getByLabel('Expiration date').inputValue(), '2030-01-31');
    await becomes(t, () => page.getByLabel('Role', { exact: true }).locator('option').allInnerTexts(), [
      'Guest',
      'Planner',
      'Reporter',
      'Developer',
      'Maintainer',
    ]);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText("Name can't be blank", { exact: true }).waitFor();
    await focusIs(t, page, 'Name');
    await page.getByLabel('Name', { exact: true }).fill('Deploy robot');
    await page.getByLabel('Role', { exact: true }).selectOption('Reporter');
    await page.locator('input[value=read_api]').check();
    await inspect(t, page, 'access-token-new');
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = page.getByLabel('The new token', { exact: true });
    await secret.waitFor();
    await focusIs(t, page, 'Token “Deploy robot”');
    const token = await secret.inputValue();
    const withToken = app.withHeaders({ 'PRIVATE-TOKEN': token });
    t.is((await withToken.get(`/projects/${project.id}`)).status, 200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await secret.waitFor({ state: 'detached' });
    await page.reload();
    const table = page.getByRole('table', { name: 'Active tokens' });
    await table.getByText('Reporter').waitFor();
    t.false((await page.content()).includes(token));
    t.false(requests.some((url) => url.includes(token)));
    await inspect(t, page, 'access-tokens');
    await page.getByRole('button', { name: 'Rotate Deploy robot' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click();
    await secret.waitFor();
    const rotated = app.withHeaders({ 'PRIVATE-TOKEN': await secret.inputValue() });
    t.is((await withToken.get(`/projects/${project.id}`)).status, 401);
    t.is((await rotated.get(`/projects/${project.id}`)).status, 200);
    await page.getByRole('button', { name: 'Revoke Deploy robot' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Token “Deploy robot” revoked.').waitFor();
    t.is((await rotated.get(`/projects/${project.id}`)).status, 401);
    await page.getByRole('link', { name: 'Inactive' }).click();
    await page.getByRole('table', { name: 'Inactive tokens' }).getByText('Revoked').first().waitFor();
    // The form without a name and a scope.
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.access-tokens
test.serial(
  'tokens of a group are for its Owners; others are told so, and nothing is asked for them',
  inBrowser(async (t) => {
    const [owner, maintainer] = [await userWithPassword(app), await userWithPassword(app)];
    const group = await app.build.group({ owner });
    await app.build.groupMember(group, 'maintainer', maintainer);
    const url = `/groups/${group.full_path}/-/settings/access_tokens`;
    const watched = await openPage(app, browser);
    const { page, requests } = watched;
    await signIn(page, app, maintainer, signInAt(url));
    await page.getByText('You need the Owner role to manage the access tokens of a group.').waitFor();
    t.false(requests.some((requestPath) => requestPath.includes('/access_tokens?')));
    await inspect(t, page, 'access-tokens-refused');
    untroubled(t, app, watched);
    const mine = await openPage(app, browser);
    await signIn(mine.page, app, owner, signInAt(`${url}?new=1`));
    await mine.page.getByLabel('Name', { exact: true }).fill('Group robot');
    await mine.page.getByLabel('Role', { exact: true }).selectOption('Owner');
    await mine.page.locator('input[value=api]').check();
    await mine.page.getByRole('button', { name: 'Create token' }).click();
    const token = await mine.page.getByLabel('The new token', { exact: true }).inputValue();
    t.is((await app.withHeaders({ 'PRIVATE-TOKEN': token }).get(`/groups/${group.id}`)).status, 200);
    await mine.page.getByRole('table', { name: 'Active tokens' }).getByText('Group robot').waitFor();
    const { body } = await app.as(owner).get(`/groups/${group.id}/access_tokens`);
    t.like(body[0], { name: 'Group robot', access_level: 50, scopes: ['api'], active: true });
    t.is((await app.as(owner).post(`/groups/${group.id}/archive`)).status, 200);
    await mine.page.goto(app.url + url);
    await mine.page.getByText('The group is archived: you can revoke tokens, but not create them.').waitFor();
    await becomes(t, () => mine.page.getByRole('link', { name: 'New token' }).count(), 0);
    untroubled(t, app, mine);
  }),
);
