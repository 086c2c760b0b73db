import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.palette
test.serial(
  'by keyboard alone a person finds a project, plays its schedule, makes a new one, and finds groups, schedules and people',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const group = await app.build.group({ owner, name: 'Space flight' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    await app.build.schedule({ project, owner, description: 'Nightly countdown' });
    await app.build.user({ name: 'Grace Hopper', username: 'grace' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    await signIn(page, app, owner);
    const field = page.getByRole('combobox', { name: 'Search or go to' });
    const current = page.getByRole('option', { selected: true });
    const shows = (name: string | RegExp) => current.and(page.getByRole('option', { name })).waitFor();
    const seek = async (text: string, name: string | RegExp) => {
      await keyboard.press('Control+k');
      await field.and(page.locator(':focus')).waitFor();
      await keyboard.type(text);
      await shows(name);
    };

    const home = page.getByRole('link', { name: 'Capstan' });
    await home.focus();
    await keyboard.press('Control+k');
    await shows('Home');
    await keyboard.press('ArrowUp');
    await shows('Profile');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await shows('Projects');
    await keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await home.and(page.locator(':focus')).waitFor();

    // By mouse the same.
    const find = page.getByRole('button', { name: 'Find anything' });
    await find.click();
    await field.and(page.locator(':focus')).waitFor();
    await keyboard.press('Escape');
    await find.and(page.locator(':focus')).waitFor();

    // Home has no search of its own.
    await keyboard.press('/');
    await field.and(page.locator(':focus')).waitFor();
    await keyboard.type('rocket');
    await shows(`Rocket ${project.full_path}`);
    await inspect(t, page, 'palette');
    await keyboard.press('Enter');
    await page.waitForURL(`${app.url}/${project.full_path}`);
    await focusIs(t, page, 'Rocket');

    await page.getByRole('navigation', { name: 'Project' }).waitFor();
    await keyboard.press('Control+k');
    await shows('New issue');
    await inspect(t, page, 'palette-actions');
    await keyboard.press('Escape');
    await seek('new sched', 'New schedule');
    await keyboard.press('Enter');
    await page.waitForURL(/pipeline_schedules\/new$/);

    await seek('countdown', `Nightly countdown ${project.full_path}`);
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Play now' }).waitFor();
    await seek('play', 'Play now');
    await keyboard.press('Enter');
    await page.getByText('Starting. The pipeline will appear below.').waitFor();

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await seek('copy path', `Copy the path ${project.full_path}`);
    await keyboard.press('Enter');
    await page.getByText(`Copied ${project.full_path}`).waitFor();
    t.is(await page.evaluate<string>('navigator.clipboard.readText()'), project.full_path);
    await keyboard.press('Escape');

    await seek('space fl', `Space flight ${group.full_path}`);
    await keyboard.press('Enter');
    await page.waitForURL(`${app.url}/groups/${group.full_path}`);
    await seek('grace', 'Grace Hopper @grace');
    await keyboard.press('Enter');
    await page.waitForURL(`${app.url}/grace`);

    untroubled(t, app, watched);
  }),
);

// Contract: web.palette
test.serial(
  'searches wait for a pause, one of each kind at a time: what is overtaken is cancelled, and its answer is not shown',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    for (const name of ['Rocket', 'Lander']) await app.build.project({ owner, name });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    await signIn(page, app, owner);
    await page
      .getByText('No projects yet')
      .or(page.getByRole('heading', { level: 2 }).first())
      .first()
      .waitFor();
    const requests: string[] = [];
    const cancelled: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('requestfailed', (request) => cancelled.push(request.url()));
    // The response to the first project search is held back by the test.
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/api\/v4\/projects\?search=rocket/, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    const searches = (kind: string, text: string) =>
      requests.filter((url) => url.includes(`/api/v4/${kind}?search=${text}&`)).length;
    await keyboard.press('Control+k');
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor();
    const kinds = ['projects', 'groups', 'pipeline_schedules', 'users'];
    const began = Promise.all(
      kinds.map((kind) => page.waitForRequest((r) => r.url().includes(`/${kind}?search=rocket`))),
    );
    await keyboard.type('rocket');
    await began;
    for (const kind of kinds) t.is(searches(kind, 'rocket'), 1, kind);
    t.is(
      requests.filter((url) => /search=r(&|o(&|c(&|k(&|e&))))/.test(url)).length,
      0,
      'nothing is asked for each key',
    );
    const stopped = page.waitForEvent('requestfailed');
    await keyboard.press('Control+a');
    await keyboard.type('lander');
    await page.getByRole('option', { name: /^Lander / }).waitFor();
    await stopped;
    t.true(cancelled.some((url) => url.includes('/projects?search=rocket')));
    answer();
    await becomes(t, () => page.getByRole('option', { name: /^Rocket / }).count(), 0);
    untroubled(t, app, watched);
  }),
);

// Contract: web.palette
test.serial(
  'who is not signed in finds what is public, and is asked for nothing that needs an account',
  inBrowser(async (t) => {
    const group = await app.build.group({ visibility: 'public', name: 'Open group' });
    const project = await app.build.projectIn(group, { visibility: 'public', name: 'Open rocket' });
    await app.build.project({ name: 'Closed rocket' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/-/api-docs/limits`);
    await page.getByRole('main').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('rocket');
    await page.getByRole('option', { name: `Open rocket ${project.full_path}` }).waitFor();
    await becomes(t, () => page.getByRole('option').count(), 1);
    await page.keyboard.type(' nowhere');
    await page.getByText('No results').waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.palette
test.serial(
  'on pages of issues, merge requests, files and queues the palette offers what can be done there',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace', admin: true });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const client = app.as(owner);
    const own = `/projects/${project.id}`;
    await client.post(`${own}/issues`, { title: 'It smokes' });
    await client.post(`${own}/repository/commits`, {
      branch: 'engine',
      start_branch: 'main',
      commit_message: 'Add an engine',
      actions: [{ action: 'create', file_path: 'engine.txt', content: 'thrust' }],
    });
    await client.post(`${own}/merge_requests`, { title: 'An engine', source_branch: 'engine', target_branch: 'main' });
    await app.work();
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    await signIn(page, app, owner);
    const does = async (path: string, ready: string, typed: string, name: string) => {
      await page.goto(app.url + path);
      await page.getByText(ready).first().waitFor();
      await page.getByRole('navigation').first().waitFor();
      await keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or go to' }).and(page.locator(':focus')).waitFor();
      await keyboard.type(typed);
      await page.getByRole('option', { selected: true }).and(page.getByRole('option', { name })).waitFor();
      await keyboard.press('Enter');
    };
    const below = `/${project.full_path}/-`;
    await does(`${below}/issues/1`, 'Close issue', 'close this', 'Close this issue');
    await page.getByText('Issue closed.').waitFor();
    await does(`${below}/merge_requests/1`, 'Close merge request', 'close this', 'Close this merge request');
    await page.getByText('Merge request closed.').waitFor();
    await does(`${below}/blob/main/README.md`, 'History', 'blame of', 'Blame of this file');
    await page.getByRole('heading', { name: 'Blame of README.md' }).waitFor();
    await does('/admin/jobs/queues/pipeline_schedules.run', 'Pause queue', 'pause q', 'Pause queue');
    await page.getByRole('dialog', { name: 'Pause pipeline_schedules.run?' }).waitFor();
    untroubled(t, app, watched);
  }),
);
