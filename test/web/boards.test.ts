import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { issueIn } from '../planning/issue-links/issues.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.boards
test.serial(
  'issues of a project go from column to column, by keyboard and by dragging, and change as the column says',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const as = app.as(owner);
    for (const name of ['doing', 'done & dusted'])
      await as.post(`/projects/${project.id}/labels`, { name, color: '#d9534f' });
    const engine = await issueIn(app, { ...project, owner }, { title: 'Build the engine', labels: 'loud' });
    await issueIn(app, { ...project, owner }, { title: 'x'.repeat(200) });
    const issue = async () => (await as.get(`/projects/${project.id}/issues/${engine.iid}`)).body;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/${project.full_path}/-/issues`);
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Boards' }).click();
    await page.getByRole('link', { name: 'New board' }).click();
    await focusIs(t, page, 'Name');
    await page.getByRole('button', { name: 'Create board' }).click();
    await page.getByText("Name can't be blank").waitFor();
    await page.getByLabel('Name').fill('Plan');
    await page.getByRole('button', { name: 'Create board' }).press('Enter');
    await page.getByText('Board “Plan” created.').and(page.locator(':focus')).waitFor();
    for (const name of ['doing', 'done & dusted']) {
      await page.getByLabel('Label').selectOption({ label: name });
      await page.getByRole('button', { name: 'Add list' }).click();
      await page.getByText(`List “${name}” added.`).and(page.locator(':focus')).waitFor();
    }
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    const card = (name: string) => column(name).getByRole('article', { name: 'Build the engine' });
    await card('Open').waitFor();

    // By keyboard alone.
    await card('Open').getByRole('button', { name: 'Move #1' }).press('Enter');
    const targets = page.getByRole('list', { name: 'Move #1 to' });
    await becomes(t, () => targets.getByRole('button').allTextContents(), [
      'to doing',
      'to done & dusted',
      'to Closed',
    ]);
    await inspect(t, page, 'board');
    await page.keyboard.press('Escape');
    await targets.waitFor({ state: 'detached' });
    await focusIs(t, page, 'Move #1');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Moved #1 to “doing”.').and(page.locator(':focus')).waitFor();
    await card('doing').waitFor();
    await card('Open').waitFor({ state: 'detached' });
    t.deepEqual((await issue()).labels, ['doing', 'loud']);

    await card('doing').getByText('#1').dragTo(column('done & dusted'));
    await page.getByText('Moved #1 to “done & dusted”.').and(page.locator(':focus')).waitFor();
    await card('done & dusted').waitFor();
    t.deepEqual((await issue()).labels, ['done & dusted', 'loud']);
    await card('done & dusted').getByRole('button', { name: 'Move #1' }).click();
    await targets.getByRole('button', { name: 'to Closed' }).click();
    await card('Closed').waitFor();
    await page.getByText('Moved #1 to “Closed”.').and(page.locator(':focus')).waitFor();
    t.like(await issue(), { state: 'closed', labels: ['loud'] });
    await card('Closed').getByRole('button', { name: 'Move #1' }).click();
    await targets.getByRole('button', { name: 'to doing' }).click();
    await card('doing').waitFor();
    t.like(await issue(), { state: 'opened', labels: ['doing', 'loud'] });
    await page.getByRole('button', { name: 'Remove list doing' }).click();
    await page.getByText('List “doing” removed. Its issues are not affected.').and(page.locator(':focus')).waitFor();
    await card('Open').waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.boards
test.serial(
  'a board is renamed and deleted, and its lists are of labels, milestones and people, in whatever order',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    await app.as(owner).post(`/projects/${project.id}/boards/open`);
    const as = app.as(owner);
    const at = `/projects/${project.id}`;
    await as.post(`${at}/labels`, { name: 'doing', color: '#d9534f' });
    await as.post(`${at}/milestones`, { title: 'Summer' });
    const { body: board } = await as.post(`${at}/boards`, { name: 'Plan' });
    const path = `/${project.full_path}/-/boards`;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${path}/${board.id}`);
    const said = (text: string) => page.getByText(text).and(page.locator(':focus')).waitFor();
    const add = async (kind: string, of: string) => {
      await page.getByLabel('List type').selectOption({ label: kind });
      await page.getByLabel(kind, { exact: true }).selectOption({ label: of });
      await page.getByRole('button', { name: 'Add list' }).click();
      await said(`List “${of}” added.`);
    };
    await add('Label', 'doing');
    await add('Milestone', 'Summer');
    await add('Assignee', `@${owner.username}`);
    await page.getByText('Every member already has a list.').waitFor();
    const columns = () => page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    t.deepEqual((await columns()).slice(0, 5), ['Open', 'doing', 'Summer', `@${owner.username}`, 'Closed']);
    await becomes(t, () => page.getByRole('button', { name: 'Move list doing left' }).count(), 0);
    await page.getByRole('button', { name: 'Move list Summer left' }).press('Enter');
    await said('Moved list “Summer” to position 1 of 3.');
    await page.getByRole('button', { name: 'Move list doing right' }).click();
    await said('Moved list “doing” to position 3 of 3.');
    t.deepEqual((await columns()).slice(0, 5), ['Open', 'Summer', `@${owner.username}`, 'doing', 'Closed']);
    const { body: lists } = await as.get(`${at}/boards/${board.id}/lists`);
    t.deepEqual(
      (lists as { list_type: string }[]).map(({ list_type: type }) => type),
      ['milestone', 'assignee', 'label'],
    );
    await inspect(t, page, 'board-lists');

    await page.getByRole('link', { name: 'Rename' }).click();
    await focusIs(t, page, 'Name');
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText("Name can't be blank").waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Delivery');
    await page.getByRole('button', { name: 'Save' }).click();
    await said('Board renamed to “Delivery”.');
    await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Delete board' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete board' }).click();
    await said('Board “Delivery” deleted.');
    await becomes(t, () => new URL(page.url()).pathname, path);
    t.is((await as.get(`${at}/boards/${board.id}`)).status, 404);
    // The last board cannot be deleted, and the dialog shows the reason.
    await page.getByRole('link', { name: 'Development' }).click();
    await page.getByRole('button', { name: 'Delete board' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete board' }).click();
    await page.getByRole('alertdialog').getByText('it is the only one').waitFor();
    untroubled(t, app, watched, 2);
  }),
);

// Contract: web.boards
test.serial(
  'a board of a group shows issues of its projects, those of people and milestones too; who only looks moves nothing',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const guest = await userWithPassword(app);
    const group = await app.build.group({ owner, name: 'Space' });
    const project = await app.build.projectIn(group, { name: 'Rocket' });
    const as = app.as(owner);
    await as.post(`/groups/${group.id}/members`, { user_id: guest.id, access_level: 10 });
    const { body: milestone } = await as.post(`/groups/${group.id}/milestones`, { title: 'Summer' });
    const { body: board } = await as.post(`/groups/${group.id}/boards`, { name: 'Seasons' });
    const lists = `/groups/${group.id}/boards/${board.id}/lists`;
    await as.post(lists, { milestone_id: milestone.id });
    await as.post(lists, { assignee_id: owner.id });
    await issueIn(app, { ...project, owner }, { title: 'Swim', milestone_id: milestone.id });
    await issueIn(app, { ...project, owner }, { title: 'Read' });
    const path = `/groups/${group.full_path}/-/boards`;
    const watched = await openPage(app, browser);
    const { page } = watched;
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${path}`);
    await page.getByRole('link', { name: 'Seasons' }).click();
    await column('Open').getByRole('article', { name: 'Read' }).waitFor();
    await column('Summer').getByRole('article', { name: 'Swim' }).waitFor();
    await becomes(t, () => column('Open').getByRole('article').count(), 1);
    await column('Open')
      .getByRole('button', { name: `Move ${project.full_path}#2` })
      .click();
    await page.getByRole('button', { name: 'to Summer' }).click();
    await column('Summer').getByRole('article', { name: 'Read' }).waitFor();
    await page.getByText('to “Summer”.').and(page.locator(':focus')).waitFor();
    await column('Summer')
      .getByRole('button', { name: `Move ${project.full_path}#2` })
      .click();
    await page.getByRole('button', { name: `to @${owner.username}` }).click();
    await column(`@${owner.username}`).getByRole('article', { name: 'Read' }).waitFor();
    const { body: read } = await as.get(`/projects/${project.id}/issues/2`);
    t.is(read.milestone, null);
    t.deepEqual(
      read.assignees.map(({ id }: { id: number }) => id),
      [owner.id],
    );
    await inspect(t, page, 'board-group');

    const foreign = await openPage(app, browser);
    await signIn(foreign.page, app, guest, `/users/sign_in?redirect_to=${path}/${board.id}`);
    const region = foreign.page.getByRole('region', { name: 'Summer', exact: true });
    await region.getByText(`${project.full_path}#1`).waitFor();
    await becomes(t, () => foreign.page.getByRole('button', { name: /^Move / }).count(), 0);
    await becomes(t, () => foreign.page.getByRole('button', { name: 'Add list' }).count(), 0);
    await foreign.page.goto(`${app.url}${path}/999999`);
    await foreign.page.getByText('404 Board Not Found').waitFor();
    untroubled(t, app, watched);
    untroubled(t, app, foreign, 1);
  }),
);
