import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.milestones
test.serial(
  'a milestone of a project is made, shown with what is planned for it, edited, closed, reopened and deleted',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket', empty: false });
    const as = app.as(owner);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/${project.full_path}/-/issues`);
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Milestones' }).click();
    await page.getByText('No milestones yet.').waitFor();
    await inspect(t, page, 'milestones-empty');
    await page.getByRole('link', { name: 'Create a milestone' }).click();
    await focusIs(t, page, 'Title');
    await page.getByLabel('Description').fill('To the **moon**\n\n<script>window.harmed = 1</script>');
    await page.getByLabel('Start date').fill('2029-02-01');
    await page.getByLabel('Due date').fill('2029-01-01');
    await page.getByRole('button', { name: 'Create milestone' }).click();
    await page.getByText("Title can't be blank").waitFor();
    await page.getByText('Due date must be greater than start date').waitFor();
    await focusIs(t, page, 'Title');
    await inspect(t, page, 'milestone-refused');
    await page.getByLabel('Title').fill('First <b>flight</b>');
    await page.getByLabel('Due date').fill('2029-03-01');
    await page.getByRole('button', { name: 'Create milestone' }).press('Enter');
    await page.getByText('Milestone “First <b>flight</b>” created.').and(page.locator(':focus')).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${project.full_path}/-/milestones/1`);
    const description = page.getByRole('region', { name: 'Description of First <b>flight</b>' });
    await becomes(t, () => description.locator('strong').textContent(), 'moon');
    t.is(await page.evaluate('window.harmed'), undefined);
    await page.getByText('This milestone has no issues').waitFor();

    const { body: milestone } = await as.get(`/projects/${project.id}/milestones?iids[]=1`);
    const { id } = milestone[0] as { id: number };
    const { body: done } = await as.post(`/projects/${project.id}/issues`, { title: 'Build it', milestone_id: id });
    await as.post(`/projects/${project.id}/issues`, { title: 'Fly it', milestone_id: id });
    await as.put(`/projects/${project.id}/issues/${done.iid}`, { state_event: 'close' });
    await as.post(`/projects/${project.id}/repository/branches`, { branch: 'fins', ref: 'main' });
    await as.post(`/projects/${project.id}/merge_requests`, {
      title: 'Add fins',
      source_branch: 'fins',
      target_branch: 'main',
      milestone_id: id,
    });
    await page.reload();
    await page.getByText('Issues closed: 1 of 2').waitFor();
    await page.getByText('Merge requests merged or closed: 0 of 1').waitFor();
    const issues = page.getByRole('table', { name: 'Issues', exact: true });
    await becomes(t, () => issues.getByRole('rowheader').getByRole('link').allTextContents(), ['Fly it', 'Build it']);
    await inspect(t, page, 'milestone');
    await issues.getByRole('link', { name: 'Build it' }).click();
    await page.getByRole('link', { name: 'First <b>flight</b>' }).click();
    await page.getByRole('heading', { name: 'First <b>flight</b>', level: 1 }).waitFor();

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await focusIs(t, page, 'Title');
    await page.getByLabel('Title').fill('First flight');
    await page.getByLabel('Due date').fill('');
    // Another user changes a field that this form leaves unchanged.
    await as.put(`/projects/${project.id}/milestones/${id}`, { description: 'To Mars' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').and(page.locator(':focus')).waitFor();
    const { body: saved } = await as.get(`/projects/${project.id}/milestones/${id}`);
    t.like(saved, { title: 'First flight', description: 'To Mars', start_date: '2029-02-01', due_date: null });
    await page.getByRole('button', { name: 'Close milestone' }).click();
    await page.getByText('Milestone closed.').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Reopen milestone' }).click();
    await page.getByText('Milestone reopened.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete milestone' }).click();
    await page.getByText('Milestone “First flight” deleted.').and(page.locator(':focus')).waitFor();
    t.is((await as.get(`/projects/${project.id}/milestones/${id}`)).status, 404);
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.milestones
test.serial(
  'milestones of a group are listed by state and words, in its projects too; others may only look',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const guest = await userWithPassword(app);
    const group = await app.build.group({ owner, name: 'Space' });
    const project = await app.build.projectIn(group, { name: 'Rocket' });
    const as = app.as(owner);
    await as.post(`/groups/${group.id}/members`, { user_id: guest.id, access_level: 10 });
    const { body: summer } = await as.post(`/groups/${group.id}/milestones`, {
      title: `Summer ${'x'.repeat(150)}`,
      due_date: '2029-06-30',
    });
    const { body: winter } = await as.post(`/groups/${group.id}/milestones`, { title: 'Winter' });
    await as.put(`/groups/${group.id}/milestones/${winter.id}`, { state_event: 'close' });
    await as.post(`/projects/${project.id}/issues`, { title: 'Refuel', milestone_id: summer.id });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, guest, `/users/sign_in?redirect_to=/groups/${group.full_path}`);
    await page.getByRole('navigation', { name: 'Group' }).getByRole('link', { name: 'Milestones' }).click();
    const tabs = page.getByRole('navigation', { name: 'Milestones by state' });
    await tabs.getByRole('link', { name: 'Open 1' }).waitFor();
    await becomes(t, () => page.getByRole('link', { name: 'New milestone' }).count(), 0);
    await inspect(t, page, 'milestones');
    await tabs.getByRole('link', { name: 'Closed 1' }).click();
    await page.getByRole('link', { name: 'Winter' }).waitFor();
    await page.getByRole('searchbox').fill('sum');
    await page.keyboard.press('Enter');
    await page.getByText('No milestones match the search.').waitFor();
    await becomes(t, () => new URL(page.url()).searchParams.get('state'), 'closed');
    await tabs.getByRole('link', { name: 'All' }).click();
    await page.getByRole('link', { name: 'Summer' }).click();
    await page.getByText('Issues closed: 0 of 1').waitFor();
    await page.getByText(`${project.full_path}#1`).waitFor();
    await becomes(t, () => page.getByRole('link', { name: 'Edit', exact: true }).count(), 0);
    await becomes(t, () => page.getByRole('button', { name: 'Close milestone' }).count(), 0);
    await page.goto(`${app.url}/${project.full_path}/-/milestones`);
    await page.getByText(`in group ${group.full_path}`).waitFor();
    await page.goto(`${app.url}/groups/${group.full_path}/-/milestones/99`);
    await page.getByText("This milestone doesn't exist, or you don't have access to it.").waitFor();
    untroubled(t, app, watched);
  }),
);
