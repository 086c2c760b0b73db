import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { ed25519 } from '../repositories/deploy-keys/keys.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);
const END = '/-/settings/repository';

/** A page after signing in, with the browser's clock set to the service's. */
async function arrive(user: BuiltUser, path: string) {
  const watched = await openPage(app, browser);
  await signIn(watched.page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent(path)}`);
  return watched;
}

/** A project of a person who can sign in. */
async function ownProject(name: string) {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const project = await app.build.project({ owner, name });
  return { owner, project, path: `/${project.full_path}${END}` };
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const question = (page: Page) => page.getByRole('alertdialog');

// Contract: web.deploy-tokens
test.serial(
  'a Maintainer makes a deploy token of a project, copies it once, revokes it and deletes it',
  inBrowser(async (t) => {
    const { owner, project } = await ownProject('Rocket');
    const watched = await openPage(app, browser);
    const { page, requests } = watched;
    await signIn(page, app, owner);
    await page.getByRole('link', { name: /Rocket$/ }).click();
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Repository' }).click();
    await page.getByRole('heading', { name: 'Repository settings' }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${project.full_path}${END}`);
    t.is(await page.title(), 'Repository settings · Capstan');
    const tokens = section(page, 'Deploy tokens');
    await tokens.getByText('No deploy tokens yet.').waitFor();
    await section(page, 'Deploy keys').getByText('No deploy keys yet.').waitFor();
    await section(page, 'Protected branches').getByRole('table').getByText('Maintainers').first().waitFor();
    await inspect(t, page, 'repository-settings-new');
    await tokens.getByRole('link', { name: 'New deploy token' }).click();
    await focusIs(t, page, 'Name');
    await tokens.getByRole('button', { name: 'Create deploy token' }).click();
    await tokens.getByText("Name can't be blank").waitFor();
    await tokens.getByLabel('Name', { exact: true }).fill('Release');
    await tokens.getByLabel('Username').fill('not good');
    await tokens.getByRole('checkbox', { name: 'read_repository' }).check();
    await becomes(t, () => tokens.getByRole('checkbox').count(), 7);
    await tokens.getByRole('button', { name: 'Create deploy token' }).click();
    await tokens.getByText('Username can contain only').waitFor();
    await focusIs(t, page, 'Username');
    await inspect(t, page, 'deploy-token-new');
    await tokens.getByLabel('Username').fill('');
    await tokens.getByRole('button', { name: 'Create deploy token' }).click();
    const secret = page.getByLabel('The new token', { exact: true });
    await secret.waitFor();
    await focusIs(t, page, 'Deploy token “Release”');
    const token = await secret.inputValue();
    t.regex(token, /^gdt-/);
    await inspect(t, page, 'deploy-token-made');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await secret.waitFor({ state: 'detached' });
    await page.reload();
    await tokens.getByRole('table').getByText('Never').first().waitFor();
    t.false((await page.content()).includes(token));
    t.false(requests.some((url) => url.includes(token)));
    await tokens.getByRole('button', { name: 'Revoke Release' }).click();
    await question(page).getByRole('button', { name: 'Revoke' }).click();
    await tokens.getByText('Deploy token “Release” revoked.').waitFor();
    await focusIs(t, page, 'Deploy token “Release” revoked.');
    await tokens.getByRole('table').getByText('Revoked', { exact: true }).waitFor();
    await becomes(t, () => tokens.getByRole('button', { name: 'Revoke Release' }).count(), 0);
    await tokens.getByRole('button', { name: 'Delete Release' }).click();
    await question(page).getByRole('button', { name: 'Delete' }).click();
    await tokens.getByText('Deploy token “Release” deleted.').waitFor();
    await tokens.getByText('No deploy tokens yet.').waitFor();
    t.deepEqual((await app.as(owner).get(`/projects/${project.id}/deploy_tokens`)).body, []);
    untroubled(t, app, watched, 2);
  }),
);

// Contract: web.deploy-tokens
test.serial(
  'an Owner makes a deploy token of a group, whose projects lead there; who is no Owner is offered nothing to do',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Grace Hopper' });
    const group = await app.build.group({ owner });
    const project = await app.build.projectIn(group, owner);
    const watched = await arrive(owner, `/${project.full_path}${END}`);
    const { page } = watched;
    await page.getByRole('link', { name: `tokens of ${group.full_path}` }).click();
    await page.getByRole('heading', { name: 'Repository settings' }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/groups/${group.full_path}${END}`);
    const tokens = section(page, 'Deploy tokens');
    await tokens.getByRole('link', { name: 'New deploy token' }).click();
    await tokens.getByLabel('Name', { exact: true }).fill('Mirror');
    await becomes(t, () => tokens.getByRole('checkbox').count(), 5);
    await tokens.getByRole('checkbox', { name: 'read_repository' }).check();
    await tokens.getByLabel('Expiration date').fill('2030-02-01');
    await page.keyboard.press('Enter');
    await page.getByLabel('The new token', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await tokens.getByRole('rowheader', { name: 'Mirror' }).waitFor();
    await inspect(t, page, 'group-deploy-tokens');
    untroubled(t, app, watched);

    const maintainer = await userWithPassword(app);
    await app.build.groupMember(group, 'maintainer', maintainer);
    const other = await arrive(maintainer, `/groups/${group.full_path}${END}`);
    const tokenSection = section(other.page, 'Deploy tokens');
    await tokenSection.getByRole('rowheader', { name: 'Mirror' }).waitFor();
    await becomes(t, () => tokenSection.getByRole('link', { name: /^New/ }).count(), 0);
    await becomes(t, () => tokenSection.getByRole('button').count(), 0);
    untroubled(t, app, other);
  }),
);

// Contract: web.deploy-keys
test.serial(
  'a Maintainer adds a deploy key, is told what is wrong with one, edits and removes it',
  inBrowser(async (t) => {
    const { owner, project, path } = await ownProject('Keyed');
    const watched = await arrive(owner, path);
    const { page } = watched;
    const keys = section(page, 'Deploy keys');
    await keys.getByText('does not serve Git over SSH yet').waitFor();
    await keys.getByRole('link', { name: 'New deploy key' }).click();
    await focusIs(t, page, 'Title');
    await keys.getByLabel('Title').fill('Robot');
    await keys.getByLabel('Public key').fill('ssh-ed25519 none');
    await keys.getByRole('button', { name: 'Add deploy key' }).click();
    await keys.getByText('Public key is invalid').waitFor();
    await focusIs(t, page, 'Public key');
    await inspect(t, page, 'deploy-key-new');
    const key = ed25519('ci@example.com');
    await keys.getByLabel('Public key').fill(`${key}\n`);
    await keys.getByRole('checkbox', { name: 'Grant write permissions to this key' }).check();
    await keys.getByRole('button', { name: 'Add deploy key' }).click();
    await keys.getByText('Deploy key “Robot” added.').waitFor();
    await keys.getByRole('table').getByText('Read-write').waitFor();
    t.is((await app.as(owner).get(`/projects/${project.id}/deploy_keys`)).body[0].key, key);
    await inspect(t, page, 'deploy-keys');
    await keys.getByRole('button', { name: 'Edit Robot' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “Robot”' });
    await dialog.getByLabel('Title').fill('Other');
    await dialog.getByRole('checkbox', { name: 'Grant write permissions to this key' }).uncheck();
    await inspect(t, page, 'deploy-key-edit');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await keys.getByText('Deploy key “Other” saved.').waitFor();
    await keys.getByRole('table').getByText('Read-only').waitFor();
    await keys.getByRole('button', { name: 'Remove Other' }).click();
    await question(page).getByRole('button', { name: 'Remove' }).click();
    await keys.getByText('Deploy key “Other” removed.').waitFor();
    await keys.getByText('No deploy keys yet.').waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.protected-refs
test.serial(
  'a Maintainer protects a branch for a role, a member and a key, a tag for a group, and takes both away',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const group = await app.build.group({ owner });
    const project = await app.build.projectIn(group, owner);
    const client = app.as(owner);
    await client.post(`/projects/${project.id}/deploy_keys`, { title: 'Robot', key: ed25519(), can_push: true });
    await client.post(`/projects/${project.id}/deploy_keys`, { title: 'Reader', key: ed25519() });
    const watched = await arrive(owner, `/${project.full_path}${END}`);
    const { page } = watched;
    const branches = section(page, 'Protected branches');
    await branches.getByText('require the Premium plan').waitFor();
    await branches.getByRole('link', { name: 'Protect a branch' }).click();
    await focusIs(t, page, 'Branch');
    await branches.getByRole('button', { name: 'Protect', exact: true }).click();
    await branches.getByText("Name can't be blank").waitFor();
    await branches.getByLabel('Branch').fill('release/*');
    const push = branches.getByRole('group', { name: 'Allowed to push' });
    await push.getByLabel('Role').selectOption({ label: 'No one' });
    const also = push.getByLabel('Add users, groups or deploy keys');
    await also.locator('option', { hasText: 'Robot' }).waitFor({ state: 'attached' });
    await becomes(
      t,
      () => also.locator('option', { hasText: 'Reader' }).count(),
      0,
      'a key that only reads is not offered',
    );
    await also.selectOption({ label: 'Robot' });
    await also.selectOption({ label: `Ada Lovelace (${owner.username})` });
    const merge = branches.getByRole('group', { name: 'Allowed to merge' });
    await becomes(
      t,
      () => merge.getByLabel('Add users or groups').locator('option', { hasText: 'Robot' }).count(),
      0,
      'keys do not merge',
    );
    await merge.getByLabel('Role').selectOption({ label: 'Developers + Maintainers' });
    await merge.getByLabel('Add users or groups').selectOption({ label: `Ada Lovelace (${owner.username})` });
    await merge.getByRole('button', { name: /^Remove Ada/ }).click();
    await focusIs(t, page, 'Add users or groups');
    await branches.getByRole('checkbox', { name: 'Allow force push' }).check();
    await inspect(t, page, 'protected-branch-new');
    await branches.getByRole('button', { name: 'Protect', exact: true }).click();
    await branches.getByText('“release/*” protected.').waitFor();
    await branches.getByRole('table').getByText('Robot, Ada Lovelace', { exact: true }).waitFor();
    await branches.getByRole('table').getByText('Developers + Maintainers').waitFor();
    await branches.getByRole('button', { name: 'Edit release/*' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Allow force push' }).uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await branches.getByText('Rule “release/*” saved.').waitFor();
    const { body: rule } = await client.get(`/projects/${project.id}/protected_branches/release%2F*`);
    t.like(rule, { allow_force_push: false });
    t.deepEqual(
      rule.push_access_levels.map((level: { access_level: number }) => level.access_level),
      [0, 40, null],
    );
    t.deepEqual(
      rule.merge_access_levels.map((level: { access_level: number }) => level.access_level),
      [30],
    );

    const tags = section(page, 'Protected tags');
    await tags.getByRole('link', { name: 'Protect a tag' }).click();
    await tags.getByLabel('Tag', { exact: true }).fill('v*');
    await tags.getByLabel('Add users, groups or deploy keys').selectOption({ label: group.full_path });
    await tags.getByRole('button', { name: 'Protect', exact: true }).click();
    await tags.getByText('“v*” protected.').waitFor();
    await tags.getByRole('table').getByText(`Maintainers, ${group.name}`).waitFor();
    await inspect(t, page, 'protected-refs');
    await tags.getByRole('button', { name: 'Unprotect v*' }).click();
    await question(page).getByRole('button', { name: 'Unprotect' }).click();
    await tags.getByText('“v*” unprotected.').waitFor();
    await branches.getByRole('button', { name: 'Unprotect release/*' }).click();
    await inspect(t, page, 'unprotect');
    await question(page).getByRole('button', { name: 'Unprotect' }).click();
    await branches.getByText('“release/*” unprotected.').waitFor();
    t.deepEqual((await client.get(`/projects/${project.id}/protected_tags`)).body, []);
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.repository-settings, web.keyboard
test.serial(
  'the keyboard alone opens a form, leaves it, and the focus is where it was',
  inBrowser(async (t) => {
    const { owner, path } = await ownProject('Keys only');
    const { page } = await arrive(owner, path);
    const link = section(page, 'Protected tags').getByRole('link', { name: 'Protect a tag' });
    await link.focus();
    await page.keyboard.press('Enter');
    await focusIs(t, page, 'Tag');
    await becomes(t, () => new URL(page.url()).search, '?new=protected_tags');
    await page.keyboard.type('v*');
    await section(page, 'Protected tags').getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await focusIs(t, page, 'Protect a tag');
    await becomes(t, () => new URL(page.url()).search, '');
  }),
);

// Contract: web.repository-settings
test.serial(
  'who may not, does not see the project, or names none, is told in words; who is not signed in signs in first',
  inBrowser(async (t) => {
    const { project, path } = await ownProject('Closed');
    const developer = await userWithPassword(app);
    await app.build.member(project, 'developer', developer);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(app.url + path);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await becomes(t, () => new URL(page.url()).searchParams.get('redirect_to'), path);
    await signIn(page, app, developer, `/users/sign_in?redirect_to=${encodeURIComponent(path)}`);
    await page.getByRole('alert').getByText('These settings require at least the Maintainer role').waitFor();
    await becomes(t, () => page.getByRole('region').count(), 0);
    await inspect(t, page, 'repository-settings-refused');
    await page.goto(`${app.url}/`);
    await page.getByRole('table', { name: 'Projects' }).waitFor();
    await becomes(t, () => page.getByRole('link', { name: /^Repository settings/ }).count(), 0);
    for (const missing of ['/no/such', '/groups/none']) {
      await page.goto(`${app.url}${missing}${END}`);
      await page
        .getByRole('alert')
        .getByText(/^404 .* Not Found$/)
        .or(page.getByText('Not Found'))
        .first()
        .waitFor();
    }
    await inspect(t, page, 'repository-settings-missing');
    untroubled(t, app, watched, watched.complaints.filter((text) => /status of 40[134]/.test(text)).length);
  }),
);

// Contract: web.repository-settings
test.serial(
  'a list longer than a page has pages with addresses, and an archived project offers nothing to add',
  inBrowser(async (t) => {
    const { owner, project, path } = await ownProject('Long');
    const client = app.as(owner);
    for (let number = 1; number <= 21; number += 1)
      await client.post(`/projects/${project.id}/protected_tags`, { name: `v${number}.*` });
    const { page } = await arrive(owner, path);
    const tags = section(page, 'Protected tags');
    await tags.getByRole('link', { name: 'Next' }).click();
    await tags.getByText('v21.*').waitFor();
    await becomes(t, () => new URL(page.url()).search, '?protected_tags=2');
    await page.reload();
    await tags.getByText('v21.*').waitFor();
    await tags.getByRole('link', { name: 'Previous' }).click();
    await tags.getByText('v1.*', { exact: true }).waitFor();
    await client.post(`/projects/${project.id}/archive`);
    await page.reload();
    await page.getByText('The project is archived').waitFor();
    await tags.getByText('v1.*', { exact: true }).waitFor();
    await becomes(t, () => page.getByRole('link', { name: /^New / }).count(), 0);
    await becomes(t, () => page.getByRole('link', { name: /^Protect a / }).count(), 0);
    await becomes(t, () => page.getByRole('button', { name: /^Unprotect/ }).count(), 0);
  }),
);
