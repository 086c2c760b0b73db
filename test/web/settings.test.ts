import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** A page after signing in, with the browser's clock set to the service's. */
async function arrive(user: BuiltUser, path: string) {
  const watched = await openPage(app, browser);
  await signIn(watched.page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent(path)}`);
  return watched;
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const save = (page: Page, name: string) => part(page, name).getByRole('button', { name: 'Save changes' }).click();

/** The bodies of requests that change something, in their order. */
function sentBy(page: Page): unknown[] {
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON());
  });
  return sent;
}

// Contract: web.settings
test.serial(
  'an Owner changes settings of a project: only what was changed is sent, problems stand at their fields, and refusals lose nothing',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const watched = await arrive(owner, `/${project.full_path}/edit`);
    const { page } = watched;
    const sent = sentBy(page);
    const merging = part(page, 'Merge requests');
    await merging.getByLabel('Merge method').waitFor();
    await part(page, 'Delete project').waitFor();
    await inspect(t, page, 'settings-project');
    await save(page, 'Merge requests');
    await merging.getByText('No changes.').waitFor();
    t.deepEqual(sent, []);
    await merging.getByLabel('Merge method').selectOption('Fast-forward merge');
    await merging.getByRole('checkbox', { name: 'Pipelines must succeed' }).check();
    await save(page, 'Merge requests');
    await merging.getByText('Saved.').waitFor();
    t.deepEqual(sent, [{ merge_method: 'ff', only_allow_merge_if_pipeline_succeeds: true }]);
    const { body } = await app.as(owner).get(`/projects/${project.id}`);
    t.like(body, { merge_method: 'ff', only_allow_merge_if_pipeline_succeeds: true });

    const general = part(page, 'General');
    await general.getByLabel('Description').fill('It flies.');
    await general.getByLabel('Topics').fill('space\nengines');
    await general.getByLabel('Default branch').fill('no-such-branch');
    await save(page, 'General');
    await general.locator('[aria-invalid=true]').or(general.getByRole('alert')).first().waitFor();
    await inspect(t, page, 'settings-project-problem');
    for (const status of [403, 404, 409, 429, 503]) {
      await page.route('**/api/v4/projects/*', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status, json: { message: `${status} Told` } })
          : route.fallback(),
      );
      await save(page, 'General');
      await general.getByRole('alert').getByText(`${status} Told`).waitFor();
      await becomes(t, () => general.getByLabel('Description').inputValue(), 'It flies.');
      await becomes(t, () => general.getByLabel('Topics').inputValue(), 'space\nengines');
      await page.unrouteAll();
    }
    await general.getByLabel('Default branch').fill('main');
    await save(page, 'General');
    await general.getByText('Saved.').waitFor();
    t.deepEqual(sent.at(-1), { description: 'It flies.', topics: ['space', 'engines'] });

    const images = part(page, 'Container image cleanup');
    await images.getByLabel('Tags to keep of each image').fill('3');
    await save(page, 'Container image cleanup');
    await images.getByText('is not included in the list').waitFor();
    await images.getByLabel('Tags to keep of each image').fill('5');
    await save(page, 'Container image cleanup');
    await images.getByText('Saved.').waitFor();
    t.deepEqual(sent.at(-1), { container_expiration_policy_attributes: { keep_n: 5 } });

    await part(page, 'Path').getByLabel('Path').fill('big-rocket');
    await save(page, 'Path');
    await page.waitForURL('**/big-rocket/edit');
    await part(page, 'Path').getByLabel('Path').and(page.locator('[value=big-rocket]')).waitFor();
    const { complaints } = watched;
    untroubled(t, app, { ...watched, complaints: complaints.filter((text) => !text.includes('Failed to load')) });
  }),
);

// Contract: web.settings, web.settings.whole
test.serial(
  'a Maintainer is offered what they may change; an Owner archives a project, moves it and deletes it by its path',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const maintainer = await userWithPassword(app);
    const group = await app.build.group({ owner, name: 'Space' });
    const project = await app.build.projectIn(group, { name: 'Rocket' });
    const to = await app.build.group({ owner, name: 'Elsewhere' });
    await app.build.member(project, 'maintainer', maintainer);
    const other = await arrive(maintainer, `/${project.full_path}/edit`);
    await part(other.page, 'General').getByLabel('Description').waitFor();
    await part(other.page, 'Export project').waitFor();
    await becomes(t, () => part(other.page, 'General').getByLabel('Name').count(), 0);
    await becomes(t, () => part(other.page, 'Path').count(), 0);
    await becomes(t, () => part(other.page, 'Delete project').count(), 0);

    const watched = await arrive(owner, `/${project.full_path}/edit`);
    const { page } = watched;
    await page.getByRole('button', { name: 'Archive project' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Unarchive project' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('button', { name: 'Archive project', exact: true }).waitFor();
    await part(page, 'Transfer project').getByLabel('New namespace').selectOption(to.full_path);
    await page.getByRole('button', { name: 'Transfer project' }).click();
    await page.waitForURL(`**/${to.full_path}/${project.path}/edit`);
    await part(page, 'Transfer project').getByLabel('New namespace').selectOption(owner.username);
    await page.getByRole('button', { name: 'Transfer project' }).click();
    await page.waitForURL(`**/${owner.username}/${project.path}/edit`);
    const moved = `${owner.username}/${project.path}`;
    await page.getByRole('button', { name: 'Delete project' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel(`Type ${moved} to confirm`).fill('something else');
    await dialog.getByRole('button', { name: 'Delete project' }).click();
    await dialog.getByText(`The text doesn't match ${moved}.`).waitFor();
    await inspect(t, page, 'settings-delete');
    await dialog.getByLabel(`Type ${moved} to confirm`).fill(moved);
    await dialog.getByRole('button', { name: 'Delete project' }).click();
    await page.waitForURL('**/dashboard/projects');
    const { body } = await app.as(owner).get(`/projects/${project.id}`);
    t.is(typeof body.marked_for_deletion_on, 'string');
    untroubled(t, app, watched);
    untroubled(t, app, other);
  }),
);

// Contract: web.settings, web.settings.whole
test.serial(
  'an Owner changes settings of a group, deletes it and restores it',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const group = await app.build.group({ owner, name: 'Space' });
    const watched = await arrive(owner, `/groups/${group.full_path}/-/edit`);
    const { page } = watched;
    const sent = sentBy(page);
    const permissions = part(page, 'Permissions');
    await permissions.getByLabel('Role that may create subgroups').selectOption('Owner');
    await permissions.getByRole('checkbox', { name: 'Lock membership of projects' }).check();
    await inspect(t, page, 'settings-group');
    await save(page, 'Permissions');
    await permissions.getByText('Saved.').waitFor();
    t.deepEqual(sent, [{ subgroup_creation_level: 'owner', membership_lock: true }]);
    const branches = part(page, 'Default branches');
    await branches.getByRole('checkbox', { name: 'Allow force push' }).check();
    await save(page, 'Default branches');
    await branches.getByText('Saved.').waitFor();
    const { body } = await app.as(owner).get(`/groups/${group.id}`);
    t.like(body, { subgroup_creation_level: 'owner', membership_lock: true });
    t.like(body.default_branch_protection_defaults, { allow_force_push: true, developer_can_initial_push: false });
    await page.getByRole('button', { name: 'Delete group' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel(`Type ${group.full_path} to confirm`).fill(group.full_path);
    await dialog.getByRole('button', { name: 'Delete group' }).click();
    await page.getByRole('button', { name: 'Restore group' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Delete group' }).waitFor();
    untroubled(t, app, watched);
  }),
);
