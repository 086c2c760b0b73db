import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { ring, getRuns } from '../ci/pipeline-schedules/schedule-steps.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { eventually } from '../core/processes.js';
import { PASSWORD, userWithPassword } from '../core/signed-in.js';
import { accountButton, becomes, inBrowser, inspect, openPage, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** A user with one project, before their first visit. */
async function newcomer() {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const project = await app.build.project({ owner, name: 'Rocket' });
  const watched = await openPage(app, browser);
  await watched.page.goto(app.url);
  return { ...watched, owner, project };
}

/** Advances the service's and the page's clock, and runs everything due in between. */
async function pass(page: Page, time: string): Promise<void> {
  app.clock.advance(time);
  await ring(app);
  await page.clock.setFixedTime(app.clock.now());
}

/** An entry of the menu of the project. */
const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name, exact: true });

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

const projectLink = (page: Page) =>
  page.getByRole('table', { name: 'Projects' }).getByRole('link', { name: 'Ada Lovelace / Rocket', exact: true });

/** Rows of due times with an outcome; the page updates them by itself. */
const ledgerRows = (page: Page, outcome: RegExp) =>
  page
    .getByRole('table', { name: /^Scheduled runs/ })
    .getByRole('row')
    .filter({ hasText: outcome });

const needsYou = (page: Page) => page.getByRole('region', { name: 'Needs attention' });

/** What became of the one schedule of a project: it fired, failed for its branch, and fired again. */
async function firedAndMended(t: ExecutionContext, project: { id: number }, owner: { token: string }): Promise<void> {
  const client = app.withHeaders({ 'PRIVATE-TOKEN': owner.token });
  const [schedule] = (await client.get(`/projects/${project.id}/pipeline_schedules`)).body;
  const runs = await getRuns(app, schedule);
  t.deepEqual(
    runs.map(({ state, reason }) => [state, reason]),
    [
      ['fired', null],
      ['failed', 'The branch nightly does not exist.'],
      ['fired', null],
    ],
  );
  t.true(runs.every(({ state, pipeline_id: pipeline }) => (state === 'fired') === (pipeline !== null)));
}

/** Clicks into a field three times to select its content, and types. */
async function write(field: Locator, text: string): Promise<void> {
  await field.click({ clickCount: 3 });
  await field.page().keyboard.type(text);
}

// Contract: web.walk
test.serial(
  'with a mouse alone somebody makes a schedule, sees it fire, breaks its branch, finds out why it failed, and mends it',
  inBrowser(async (t) => {
    const { page, owner, project, ...watched } = await newcomer();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await write(page.getByLabel('Username or email'), owner.username);
    await write(page.getByLabel('Password'), PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await projectLink(page).click();
    await heading(page, 'Rocket').waitFor();
    await menu(page, 'Branches').click();
    await page.getByRole('link', { name: 'New branch' }).click();
    await write(page.getByLabel('Name'), 'nightly');
    await page.getByRole('button', { name: 'Create branch' }).click();
    await page.getByText('Branch “nightly” was created.').waitFor();

    await menu(page, 'Schedules').click();
    await page.getByRole('link', { name: 'New schedule' }).first().click();
    // The list's filter has a field of the same name.
    await heading(page, 'New schedule').waitFor();
    await write(page.getByLabel('Description'), 'Nightly build');
    await write(page.getByLabel('Branch or tag'), 'nightly');
    await write(page.getByLabel('Cron'), '0 * * * *');
    await page.getByText('Every hour', { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await heading(page, 'Nightly build').waitFor();
    await page.getByText('No scheduled runs yet.').waitFor();
    await pass(page, '1 hour');
    await ledgerRows(page, /on time/).waitFor();
    await becomes(
      t,
      () =>
        page
          .getByRole('table', { name: /^Pipelines/ })
          .getByRole('rowheader')
          .count(),
      1,
    );

    await menu(page, 'Branches').click();
    await page.getByRole('button', { name: 'Delete nightly' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Branch “nightly” was deleted.').waitFor();
    await pass(page, '1 hour');

    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await needsYou(page).getByText('failed: The branch nightly does not exist.').waitFor();
    await needsYou(page).getByRole('link', { name: 'Nightly build' }).click();
    const why = page.getByRole('region', { name: 'Last run failed' });
    await why.getByText('The branch nightly does not exist.').waitFor();
    await ledgerRows(page, /failed: the branch or tag doesn't exist/).waitFor();
    await inspect(t, page, 'walk-failed');
    await why.getByRole('link', { name: 'Recreate branch' }).click();
    await becomes(t, () => page.getByLabel('Name').inputValue(), 'nightly');
    await page.getByRole('button', { name: 'Create branch' }).click();
    await page.getByText('Branch “nightly” was created.').waitFor();
    await pass(page, '1 hour');

    await menu(page, 'Schedules').click();
    await page.getByRole('link', { name: 'Nightly build' }).click();
    await eventually(async () => (await ledgerRows(page, /on time/).count()) === 2);
    await why.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await projectLink(page).waitFor();
    await needsYou(page).waitFor({ state: 'detached' });
    await firedAndMended(t, project, owner);
    untroubled(t, app, { page, ...watched });
  }),
);

/** More than the number of focusable elements on any of these pages. */
const MOST_STEPS = 150;

/** Presses a key until the target has the focus, as a user does who watches it. */
async function walkTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  const page = target.page();
  const reached = target.and(page.locator(':focus'));
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    await page.keyboard.press(key);
    if ((await reached.count()) > 0) return;
  }
  throw new Error(`${key} does not lead to ${target.toString()}.`);
}

/** Moves the focus to a link, which may precede the focused element, and follows it. */
async function openLink(target: Locator, key?: 'Shift+Tab'): Promise<void> {
  await walkTo(target, key);
  await target.page().keyboard.press('Enter');
}

/** Goes to a button and presses it. */
async function press(target: Locator): Promise<void> {
  await walkTo(target);
  await target.page().keyboard.press('Space');
}

// Contract: web.walk
test.serial(
  'with a keyboard alone somebody makes a schedule, sees it fire, breaks its branch, finds out why it failed, and mends it',
  inBrowser(async (t) => {
    const { page, owner, project, ...watched } = await newcomer();
    const { keyboard } = page;
    /** Moves the focus to a field, which selects its content, and types. */
    const type = async (field: Locator, text: string) => {
      await walkTo(field);
      await keyboard.type(text);
    };
    await openLink(page.getByRole('link', { name: 'Sign in' }));
    await page.getByLabel('Username or email').and(page.locator(':focus')).waitFor();
    await keyboard.type(owner.username);
    await type(page.getByLabel('Password'), PASSWORD);
    await keyboard.press('Enter');
    await accountButton(page).waitFor();
    await openLink(projectLink(page));
    await heading(page, 'Rocket').and(page.locator(':focus')).waitFor();
    await openLink(menu(page, 'Branches'), 'Shift+Tab');
    await openLink(page.getByRole('link', { name: 'New branch' }));
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await keyboard.type('nightly');
    await keyboard.press('Enter');
    await page.getByText('Branch “nightly” was created.').and(page.locator(':focus')).waitFor();

    await openLink(menu(page, 'Schedules'), 'Shift+Tab');
    await heading(page, 'Schedules').and(page.locator(':focus')).waitFor();
    await openLink(page.getByRole('link', { name: 'New schedule' }).first());
    await heading(page, 'New schedule').waitFor();
    await page.getByLabel('Description').and(page.locator(':focus')).waitFor();
    await keyboard.type('Nightly build');
    await type(page.getByLabel('Branch or tag'), 'nightly');
    await walkTo(page.getByLabel('How often'));
    // From `Every day`.
    await keyboard.press('ArrowUp');
    await page.getByText('At 30 minutes past the hour', { exact: true }).waitFor();
    await press(page.getByRole('button', { name: 'Create schedule' }));
    await heading(page, 'Nightly build').and(page.locator(':focus')).waitFor();
    await pass(page, '30 minutes');
    await ledgerRows(page, /on time/).waitFor();

    await openLink(menu(page, 'Branches'), 'Shift+Tab');
    await walkTo(page.getByRole('button', { name: 'Delete nightly' }));
    await keyboard.press('Enter');
    await press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
    await page.getByText('Branch “nightly” was deleted.').and(page.locator(':focus')).waitFor();
    await pass(page, '1 hour');

    await openLink(page.getByRole('link', { name: 'Home', exact: true }), 'Shift+Tab');
    await needsYou(page).getByText('failed: The branch nightly does not exist.').waitFor();
    await openLink(needsYou(page).getByRole('link', { name: 'Nightly build' }));
    const why = page.getByRole('region', { name: 'Last run failed' });
    await pass(page, '1 minute');
    await openLink(why.getByRole('link', { name: 'Choose another branch or tag' }));
    await heading(page, 'Edit schedule').waitFor();
    await page.getByLabel('Description').and(page.locator(':focus')).waitFor();
    await type(page.getByLabel('Branch or tag'), 'main');
    await press(page.getByRole('button', { name: 'Save' }));
    await why.getByText('Changed since then.').waitFor();
    await pass(page, '59 minutes');
    await eventually(async () => (await ledgerRows(page, /on time/).count()) === 2);
    await why.waitFor({ state: 'detached' });
    await firedAndMended(t, project, owner);
    untroubled(t, app, { page, ...watched });
  }),
);
