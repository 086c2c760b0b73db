import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** A page after signing in, with the browser's clock set to the service's. */
async function arrive(user: BuiltUser, path: string) {
  const watched = await openPage(app, browser);
  await signIn(watched.page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent(path)}`);
  return watched;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

// Contract: web.audit
test.serial(
  'an Owner finds in the log who changed what, by person, kind and days, and goes on to older pages',
  inBrowser(async (t) => {
    await app.set({ plan: 'premium' });
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const helper = await app.build.member(project, 'maintainer');
    for (let index = 0; index < 22; index += 1)
      await app.as(helper).post(`/projects/${project.id}/protected_tags`, { name: `v${index}` });
    await app.as(owner).put(`/projects/${project.id}`, { description: 'Flies', merge_method: 'ff' });
    const watched = await arrive(owner, `/${project.full_path}/-/audit_events`);
    const { page } = watched;
    const table = page.getByRole('table', { name: 'Audit events' });
    await table.getByText(/^Changed merge method/).waitFor();
    await inspect(t, page, 'audit');
    await page.getByRole('link', { name: 'Next' }).click();
    await table.getByText('Added protected tag v0', { exact: true }).waitFor();
    await page.getByLabel('Author').fill(owner.username);
    await page.getByRole('button', { name: 'Filter' }).click();
    await table.getByText('Added protected tag v21').waitFor({ state: 'detached' });
    await table.getByText(/^Changed merge method/).waitFor();
    await becomes(t, () => new URL(page.url()).search, `?author=${owner.username}`);
    await page.getByLabel('Type').selectOption('protected tag');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No matching events.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await table.getByText('Added protected tag v21').waitFor();
    const day = new Date(app.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('To day').fill(day);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No matching events.').waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.members
test.serial(
  'a Maintainer adds a member, gives another role, and removes them; others only see who belongs',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const helper = await userWithPassword(app, { name: 'Grace Hopper' });
    const members = `/${project.full_path}/-/project_members`;
    const watched = await arrive(owner, members);
    const { page } = watched;
    const table = page.getByRole('table', { name: 'Members' });
    await table.getByText('Owner').waitFor();
    await page.getByRole('link', { name: 'Add member' }).click();
    await focusIs(t, page, 'Username');
    await page.getByLabel('Username').fill('nobody-of-that-name');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.locator('[aria-invalid=true]').or(page.getByRole('alert')).first().waitFor();
    await inspect(t, page, 'member-new');
    await page.getByLabel('Username').fill(`@${helper.username}`);
    await page.getByLabel('Role').selectOption('Reporter');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByText(`${helper.username} was added as Reporter.`).waitFor();
    await page.getByRole('link', { name: 'Direct' }).click();
    await table.getByRole('button', { name: 'Change the role of Grace Hopper' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('Developer');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('The role of Grace Hopper is now Developer.').waitFor();
    await inspect(t, page, 'members');
    const other = await arrive(helper, `${members}?direct=1`);
    await other.page.getByRole('button', { name: 'Leave Grace Hopper' }).waitFor();
    await becomes(t, () => other.page.getByRole('link', { name: 'Add member' }).count(), 0);
    await becomes(t, () => other.page.getByRole('button', { name: /^Remove/ }).count(), 0);
    await table.getByRole('button', { name: 'Remove Grace Hopper' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Grace Hopper was removed.').waitFor();
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
    untroubled(t, app, watched, 1);
    untroubled(t, app, other);
  }),
);

// Contract: web.members, web.group
test.serial(
  'a group shows its subgroups and projects, and its Owner adds members; a user shows their projects',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const helper = await app.build.user({ name: 'Grace Hopper' });
    const group = await app.build.group({ owner, name: 'Space', description: 'Up there.' });
    const below = await app.build.group({ parent: group, owner, name: 'Engines' });
    const project = await app.build.projectIn(group, { name: 'Rocket' });
    const own = await app.build.project({ owner, name: 'Diary' });
    const watched = await arrive(owner, `/groups/${group.full_path}`);
    const { page } = watched;
    await heading(page, 'Space').waitFor();
    await page.getByRole('table', { name: 'Subgroups' }).getByRole('link', { name: 'Space / Engines' }).waitFor();
    await page.getByRole('table', { name: 'Projects' }).getByRole('link', { name: 'Space / Rocket' }).waitFor();
    await inspect(t, page, 'group');
    await page.getByLabel('Find a project').fill('nothing of the kind');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No matching projects.').waitFor();
    await page.goto(`${app.url}/${below.full_path}`);
    await heading(page, 'Engines').waitFor();
    await page.getByText('No projects yet.').waitFor();
    await page.goto(`${app.url}/groups/${group.full_path}/-/group_members?new=1`);
    await page.getByLabel('Username').fill(helper.username);
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByText(`${helper.username} was added as Developer.`).waitFor();
    await page.goto(`${app.url}/${project.full_path}/-/project_members`);
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await heading(page, 'Ada Lovelace').waitFor();
    await page.getByRole('link', { name: `Ada Lovelace / ${own.name}` }).waitFor();
    await inspect(t, page, 'user');
    for (const [path, found] of [
      ['projects', 'Space / Rocket'],
      ['groups', 'Space / Engines'],
    ] as const) {
      await page.goto(`${app.url}/dashboard/${path}`);
      await page.getByRole('link', { name: found }).waitFor();
      await inspect(t, page, `dashboard-${path}`);
    }
    untroubled(t, app, watched);
  }),
);

// Contract: web.notifications
test.serial(
  'a person chooses what they are told of',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await arrive(user, '/-/profile/notifications');
    const { page } = watched;
    await page.getByLabel('Notification level').selectOption('Custom: events selected below');
    await page.getByRole('checkbox', { name: 'failed_pipeline' }).check();
    await inspect(t, page, 'notifications');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await app.as(user).get('/notification_settings');
    t.is(body.level, 'custom');
    t.true(body.events.failed_pipeline);
    untroubled(t, app, watched);
  }),
);

// Contract: web.admin
test.serial(
  'an administrator creates a user, blocks and unblocks them, makes an application, and finds all of it in the log',
  inBrowser(async (t) => {
    const admin = await userWithPassword(app, { admin: true, name: 'Root' });
    await app.build.user({ name: 'Edsger Dijkstra' });
    const { id: enigma } = await app.build.project({ name: 'Enigma' });
    const watched = await arrive(admin, '/admin');
    const { page } = watched;
    await page.getByText('of the public API').waitFor();
    await page.getByRole('link', { name: /^\d+$/ }).first().waitFor();
    await inspect(t, page, 'admin');
    const parts = page.getByRole('navigation', { name: 'Administration' });
    await parts.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('link', { name: 'Edsger Dijkstra' }).waitFor();
    await inspect(t, page, 'admin-users');
    await page.getByRole('link', { name: 'New user' }).click();
    await focusIs(t, page, 'Name');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.locator('[aria-invalid=true]').or(page.getByRole('alert')).first().waitFor();
    await inspect(t, page, 'admin-user-new');
    await page.getByLabel('Name', { exact: true }).fill('Alan Turing');
    await page.getByLabel('Username').fill('alan');
    await page.getByLabel('Email').fill('alan@example.com');
    await page.getByLabel('Password').fill('another horse 43 battery');
    await page.getByRole('button', { name: 'Create user' }).click();
    await heading(page, 'Alan Turing').waitFor();
    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
    await page.getByRole('button', { name: 'Unblock' }).waitFor();
    await page.getByText('blocked', { exact: true }).waitFor();
    await inspect(t, page, 'admin-user');
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unblock' }).click();
    await page.getByRole('button', { name: 'Block', exact: true }).waitFor();
    await page.getByLabel('Note').fill('Reads about machines.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const [{ id }] = (await app.as(admin).get('/users?username=alan')).body;
    await app.as(admin).post(`/projects/${enigma}/members`, { user_id: id, access_level: 30 });
    await page.getByLabel('Username').fill('turing');
    await page.getByLabel('New password').fill('yet another horse 44 battery');
    await page.getByLabel('Auditor').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/admin/users/turing');
    await page.getByText('auditor', { exact: true }).waitFor();
    t.like((await app.as(admin).get(`/users/${id}`)).body, { username: 'turing', note: 'Reads about machines.' });
    const memberships = page.getByRole('table', { name: 'Memberships' });
    t.regex(String(await memberships.getByRole('link', { name: 'Enigma' }).getAttribute('href')), /\/enigma$/);
    await parts.getByRole('link', { name: 'Applications' }).click();
    await page.getByRole('link', { name: 'New application' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Dashboard');
    await page.getByLabel('Redirect URI').fill('https://dashboard.example.com/callback');
    await page.getByRole('checkbox', { name: 'read_user' }).check();
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByText('Secret of “Dashboard”').waitFor();
    await inspect(t, page, 'admin-applications');
    await parts.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('table', { name: 'Audit events' }).getByText('alan').first().waitFor();
    await inspect(t, page, 'admin-audit');
    await parts.getByRole('link', { name: 'Groups' }).click();
    await heading(page, 'Groups').waitFor();
    untroubled(t, app, watched, 1);
    const other = await arrive(await userWithPassword(app), '/admin/users');
    await other.page.getByRole('heading', { name: 'Page not found' }).waitFor();
  }),
);
