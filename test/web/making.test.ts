import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { unique } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

// Contract: web.new
test.serial(
  'a newcomer makes a group, and in it a subgroup and a project; who may not make any there is offered none',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const path = `spacecraft-${unique()}`;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user);
    // Home offers users without a project to create their first one.
    await page.getByRole('main').getByRole('link', { name: 'New project' }).waitFor();
    await page.goto(`${app.url}/groups/new`);
    await focusIs(t, page, 'Name');
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Spacecraft');
    await page.getByLabel('Path', { exact: true }).fill(path);
    await page.getByLabel('Visibility').selectOption('public');
    await inspect(t, page, 'group-new');
    await page.getByRole('button', { name: 'Create group' }).click();
    await heading(page, 'Spacecraft').waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/groups/${path}`);
    await inspect(t, page, 'group-empty');
    await page.getByRole('link', { name: 'New subgroup' }).click();
    await becomes(t, () => page.getByLabel('Parent group').inputValue(), path);
    await page.getByLabel('Name', { exact: true }).fill('Engines');
    await page.getByLabel('Path', { exact: true }).fill('engines');
    await page.getByRole('button', { name: 'Create group' }).click();
    await heading(page, 'Engines').waitFor();
    await page.getByRole('link', { name: 'New project' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Rocket');
    await page.getByLabel('Namespace').fill('no/such-group');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText("This group doesn't exist, or you don't have access to it.").waitFor();
    await page.getByLabel('Namespace').fill(`${path}/engines`);
    await page.getByLabel('Visibility').selectOption('public');
    await page.getByRole('button', { name: 'Create project' }).click();
    // More open than the group that it lies in.
    await page.locator('select[aria-invalid=true]').waitFor();
    await inspect(t, page, 'project-new-refused');
    await page.getByLabel('Visibility').selectOption('private');
    await page.getByRole('button', { name: 'Create project' }).click();
    await heading(page, 'Rocket').waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${path}/engines/rocket`);
    // The README is indexed shortly after it was written, and the page polls for it.
    await app.work();
    await page.getByRole('region', { name: 'README' }).getByRole('link', { name: 'README.md' }).waitFor();
    untroubled(t, app, watched, 3);

    const guest = await userWithPassword(app, { name: 'Grace Hopper' });
    const other = await openPage(app, browser);
    await signIn(other.page, app, guest, `/users/sign_in?redirect_to=${encodeURIComponent(`/groups/${path}`)}`);
    await heading(other.page, 'Spacecraft').waitFor();
    await other.page.getByRole('region', { name: 'Projects' }).getByText('No projects yet.').waitFor();
    await becomes(t, () => other.page.getByRole('link', { name: /^New (project|subgroup)$/ }).count(), 0);
    await becomes(
      t,
      () => other.page.getByRole('navigation', { name: 'Group' }).getByRole('link', { name: 'Settings' }).count(),
      0,
    );
  }),
);
