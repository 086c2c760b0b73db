import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import {
  accountButton,
  becomes,
  focusIs,
  inBrowser,
  inspect,
  openPage,
  signIn,
  signOut,
  untroubled,
} from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** Names that break layouts: of maximum length, right-to-left, and without a break opportunity. */
const NAMES = ['🧭'.repeat(255), 'مشروع اختبار طويل جدا للمواعيد '.repeat(8).trim(), 'W'.repeat(255)];

// Contract: web.house
test.serial(
  'the menu of the account leads to the pages about oneself, by keyboard too, and signs out',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user);
    const menu = page.getByRole('navigation', { name: 'Account' });
    await becomes(t, () => menu.count(), 0);
    await accountButton(page).press('Enter');
    await menu.getByText(`@${user.username}`).waitFor();
    await inspect(t, page, 'account-menu');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await focusIs(t, page, 'Account of Ada Lovelace');
    await accountButton(page).click();
    await menu.getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${user.username}`);
    await becomes(t, () => menu.count(), 0, 'it closes where a link leads on');
    for (const [label, title] of [
      ['Password', 'Change password'],
      ['Access tokens', 'Access tokens'],
      ['Sessions', 'Sessions'],
      ['Applications', 'Applications'],
      ['Notifications', 'Notifications'],
    ] as const) {
      await accountButton(page).click();
      await menu.getByRole('link', { name: label }).click();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    }
    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.house
test.serial(
  'every page of a project says where it is, and leads to the others that there are',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const group = await app.build.group({ owner, name: 'Space' });
    const project = await app.build.projectIn(group, { name: 'Rocket', empty: false });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/${project.full_path}/-/issues`);
    const menu = page.getByRole('navigation', { name: 'Project' });
    await menu.getByRole('link', { name: 'Issues' }).and(page.locator('[aria-current=page]')).waitFor();
    const here = page.getByRole('navigation', { name: 'Breadcrumb' });
    await becomes(t, () => here.getByRole('link').allTextContents(), project.full_path.split('/'));
    for (const [label, title] of [
      ['Files', 'Files'],
      ['Commits', 'Commits'],
      ['Branches', 'Branches'],
      ['Tags', 'Tags'],
      ['Merge requests', 'Merge requests'],
      ['Pipelines', 'Pipelines'],
      ['Environments', 'Environments'],
      ['Members', 'Members'],
      ['Settings', 'General settings'],
      ['Overview', 'Rocket'],
    ] as const) {
      await menu.getByRole('link', { name: label }).click();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await menu.getByRole('link', { name: label }).and(page.locator('[aria-current=page]')).waitFor();
    }
    await here.getByRole('link', { name: group.full_path }).click();
    await page.getByRole('heading', { name: 'Space', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Group' }).getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await app
      .as(owner)
      .put(`/projects/${project.id}`, { issues_access_level: 'disabled', builds_access_level: 'disabled' });
    await page.goto(`${app.url}/${project.full_path}`);
    await menu.getByRole('link', { name: 'Members' }).waitFor();
    await becomes(t, () => menu.getByRole('link', { name: 'Issues' }).count(), 0);
    await becomes(t, () => menu.getByRole('link', { name: 'Pipelines' }).count(), 0);
    untroubled(t, app, watched);
  }),
);

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

// Contract: web.house
test.serial(
  'a hidden project is told of as one that is not there, with a way on; without a network the page says so',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const project = await app.build.project({ owner, name: 'Secret' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const readNotFound = async (path: string) => {
      const answer = await page.goto(app.url + path);
      t.is(answer?.status(), 404);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('link', { name: 'Sign in to see more' }).waitFor();
      const text = (await page.getByRole('main').textContent()) ?? '';
      // Each request has an id of its own.
      t.regex(text, UUID);
      return text.replaceAll(path, '').replaceAll(path.slice(1), '').replaceAll(UUID, '');
    };
    t.is(await readNotFound(`/${project.full_path}`), await readNotFound('/nobody/nothing'));
    await inspect(t, page, 'hidden');
    await page.getByRole('link', { name: 'Sign in to see more' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The head of every page leads there as well, and back.
    const open = await app.build.project({ owner, name: 'Open', visibility: 'public' });
    await page.goto(`${app.url}/${open.full_path}`);
    await page.getByText('Last failure').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`**/users/sign_in?redirect_to=${encodeURIComponent(`/${open.full_path}`)}`);
    await page.goto(`${app.url}/nobody/nothing`);
    await page.getByRole('link', { name: 'Go to the home page' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText(/^Offline since \d\d:\d\d\./).waitFor();
    await page.context().setOffline(false);
    await page.getByText('Offline since').waitFor({ state: 'detached' });
  }),
);

/** Things that are planned in a project and its group, each of this name. @returns their pages */
async function plannedWith(
  owner: BuiltUser,
  project: { id: number; full_path: string },
  group: { id: number; full_path: string },
  title: string,
): Promise<string[]> {
  const as = app.as(owner);
  const of = `/projects/${project.id}`;
  const { body: milestone } = await as.post(`${of}/milestones`, { title });
  await as.post(`${of}/issues`, { title, milestone_id: milestone.id, labels: title });
  const { body: label } = await as.get(`${of}/labels`);
  const { body: board } = await as.post(`${of}/boards`, { name: title });
  await as.post(`${of}/boards/${board.id}/lists`, { label_id: label[0].id });
  const files = [{ file_path: `${title.slice(0, 200)}.md`, content: title }];
  const { body: snippet } = await as.post(`${of}/snippets`, { title, visibility: 'private', files });
  await as.post(`/groups/${group.id}/epics`, { title });
  const branch = title.slice(0, 200);
  await as.post(`${of}/repository/branches`, { branch, ref: 'main' });
  const pages = [
    'milestones',
    'milestones/1',
    'boards',
    `boards/${board.id}`,
    'snippets',
    `snippets/${snippet.id}`,
    `snippets/${snippet.id}?edit=1`,
    'branches',
    `compare/main...${branch}`,
  ];
  return [
    ...pages.map((page) => `/${project.full_path}/-/${page}`),
    `/groups/${group.full_path}/-/epics`,
    `/groups/${group.full_path}/-/epics/1`,
  ];
}

// Contract: web.milestones, web.snippets, web.epics, web.boards, web.compare
test.serial(
  'who is not signed in reads what is planned in public, and is offered no change',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const group = await app.build.group({ owner, visibility: 'public' });
    const project = await app.build.projectIn(group, { empty: false, visibility: 'public' });
    const planned = await plannedWith(owner, project, group, 'Orbit');
    await app.as(owner).put(`/projects/${project.id}/milestones/1`, { description: 'All the **way** round' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const shows: readonly (readonly [end: string, text: string])[] = [
      ['milestones', 'Orbit'],
      ['milestones/1', 'Issues closed: 0 of 1'],
      ['boards', 'Open, Orbit, Closed'],
      ['branches', 'with main'],
      ['compare/main...Orbit', 'point to the same commit.'],
      ['epics', 'Orbit'],
      ['epics/1', 'Sign in to see comments.'],
    ];
    for (const [end, text] of shows) {
      const path = planned.find((one) => one.endsWith(`/-/${end}`))!;
      await page.goto(app.url + path);
      await page.getByRole('main').getByText(text).first().waitFor();
      await page.waitForLoadState('networkidle');
      for (const name of [/^New /, /^Edit$/, /^Close /, /^Delete$/])
        await becomes(
          t,
          () => page.getByRole('link', { name }).or(page.getByRole('button', { name })).count(),
          0,
          `${path} ${name}`,
        );
    }
    const board = planned.find((one) => /boards\/\d+$/.test(one))!;
    await page.goto(app.url + board);
    await page.getByRole('region', { name: 'Orbit', exact: true }).getByText('#1').waitFor();
    await becomes(t, () => page.getByRole('button', { name: /^Move / }).count(), 0);
    await page.goto(`${app.url}/${project.full_path}/-/milestones/1`);
    await page.getByText('All the **way** round').waitFor();
    const { body: snippet } = await app
      .as(owner)
      .post('/snippets', { title: 'Public', visibility: 'public', files: [{ file_path: 'a.md', content: '# all' }] });
    await page.goto(`${app.url}/-/snippets/${snippet.id}`);
    await page.getByText('# all').waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.house, web.project, web.group
test.serial(
  'names of any kind break no page, on the narrowest screen',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: NAMES[2]! });
    const group = await app.build.group({ owner, name: NAMES[0]! });
    const project = await app.build.projectIn(group, { empty: false });
    const path = `group-of-a-path-without-any-place-to-break-${'x'.repeat(120)}`;
    const below = await app.build.group({ parent: group, owner, name: NAMES[2]!, path });
    await app.as(owner).put(`/projects/${project.id}`, { name: NAMES[1]!, description: NAMES.join(' ') });
    const planned = await plannedWith(owner, project, group, NAMES[2]!);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner);
    await page.setViewportSize({ width: 320, height: 640 });
    const paths = [
      `/${project.full_path}`,
      `/${project.full_path}/-/tree/main`,
      `/${project.full_path}/-/project_members`,
      `/${group.full_path}`,
      ...planned,
      `/${below.full_path}`,
      `/${owner.username}`,
      '/dashboard/projects',
      '/dashboard/groups',
    ];
    for (const one of paths) {
      await page.goto(app.url + one);
      await page.getByRole('main').waitFor();
      await page.waitForLoadState('networkidle');
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      t.is(await page.evaluate<number>(beyond), 0, one);
    }
    await page.goto(app.url + paths[0]);
    await page.getByRole('heading', { name: 'README' }).waitFor();
    await inspect(t, page, 'project-long-names');
    untroubled(t, app, watched);
  }),
);
