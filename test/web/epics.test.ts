import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { issueIn } from '../planning/issue-links/issues.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.epics
test.serial(
  'an epic is made, shown with its issues and the epics below it, spoken about, edited, closed and reopened',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const group = await app.build.group({ owner, name: 'Space' });
    const project = await app.build.projectIn(group, { name: 'Rocket' });
    const as = app.as(owner);
    const epics = `/groups/${group.id}/epics`;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/groups/${group.full_path}`);
    await page.getByRole('navigation', { name: 'Group' }).getByRole('link', { name: 'Epics' }).click();
    await page.getByText('No epics yet.').waitFor();
    await inspect(t, page, 'epics-empty');
    await page.getByRole('link', { name: 'Create an epic' }).click();
    await focusIs(t, page, 'Title');
    await page.getByLabel('Description').fill('To **Mars**\n\n<script>window.harmed = 1</script>');
    await page.getByRole('button', { name: 'Create epic' }).click();
    await page.getByText("Title can't be blank").waitFor();
    await focusIs(t, page, 'Title');
    await page.getByLabel('Title').fill('Leave <b>Earth</b>');
    await page.getByLabel('Labels').fill('far, red');
    await page.getByRole('button', { name: 'Create epic' }).press('Enter');
    await page.getByText('Epic &1 created.').and(page.locator(':focus')).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/groups/${group.full_path}/-/epics/1`);
    await becomes(
      t,
      () => page.getByRole('region', { name: 'Description of &1' }).locator('strong').textContent(),
      'Mars',
    );
    t.is(await page.evaluate('window.harmed'), undefined);
    await page.getByText('This epic has no issues').waitFor();

    const { body: epic } = await as.get(`${epics}/1`);
    const fuel = await issueIn(app, { ...project, owner }, { title: 'Buy fuel' });
    await as.put(`/projects/${project.id}/issues/${fuel.iid}`, { state_event: 'close' });
    const burn = await issueIn(app, { ...project, owner }, { title: 'Burn it' });
    for (const { id } of [fuel, burn]) await as.post(`${epics}/1/issues/${id}`);
    await as.post(epics, { title: 'Land softly', parent_id: epic.id });
    await as.post(epics, { title: 'Leave the Sun' });
    await page.reload();
    await page.getByText('Issues closed: 1 of 2').waitFor();
    await page.getByText('Epics closed: 0 of 1').waitFor();
    await page.getByLabel('Comment', { exact: true }).fill('Too **far**');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('Comment added.').and(page.locator(':focus')).waitFor();
    await page.getByRole('list', { name: 'Comments, oldest first' }).getByText('Too far').waitFor();
    await inspect(t, page, 'epic');

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await focusIs(t, page, 'Title');
    await becomes(t, () => page.url(), `${app.url}${new URL(epic.web_edit_url).pathname}`);
    await page.getByLabel('Title').fill('Leave Earth');
    // Another user changes a field that this form leaves unchanged.
    await as.put(`${epics}/1`, { description: 'To Venus' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').and(page.locator(':focus')).waitFor();
    t.like((await as.get(`${epics}/1`)).body, {
      title: 'Leave Earth',
      description: 'To Venus',
      labels: ['far', 'red'],
    });
    // Its own dates, its parent, and its confidentiality.
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Start date').fill('2029-02-01');
    await page.getByLabel('Due date').fill('2029-03-01');
    await page.getByLabel('Confidential').selectOption({ value: 'true' });
    // Its children are not confidential.
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('cannot hold while it has issues or epics that are not').waitFor();
    await inspect(t, page, 'epic-edit');
    await becomes(t, () => page.getByLabel('Start date').inputValue(), '2029-02-01');
    await page.getByLabel('Confidential').selectOption({ value: '' });
    await page.getByLabel('Parent epic').selectOption({ label: 'Leave the Sun' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').and(page.locator(':focus')).waitFor();
    const { body: above } = await as.get(`${epics}/3`);
    t.like((await as.get(`${epics}/1`)).body, {
      title: 'Leave Earth',
      start_date_fixed: '2029-02-01',
      start_date_is_fixed: true,
      due_date_fixed: '2029-03-01',
      due_date_is_fixed: true,
      parent_id: above.id,
      confidential: false,
    });
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Due date').fill('');
    await page.getByLabel('Parent epic').selectOption({ label: 'none' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').and(page.locator(':focus')).waitFor();
    t.like((await as.get(`${epics}/1`)).body, {
      start_date_fixed: '2029-02-01',
      due_date_is_fixed: false,
      parent_id: null,
    });
    await page.getByRole('button', { name: 'Close epic' }).click();
    await page.getByText('Epic closed.').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Reopen epic' }).click();
    await page.getByText('Epic reopened.').waitFor();
    await page.getByRole('table', { name: 'Child epics' }).getByRole('link', { name: 'Land softly' }).click();
    await page.getByRole('link', { name: 'Leave Earth' }).click();
    await page.getByRole('heading', { name: 'Leave Earth', level: 1 }).waitFor();
    untroubled(t, app, watched, 2);
  }),
);

// Contract: web.epics
test.serial(
  'epics are narrowed by state, words, labels and order in the address; who may not change them is not offered to',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const guest = await userWithPassword(app);
    const group = await app.build.group({ owner, name: 'Space' });
    const as = app.as(owner);
    const epics = `/groups/${group.id}/epics`;
    await as.post(`/groups/${group.id}/members`, { user_id: guest.id, access_level: 10 });
    await as.post(epics, { title: `Alpha ${'x'.repeat(150)}`, labels: 'far' });
    await as.post(epics, { title: 'Beta' });
    await as.post(epics, { title: 'Gamma' });
    await as.put(`${epics}/3`, { state_event: 'close' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, guest, `/users/sign_in?redirect_to=/groups/${group.full_path}/-/epics`);
    const tabs = page.getByRole('navigation', { name: 'Epics by state' });
    const table = page.getByRole('table', { name: 'Epics', exact: true });
    await tabs.getByRole('link', { name: 'Open 2' }).waitFor();
    await table.waitFor();
    await becomes(t, () => page.getByRole('link', { name: 'New epic' }).count(), 0);
    await inspect(t, page, 'epics');
    await page.getByLabel('Labels').fill('far');
    await page.getByLabel('Order').selectOption({ label: 'Title' });
    await page.getByRole('button', { name: 'Filter' }).click();
    await table.getByRole('link', { name: 'Beta' }).waitFor({ state: 'detached' });
    await becomes(t, () => new URL(page.url()).searchParams.get('labels'), 'far');
    await becomes(t, () => new URL(page.url()).searchParams.get('order_by'), 'title');
    await table.getByRole('link', { name: /^Alpha/ }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await tabs.getByRole('link', { name: 'Closed 1' }).click();
    await table.getByRole('link', { name: 'Gamma' }).click();
    await page.getByRole('heading', { name: 'Gamma', level: 1 }).waitFor();
    await becomes(t, () => page.getByRole('link', { name: 'Edit', exact: true }).count(), 0);
    await becomes(t, () => page.getByRole('button', { name: 'Reopen epic' }).count(), 0);
    await page.goto(`${app.url}/groups/${group.full_path}/-/epics/99`);
    await page.getByText('404 Not Found').or(page.getByText('404 Epic Not Found')).waitFor();
    untroubled(t, app, watched, 1);
  }),
);
