import test from 'ava';
import type { Locator, Page } from 'playwright-core';
import { ring } from '../ci/pipeline-schedules/schedule-steps.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { PASSWORD, userWithPassword } from '../core/signed-in.js';
import { accountButton, becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

async function arrive(user: BuiltUser, path: string) {
  const watched = await openPage(app, browser);
  await signIn(watched.page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent(path)}`);
  return watched;
}

async function ownProject() {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const project = await app.build.project({ owner, name: 'Rocket' });
  return { owner, project, path: `/${project.full_path}` };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

/** A user who has typed the description of an unsaved schedule. */
async function typing() {
  const { owner, path } = await ownProject();
  const watched = await arrive(owner, `${path}/-/pipeline_schedules/new`);
  await watched.page.getByLabel('Description').fill('Nightly build');
  return { ...watched, owner };
}

const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });

// Contract: web.session-ends
test.serial(
  'what somebody typed is still there after their session ended and they signed in again',
  inBrowser(async (t) => {
    const { page, owner, ...watched } = await typing();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await again(page).waitFor();
    await focusIs(t, page, 'Password');
    await becomes(t, () => again(page).getByLabel('Username or email').inputValue(), owner.username);
    await page.keyboard.press('Escape');
    await again(page).getByLabel('Password').fill('not that');
    await again(page).getByRole('button', { name: 'Sign in' }).click();
    await again(page).getByText('Invalid login or password.').waitFor();
    await inspect(t, page, 'sign-in-again');
    await again(page).getByLabel('Password').fill(PASSWORD);
    await again(page).getByRole('button', { name: 'Sign in' }).click();
    await again(page).waitFor({ state: 'detached' });
    await becomes(t, () => page.getByLabel('Description').inputValue(), 'Nightly build');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await heading(page, 'Nightly build').waitFor();
    // The page's live updates are rejected in the meantime as well.
    const rejections = watched.complaints.filter((text) => /status of 40[14]/.test(text));
    untroubled(t, app, { page, ...watched }, rejections.length);
  }),
);

// Contract: web.session-ends
test.serial(
  'who signs in as somebody else after a session ended sees nothing of what was typed',
  inBrowser(async (t) => {
    const { page } = await typing();
    const other = await userWithPassword(app, { name: 'Grace Hopper' });
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await again(page).getByLabel('Username or email').fill(other.username);
    await again(page).getByLabel('Password').fill(PASSWORD);
    await again(page).getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor();
    await becomes(t, () => page.getByText('Nightly build').count(), 0);
    await becomes(t, () => again(page).count(), 0);
    await becomes(t, () => page.locator('[value="Nightly build"]').count(), 0);
  }),
);

/** The title shown for each failed action; null: no response. */
const ERRORS: readonly (readonly [status: number | null, title: string])[] = [
  [403, 'Access denied:'],
  [404, 'Not found:'],
  [409, 'Request rejected:'],
  [429, 'Too many requests:'],
  [503, 'Service unavailable:'],
  [null, 'No response:'],
];

interface Action {
  /** The address behind the project's. */
  at: string;
  /** The method and path of the sent request. */
  sends: readonly [method: string, path: RegExp];
  /** The typed texts, by the label of the field. */
  typed: Readonly<Record<string, string>>;
  button: string;
  /** Visible after a success. */
  done: (page: Page) => Locator;
  /** Statuses with a different title. */
  but?: Readonly<Record<number, string>>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  'a schedule is made': {
    at: '/-/pipeline_schedules/new',
    sends: ['POST', /\/pipeline_schedules$/],
    typed: { Description: 'Nightly build' },
    button: 'Create schedule',
    done: (page) => heading(page, 'Nightly build'),
  },
  'a schedule is edited': {
    at: '/-/pipeline_schedules/ID/edit',
    sends: ['PUT', /\/pipeline_schedules\/\d+$/],
    typed: { Description: 'Weekly report' },
    button: 'Save',
    done: (page) => heading(page, 'Weekly report'),
    but: { 409: 'This schedule was changed while you were editing it.' },
  },
  'a schedule is played': {
    at: '/-/pipeline_schedules/ID',
    sends: ['POST', /\/play$/],
    typed: {},
    button: 'Play now',
    done: (page) => page.getByText('Starting. The pipeline will appear below.'),
  },
  'a branch is made': {
    at: '/-/branches?new=1',
    sends: ['POST', /\/repository\/branches$/],
    typed: { Name: 'nightly' },
    button: 'Create branch',
    done: (page) => page.getByText('Branch “nightly” was created.'),
  },
  'an issue is made': {
    at: '/-/issues/new',
    sends: ['POST', /\/issues$/],
    typed: { Title: 'It leaks', Description: 'At the second stage.' },
    button: 'Create issue',
    done: (page) => heading(page, 'It leaks'),
  },
  'an issue is commented': {
    at: '/-/issues/1',
    sends: ['POST', /\/(?:notes|discussions|graphql)$/],
    typed: { Comment: 'I saw that too.' },
    button: 'Add comment',
    done: (page) => page.getByRole('article').getByText('I saw that too.'),
  },
};

for (const [what, { at, sends, typed, button, done, but = {} }] of Object.entries(ACTIONS)) {
  // Contract: web.refusals
  test.serial(
    `where ${what}, each refusal is told in words, what was typed stays, and the next try succeeds`,
    inBrowser(async (t) => {
      const { owner, project, path } = await ownProject();
      const schedule = await app.build.schedule({ project, owner, description: 'Nightly' });
      await app.as(owner).post(`/projects/${project.id}/issues`, { title: 'It smokes' });
      const { page } = await arrive(owner, path + at.replace('ID', String(schedule.id)));
      const send = page.getByRole('button', { name: button, exact: true });
      await send.waitFor();
      for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text);
      for (const [status, title] of ERRORS) {
        await page.route(
          (url) => url.pathname.startsWith('/api/'),
          async (route) => {
            const request = route.request();
            const isIt = request.method() === sends[0] && sends[1].test(new URL(request.url()).pathname);
            if (!isIt || /"query":"query/.test(request.postData() ?? '')) return route.fallback();
            if (status === null) return route.abort();
            const json = { message: `${status} so it is in this test` };
            return route.fulfill({ status, json, headers: { 'x-request-id': 'of-this-test' } });
          },
        );
        await send.click();
        const own = status === null ? undefined : but[status];
        const alert = page.getByRole('alert').filter({ hasText: own ?? title });
        await alert.waitFor();
        if (!own && status !== null) t.true((await alert.innerText()).includes(`${status} so it is in this test`));
        if (!own && Object.keys(typed).length > 0)
          t.true((await alert.innerText()).includes('Your input is kept.'), `${status}`);
        for (const [label, text] of Object.entries(typed))
          await becomes(
            t,
            () => page.getByLabel(label, { exact: true }).inputValue(),
            text,
            `${label} after ${status}`,
          );
        await page.unrouteAll({ behavior: 'wait' });
      }
      await send.click();
      await done(page).waitFor();
    }),
  );
}

// Contract: web.clock
test.serial(
  'on a browser whose clock is a day wrong, times are those of the service, and it is told',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const due = new Date(app.clock.now().getTime() + 3 * 3_600_000);
    const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
    await app.build.schedule({ owner, description: 'Nightly build', cron });
    for (const [days, text] of [
      [1, "Your browser's clock is 1 day ahead"],
      [-1, "Your browser's clock is 1 day behind"],
    ] as const) {
      const { page } = await openPage(app, browser);
      await page.clock.setFixedTime(new Date(app.clock.now().getTime() + days * 86_400_000));
      await signIn(page, app, owner);
      const table = page.getByRole('table', { name: 'Schedules', exact: true });
      await table.getByText('in 3 h', { exact: true }).waitFor();
      await page.getByText(text).waitFor();
      await page.getByRole('region', { name: 'Schedules' }).getByText('Live, last updated now').waitFor();
      await becomes(t, () => page.getByText('stale').count(), 0);
    }
    const { page } = await openPage(app, browser);
    await signIn(page, app, owner);
    await page.getByRole('table', { name: 'Schedules', exact: true }).getByText('in 3 h', { exact: true }).waitFor();
    await becomes(t, () => page.getByText("Your browser's clock").count(), 0);
  }),
);

/** A page whose browser clock matches the service's, in a zone with daylight saving time. */
async function openInBerlin(): Promise<Page> {
  const { page } = await openPage(app, browser);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
  return page;
}

// Contract: web.clock.daylight
test.serial(
  'over a change of the clock hours are told as they are, also on a page that is left open',
  inBrowser(async (t) => {
    const before = app.clock.now().toISOString();
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const url = `/${project.full_path}/-/pipeline_schedules`;
    app.clock.set('2030-03-30T20:00:00.000Z');
    const nightly = { project, owner, description: 'Nightly build', cron: '30 2 * * *' };
    const schedule = await app.build.schedule({ ...nightly, cron_timezone: 'Europe/Berlin' });
    const page = await openInBerlin();
    const forecast = `/users/sign_in?redirect_to=${encodeURIComponent(`${url}/forecast`)}`;
    await signIn(page, app, owner, forecast);
    const day = (name: string) => page.getByRole('table', { name: 'Runs by day and hour' }).getByRole('row', { name });
    await day('Sun 31 Mar')
      .getByRole('link', { name: /03:00: 1 run$/ })
      .waitFor();
    await becomes(t, () => day('Sun 31 Mar').getByRole('link').count(), 23);
    await becomes(t, () => day('Sun 31 Mar').getByRole('link', { name: /02:00/ }).count(), 0);
    await page.goto(`${app.url}${url}/${schedule.id}`);
    const next = page.getByRole('region', { name: 'Next runs' }).getByRole('listitem').first();
    await next.getByText('Sun 2030-03-31 03:00').waitFor();
    await next.getByText('02:30 does not exist on 2030-03-31 in Europe/Berlin; runs at 03:00').waitFor();
    await page.getByText('Sun 31 Mar, 03:00', { exact: true }).waitFor();
    // The user returns to the page hours later.
    app.clock.set('2030-03-31T02:00:00.000Z');
    await ring(app);
    await page.clock.setFixedTime(app.clock.now());
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await next.getByText('Mon 2030-04-01 02:30').waitFor();
    await page.getByText('Mon 1 Apr, 02:30', { exact: true }).waitFor();
    const marks = page.getByRole('list', { name: 'Scheduled runs, oldest first' });
    await marks.getByRole('link', { name: /^Mar 31, 2030, 03:00:00 GMT\+2/ }).waitFor();
    // An hour that happens twice.
    app.clock.set('2030-10-26T20:00:00.000Z');
    await page.clock.setFixedTime(app.clock.now());
    await signIn(page, app, owner, forecast);
    await day('Sun 27 Oct')
      .getByRole('link', { name: /02:00 UTC\+2: 1 run$/ })
      .waitFor();
    await day('Sun 27 Oct')
      .getByRole('link', { name: /02:00 UTC\+1: 0 runs$/ })
      .waitFor();
    await becomes(t, () => day('Sun 27 Oct').getByRole('link').count(), 25);
    app.clock.set(before);
  }),
);

/** From here on the service is another version: parts that this page has not loaded are gone. */
async function upgrade(page: Page): Promise<void> {
  await page.route('**/-/web/assets/*.js', (route) => route.fulfill({ status: 404, body: '' }));
  await page.route('**/-/pipeline_schedules/new', (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ body: '<script type="module" src="/-/web/assets/index-newer.js"></script>' })
      : route.fallback(),
  );
}

// Contract: web.upgraded
test.serial(
  'a page left open over an upgrade says that there is a new version, keeps what was typed, and reloads on demand',
  inBrowser(async (t) => {
    const { page } = await typing();
    await upgrade(page);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByText("Part of this page didn't load:").waitFor();
    const banner = page.getByText('A new version is available. Save your changes');
    await banner.waitFor();
    await becomes(t, () => page.getByLabel('Description').inputValue(), 'Nightly build');
    await inspect(t, page, 'new-version');
    const requests: string[] = [];
    page.once('dialog', (dialog) => {
      requests.push(dialog.type());
      void dialog.dismiss();
    });
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByLabel('Description').and(page.locator('[value="Nightly build"]')).waitFor();
    t.deepEqual(requests, ['beforeunload'], 'the browser asks before what was typed is lost');
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await heading(page, 'A new version is available').waitFor();
    await inspect(t, page, 'new-version-page');
    await page.unrouteAll();
    await page.getByRole('main').getByRole('button', { name: 'Reload' }).click();
    await heading(page, 'Projects').waitFor();
    await accountButton(page).waitFor();
    await becomes(t, () => banner.count(), 0);
  }),
);

// Contract: web.upgraded
test.serial(
  'a page that is left open learns of an upgrade when it is looked at again',
  inBrowser(async (t) => {
    const { page, ...watched } = await typing();
    await page.route('**/-/session', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      await route.fulfill({ response, json: { ...json, service: { ...json.service, revision: 'fedcba98765' } } });
    });
    await page.clock.setFixedTime(new Date(app.clock.now().getTime() + 120_000));
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await page.getByText('A new version is available. Save your changes').waitFor();
    await becomes(t, () => page.getByLabel('Description').inputValue(), 'Nightly build');
    untroubled(t, app, { page, ...watched });
  }),
);

// Contract: web.upgraded
test.serial(
  'a part that does not load for the network alone says so, and leaves the page as it is',
  inBrowser(async (t) => {
    const { page } = await typing();
    await page.route('**/-/web/assets/*.js', (route) => route.abort());
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByText('network or server error. Save your changes').waitFor();
    await becomes(t, () => page.getByLabel('Description').inputValue(), 'Nightly build');
    await becomes(t, () => page.getByText('A new version is available. Save your changes').count(), 0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await heading(page, 'Nightly build').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  }),
);
