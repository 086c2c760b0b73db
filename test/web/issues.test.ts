import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { issueIn } from '../planning/issue-links/issues.js';
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

/** A project of a person who can sign in. */
async function ownProject(name: string, attributes: { visibility?: string } = {}) {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const project = await app.build.project({ owner, name, ...attributes });
  return { owner, project, issues: `/${project.full_path}/-/issues` };
}

/** Records the requests that a page's scripts send to the service from now on. */
function watchRequests(page: Page): string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (['fetch', 'xhr'].includes(request.resourceType())) urls.push(new URL(request.url()).pathname);
  });
  return urls;
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

// Contract: web.issues
test.serial(
  'a person finds the issues of a project from home, creates one, edits, closes and reopens it, and reads its history',
  inBrowser(async (t) => {
    const { owner, project, issues } = await ownProject('Rocket');
    const helper = await app.build.member(project, 'developer');
    await app.as(owner).post(`/projects/${project.id}/labels`, { name: 'urgent', color: '#d9534f' });
    await app.as(owner).post(`/projects/${project.id}/milestones`, { title: 'First flight' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner);
    await page.getByRole('link', { name: /Rocket$/ }).click();
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Issues' }).click();
    await heading(page, 'Issues').waitFor();
    await becomes(t, () => new URL(page.url()).pathname, issues);
    await page.getByText('No open issues.').waitFor();
    await inspect(t, page, 'issues-empty');
    await page.getByRole('link', { name: 'Create an issue' }).click();
    await focusIs(t, page, 'Title');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.getByText("Title can't be blank").waitFor();
    await focusIs(t, page, 'Title');
    await page.getByLabel('Title').fill('The engine <b>does not</b> start');
    await page
      .getByLabel('Description')
      .fill('It **coughs**.\n\n- [ ] look\n- [x] listen\n\n<script>window.harmed = 1</script>');
    await page.getByLabel('Labels').fill('urgent, engine');
    await page.getByLabel('Assignees').fill('nobody-of-that-name');
    await page.getByLabel('Milestone').selectOption({ label: 'First flight' });
    await page.getByLabel('Due date').fill('2029-12-24');
    await page.getByLabel('Weight').fill('3');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.getByText('User “nobody-of-that-name” not found.').waitFor();
    await focusIs(t, page, 'Assignees');
    await inspect(t, page, 'issue-new');
    await page.getByLabel('Assignees').fill(`@${helper.username}`);
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.getByText('Issue #1 created.').and(page.locator(':focus')).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `${issues}/1`);
    await heading(page, 'The engine <b>does not</b> start').waitFor();
    const description = section(page, 'Description of #1');
    await becomes(t, () => description.locator('strong').textContent(), 'coughs');
    t.is(await page.evaluate('window.harmed'), undefined);
    await page.getByText('1 of 2 checklist items completed').waitFor();
    await page.getByText('2029-12-24 overdue').waitFor();
    await page.getByRole('link', { name: 'urgent' }).waitFor();
    await inspect(t, page, 'issue');

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await focusIs(t, page, 'Title');
    await page.getByLabel('Title').fill('The engine does not start');
    await page.getByLabel('Labels').fill('engine');
    await page.getByRole('checkbox', { name: 'Confidential' }).check();
    await inspect(t, page, 'issue-edit');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').and(page.locator(':focus')).waitFor();
    await heading(page, 'The engine does not start').waitFor();
    await becomes(t, () => page.getByRole('link', { name: 'urgent' }).count(), 0);
    await page.getByRole('button', { name: 'Close issue' }).click();
    await page.getByText('Issue closed.').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('You no longer get notifications for this issue.').waitFor();
    await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Show history' }).click();
    const history = page.getByRole('list', { name: 'History, oldest first' });
    await history.getByText('Ada Lovelace closed this issue').waitFor();
    await history.getByText('Ada Lovelace removed the label “urgent”').waitFor();
    await history.getByText('Ada Lovelace set the milestone to “First flight”').waitFor();
    await history.getByText('Ada Lovelace set the weight to 3').waitFor();
    await inspect(t, page, 'issue-closed');
    await page.getByRole('button', { name: 'Reopen issue' }).click();
    await page.getByText('Issue reopened.').waitFor();
    const { body } = await app.as(owner).get(`/projects/${project.id}/issues/1`);
    t.like(body, { state: 'opened', subscribed: false, confidential: true, labels: ['engine'] });
    t.deepEqual(
      body.assignees.map(({ id }: { id: number }) => id),
      [helper.id],
    );
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.issues
test.serial(
  'the list has tabs with counts, filters that stand in the address, and pages; it asks at most five things, an issue six, that of the menu among them',
  inBrowser(async (t) => {
    const { owner, project, issues } = await ownProject('Comet');
    const labelled = { labels: 'tail, dust', description: 'Watched from the observatory' };
    for (let number = 1; number <= 21; number += 1)
      await issueIn(app, { ...project, owner }, { title: `Sight ${number}` });
    const { iid } = await issueIn(app, { ...project, owner }, { title: 'x'.repeat(200), ...labelled });
    const done = await issueIn(app, { ...project, owner }, { title: 'Find a telescope', confidential: true });
    await app.as(owner).put(`/projects/${project.id}/issues/${done.iid}`, { state_event: 'close' });
    await app.calm();
    const watched = await arrive(owner, issues);
    const { page } = watched;
    const table = page.getByRole('table', { name: 'Issues, open' });
    const tabs = page.getByRole('navigation', { name: 'Issues by state' });
    await table.waitFor();
    await tabs.getByRole('link', { name: 'Open 22' }).waitFor();
    const first = watchRequests(page);
    await page.reload();
    await table.waitFor();
    await tabs.getByRole('link', { name: 'Open 22' }).waitFor();
    await tabs.getByRole('link', { name: 'Closed 1' }).waitFor();
    t.true(first.length <= 5, first.join(' '));
    await inspect(t, page, 'issues');
    await page.getByRole('link', { name: 'Next' }).click();
    await table.getByText('Sight 1', { exact: true }).waitFor();
    await becomes(t, () => table.getByRole('rowheader').count(), 2);
    await page.goBack();
    await table.getByRole('link', { name: 'dust' }).click();
    await tabs.getByRole('link', { name: 'Open 1', exact: true }).waitFor();
    await becomes(t, () => new URL(page.url()).searchParams.get('labels'), 'dust');
    await becomes(t, () => page.getByLabel('Labels', { exact: true }).first().inputValue(), 'dust');
    await table.waitFor();
    await becomes(t, () => table.getByRole('rowheader').count(), 1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await tabs.getByRole('link', { name: 'Open 22' }).waitFor();

    await page.getByRole('link', { name: 'Capstan' }).focus();
    await page.keyboard.press('/');
    await focusIs(t, page, 'Search title or description');
    await page.keyboard.type('observatory');
    await page.keyboard.press('Enter');
    await tabs.getByRole('link', { name: 'Open 1', exact: true }).waitFor();
    await page.getByLabel('Author').fill(owner.username);
    await page.getByLabel('Milestone').fill('None');
    await page.getByLabel('Order').selectOption({ label: 'Title' });
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL((url) => url.searchParams.get('order_by') === 'title');
    // The address changes before the page does, which then has other fields.
    await tabs.locator('a[href*="order_by=title"]').first().waitFor();
    const { searchParams } = new URL(page.url());
    t.is(searchParams.get('milestone'), 'None');
    t.is(searchParams.get('author_username'), owner.username);
    await page.getByLabel('Assignee').fill(owner.username);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No issues match the filter.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await tabs.getByRole('link', { name: 'Closed 1' }).click();
    const closed = page.getByRole('table', { name: 'Issues, closed' });
    await closed.getByText('confidential').waitFor();
    await inspect(t, page, 'issues-closed');

    await app.as(owner).post(`/projects/${project.id}/issues/${iid}/time_estimate`, { duration: '3h' });
    await page.goto(`${app.url}${issues}/${iid}`);
    await page.getByText('3h estimated').waitFor();
    await section(page, 'Linked issues').getByText('No linked issues.').waitFor();
    await app.calm();
    const second = watchRequests(page);
    await page.reload();
    await section(page, 'Linked issues').getByText('No linked issues.').waitFor();
    // Its threads are requested in addition to the data needed to render an issue.
    t.true(second.length <= 6, second.join(' '));
    await inspect(t, page, 'issue-long-title');
    untroubled(t, app, watched);
  }),
);

// Contract: web.issues
test.serial(
  'an issue is linked by its number and by the path of another project, and a link is removed',
  inBrowser(async (t) => {
    const { owner, project, issues } = await ownProject('Station');
    const other = await app.build.project({ owner, name: 'Shuttle' });
    const from = await issueIn(app, { ...project, owner }, { title: 'Dock' });
    const near = await issueIn(app, { ...project, owner }, { title: 'Open the hatch' });
    const far = await issueIn(app, { ...other, owner }, { title: 'Approach' });
    const watched = await arrive(owner, `${issues}/${from.iid}`);
    const { page } = watched;
    const links = section(page, 'Linked issues');
    const field = links.getByLabel('Issue to link');
    await links.getByText('No linked issues.').waitFor();
    await field.fill('the hatch');
    await links.getByRole('button', { name: 'Add link' }).click();
    await links.getByText('Enter an issue reference').waitFor();
    await focusIs(t, page, 'Issue to link');
    await field.fill('#99');
    await page.keyboard.press('Enter');
    await links.getByText('Issue not found').waitFor();
    await focusIs(t, page, 'Issue to link');
    await inspect(t, page, 'issue-link-refused');
    await field.fill(`#${near.iid}`);
    await page.keyboard.press('Enter');
    await links.getByText(`Linked to #${near.iid}.`).and(page.locator(':focus')).waitFor();
    await links.getByRole('table').getByText('Open the hatch').waitFor();
    await becomes(t, () => field.inputValue(), '');
    await links.getByLabel('Relation').selectOption({ label: 'This issue is blocked by it' });
    await field.fill(`${other.full_path}#${far.iid}`);
    await links.getByRole('button', { name: 'Add link' }).click();
    await links.getByRole('table').getByText('is blocked by').waitFor();
    await inspect(t, page, 'issue-links');
    await links.getByRole('button', { name: `Remove link to #${near.iid}` }).click();
    await links.getByText(`Link to #${near.iid} removed.`).and(page.locator(':focus')).waitFor();
    await links.getByRole('table').getByText('Approach').click();
    await heading(page, 'Approach').waitFor();
    await section(page, 'Linked issues').getByRole('table').getByText('blocks').waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.issues
test.serial(
  'an issue becomes an incident with a severity, is cloned, moved to another project and deleted',
  inBrowser(async (t) => {
    const { owner, project, issues } = await ownProject('Ferry');
    const other = await app.build.project({ owner, name: 'Harbor' });
    const { iid } = await issueIn(app, { ...project, owner }, { title: 'The ramp is stuck' });
    const watched = await arrive(owner, `${issues}/${iid}?edit=1`);
    const { page } = watched;
    await becomes(t, () => page.getByLabel('Severity').count(), 0);
    await page.getByLabel('Type').selectOption({ label: 'Incident' });
    await page.getByLabel('Severity').selectOption({ label: 'high' });
    await inspect(t, page, 'issue-incident-edit');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Incident, severity high').waitFor();

    await page.getByRole('button', { name: 'Clone', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await focusIs(t, page, 'Project');
    await dialog.getByLabel('Project').fill('nobody/nothing');
    await page.keyboard.press('Enter');
    await dialog.getByText("Project not found, or you don't have access to it.").waitFor();
    await focusIs(t, page, 'Project');
    await inspect(t, page, 'issue-clone-refused');
    await dialog.getByLabel('Project').fill(project.full_path);
    await dialog.getByRole('button', { name: 'Clone' }).click();
    await page.getByText(`Issue #${iid} cloned here.`).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `${issues}/${iid + 1}`);

    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await dialog.getByLabel('Project').fill(other.full_path);
    await inspect(t, page, 'issue-move');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByText(`Issue #${iid + 1} moved here.`).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${other.full_path}/-/issues/1`);
    await page.goBack();
    await page.getByRole('link', { name: `${other.full_path}#1` }).waitFor();
    await becomes(t, () => page.getByRole('button', { name: 'Move', exact: true }).count(), 0);

    await page.goto(`${app.url}${issues}/${iid}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await inspect(t, page, 'issue-delete');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await question.getByRole('button', { name: 'Delete issue' }).click();
    await page.getByText(`Issue #${iid} deleted.`).and(page.locator(':focus')).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, issues);
    t.is((await app.as(owner).get(`/projects/${project.id}/issues/${iid}`)).status, 404);

    // Developers take issues elsewhere, and delete none.
    const developer = await app.build.member(project, 'developer', await userWithPassword(app));
    const { iid: third } = await issueIn(app, { ...project, owner }, { title: 'Paint the hull' });
    const visit = await arrive(developer, `${issues}/${third}`);
    await visit.page.getByRole('button', { name: 'Move', exact: true }).waitFor();
    await becomes(t, () => visit.page.getByRole('button', { name: 'Delete', exact: true }).count(), 0);
    untroubled(t, app, visit);
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.issues.rights
test.serial(
  'who may only read is offered no change, confidential issues are not there, and who is not signed in may sign in',
  inBrowser(async (t) => {
    const { owner, project, issues } = await ownProject('Beacon', { visibility: 'public' });
    const issue = await issueIn(app, { ...project, owner }, { title: 'Light it' });
    const hidden = await issueIn(app, { ...project, owner }, { title: 'Where it stands', confidential: true });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(app.url + issues);
    const table = page.getByRole('table', { name: 'Issues, open' });
    await table.getByRole('link', { name: 'Light it' }).waitFor();
    await becomes(t, () => table.getByRole('rowheader').count(), 1);
    await becomes(t, () => page.getByRole('link', { name: 'New issue' }).count(), 0);
    await table.getByRole('link', { name: 'Light it' }).click();
    await heading(page, 'Light it').waitFor();
    await section(page, 'Links, history and comments').getByRole('link', { name: 'Sign in' }).waitFor();
    await becomes(t, () => page.getByRole('main').getByRole('button').count(), 0);
    await inspect(t, page, 'issue-read');
    await page.goto(`${app.url}${issues}/${hidden.iid}`);
    await page.getByRole('alert').getByText('Not found').waitFor();
    await inspect(t, page, 'issue-absent');
    await page.goto(`${app.url}${issues}/${issue.iid}?edit=1`);
    await heading(page, 'Light it').waitFor();
    await becomes(t, () => page.getByLabel('Title').count(), 0);

    const guest = await userWithPassword(app);
    await page.getByRole('link', { name: 'Capstan' }).click();
    await signIn(page, app, guest, `/users/sign_in?redirect_to=${encodeURIComponent(`${issues}/${issue.iid}`)}`);
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
    await page.getByText("You'll get notifications for this issue.").waitFor();
    await becomes(t, () => page.getByRole('link', { name: 'Edit', exact: true }).count(), 0);
    await becomes(t, () => page.getByRole('button', { name: 'Close issue' }).count(), 0);
    await becomes(t, () => page.getByRole('button', { name: 'Add link' }).count(), 0);
    for (const name of ['Move', 'Clone', 'Delete'])
      await becomes(t, () => page.getByRole('button', { name, exact: true }).count(), 0);
    // A user who is not a member can create an issue, but cannot plan it.
    await page.getByRole('link', { name: /^Issues in/ }).click();
    await page.getByRole('link', { name: 'New issue' }).click();
    // The list also has a title field, until the form replaces it.
    await heading(page, 'New issue').waitFor();
    await page.getByLabel('Title', { exact: true }).fill('A better lamp');
    await page.getByRole('checkbox', { name: 'Confidential' }).check();
    await becomes(t, () => page.getByLabel('Assignees').count(), 0);
    await page.getByRole('button', { name: 'Create issue' }).click();
    await heading(page, 'A better lamp').waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Title').waitFor();
    await becomes(t, () => page.getByLabel('Labels').count(), 0);
    await becomes(t, () => page.getByRole('checkbox').count(), 0);
    await page.getByLabel('Title').fill('A brighter lamp');
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'A brighter lamp').waitFor();
    await page.getByText('confidential', { exact: true }).waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.issues.rights
test.serial(
  'issues of a project that one may not see, or that keeps none, are told of in words',
  inBrowser(async (t) => {
    const { issues } = await ownProject('Vault');
    const { project: without, issues: none, owner } = await ownProject('Silo', { visibility: 'public' });
    await app.as(owner).put(`/projects/${without.id}`, { issues_access_level: 'disabled' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    for (const [path, name, message] of [
      [issues, 'issues-absent', '404 Project Not Found'],
      [none, 'issues-disabled', 'Issues are turned off in this project'],
    ] as const) {
      await page.goto(app.url + path);
      await page.getByRole('alert').getByText(message).waitFor();
      await inspect(t, page, name);
      await becomes(t, () => page.getByRole('table').count(), 0);
    }
    await page.getByRole('link', { name: 'Sign in to see more' }).click();
    await page.getByLabel('Username or email').waitFor();
    await becomes(t, () => new URL(page.url()).searchParams.get('redirect_to'), none);
    untroubled(t, app, watched, watched.complaints.filter((text) => /status of 40[134]/.test(text)).length);
  }),
);

// Contract: web.issues, web.keyboard
test.serial(
  'the keyboard alone opens an issue from the list, edits it, gives up an edit, and closes it',
  inBrowser(async (t) => {
    const { owner, project, issues } = await ownProject('Tender');
    const { iid } = await issueIn(app, { ...project, owner }, { title: 'Fill the tank' });
    const watched = await arrive(owner, issues);
    const { page } = watched;
    const { keyboard } = page;
    await page.getByRole('link', { name: 'Fill the tank' }).focus();
    await keyboard.press('Enter');
    await heading(page, 'Fill the tank').and(page.locator(':focus')).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).focus();
    await keyboard.press('Enter');
    await focusIs(t, page, 'Title');
    await page.getByRole('button', { name: 'Cancel' }).focus();
    await keyboard.press('Space');
    await focusIs(t, page, 'No changes.');
    await page.getByRole('link', { name: 'Edit', exact: true }).focus();
    await keyboard.press('Enter');
    await focusIs(t, page, 'Title');
    await keyboard.press('End');
    await keyboard.type(' again');
    await keyboard.press('Enter');
    await focusIs(t, page, 'Saved.');
    await heading(page, 'Fill the tank again').waitFor();
    await page.getByRole('button', { name: 'Close issue' }).focus();
    await keyboard.press('Enter');
    await focusIs(t, page, 'Issue closed.');
    const { body } = await app.as(owner).get(`/projects/${project.id}/issues/${iid}`);
    t.like(body, { state: 'closed', title: 'Fill the tank again' });
    untroubled(t, app, watched);
  }),
);
