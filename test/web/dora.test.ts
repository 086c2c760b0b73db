import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { Delivery } from '../deployments/dora/dora-steps.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);
const delivery = new Delivery(app);

const redirect = (path: string) => `/users/sign_in?redirect_to=${encodeURIComponent(path)}`;
const HOUR = 3600;

/** A project with two weeks of rows, and one deployment with a merge request behind the newest of them. */
async function busyProject() {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const group = await app.build.group({ owner });
  const project = await app.build.projectIn(group, { name: 'Rocket' });
  const environment = await delivery.environment(project);
  for (let day = 10; day <= 20; day += 1)
    await delivery.row(environment, `2029-12-${day}`, {
      frequency: (day * 7) % 5,
      lead: day * HOUR,
      restore: day % 4 === 0 ? 2 * HOUR : null,
      incidents: day % 4 === 0 ? 1 : 0,
    });
  await delivery.row(environment, '2029-11-30', { frequency: 3, lead: HOUR, restore: null, incidents: 0 });
  const deployment = await delivery.deploy(project, environment, '2029-12-20T10:00:00Z');
  await delivery.link(project, environment, deployment, await delivery.merged(project, '2029-12-20T07:00:00Z'));
  return { owner, group, project };
}

const explanation = (page: Page) => page.getByRole('region', { name: 'Explanation' });

// Contract: web.dora
test.serial(
  'a person sees the four metrics as charts and numbers, chooses range and tiers, and has a point explained',
  inBrowser(async (t) => {
    const { owner, group, project } = await busyProject();
    const watched = await openPage(app, browser);
    const { page } = watched;
    const url = `/${project.full_path}/-/dora`;
    await signIn(page, app, owner, redirect(`${url}?start=2029-12-01&end=2029-12-31`));
    const chart = (name: string) => page.getByRole('slider', { name: `${name}:` });
    await chart('Deployment frequency').locator('canvas').waitFor();
    const numbers = page.getByRole('table', { name: 'DORA metrics, newest first' });
    await becomes(t, () => numbers.getByRole('row').count(), 12);
    await numbers.getByRole('link', { name: 'Lead time for changes on 2029-12-20: 20 h' }).waitFor();
    await inspect(t, page, 'dora');

    // By keyboard.
    await chart('Deployment frequency').focus();
    await page.keyboard.press('ArrowLeft');
    await becomes(t, () => chart('Deployment frequency').getAttribute('aria-valuetext'), '2029-12-19: 3 deployments');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await focusIs(t, page, 'Deployment frequency on 2029-12-20');
    await explanation(page)
      .getByRole('link', { name: /from main/ })
      .waitFor();
    await explanation(page).getByText('sum(0) = 0').waitFor();
    await becomes(t, () => new URL(page.url()).searchParams.get('date'), '2029-12-20');
    await inspect(t, page, 'dora-explained');
    // By pointer: the 20th of 31 days.
    const over = chart('Lead time for changes').locator('.u-over');
    await over.hover();
    const { width, height } = (await over.boundingBox())!;
    await over.click({ position: { x: width * (19.5 / 31), y: height / 2 } });
    await page.getByRole('heading', { name: 'Lead time for changes on 2029-12-20' }).waitFor();
    await explanation(page).getByRole('link', { name: /Topic/ }).waitFor();
    await explanation(page).getByText('median(72000) = 72000').waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    t.is((await download).suggestedFilename(), 'dora.csv');

    await page.getByLabel('Interval', { exact: true }).selectOption({ label: 'By month' });
    await page.getByLabel('From', { exact: true }).fill('2029-11-01');
    await page.getByRole('button', { name: 'Show' }).click();
    await numbers.getByRole('link', { name: 'Deployment frequency on 2029-11-01: 3 deployments' }).click();
    await numbers.getByRole('link', { name: 'Deployment frequency on 2029-11-30: 3 deployments' }).waitFor();
    await becomes(t, () => new URL(page.url()).searchParams.get('end'), '2029-11-30');
    await page.getByRole('checkbox', { name: 'staging' }).check();
    await page.getByRole('checkbox', { name: 'production' }).uncheck();
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No data in this range.').waitFor();
    await becomes(t, () => new URL(page.url()).searchParams.get('tiers'), 'staging');
    await inspect(t, page, 'dora-empty');
    await page.goto(`${app.url}${url}?start=2029-12-31&end=2029-12-01`);
    await page.getByText('The start date must be earlier than the end date.').first().waitFor();

    await page.goto(`${app.url}/groups/${group.full_path}/-/dora?start=2029-12-01&end=2029-12-31&interval=all`);
    await page
      .getByText('20 deployments')
      .or(page.getByText(/^\d+ deployments$/))
      .first()
      .waitFor();
    await becomes(t, () => page.getByRole('slider').count(), 0);
    const requests: string[] = [];
    page.on('request', (request) => {
      if (['fetch', 'xhr'].includes(request.resourceType())) requests.push(request.url());
    });
    await page.goto(
      `${app.url}/groups/${group.full_path}/-/dora?start=2029-12-01&end=2029-12-31&metric=lead_time_for_changes&date=2029-12-20`,
    );
    await explanation(page).getByText(/Topic/).waitFor();
    t.true(requests.length <= 5, requests.join(', '));
    const { complaints } = watched;
    untroubled(t, app, watched, complaints.filter((text) => /status of 400/.test(text)).length);
  }),
);

// Contract: web.dora
test.serial(
  'metrics are refused in words to those below Reporter, and where there is nothing',
  inBrowser(async (t) => {
    const project = await app.build.project();
    const guest = await userWithPassword(app, {});
    await app.build.member(project, 'guest', guest);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, guest, redirect(`/${project.full_path}/-/dora`));
    await page.getByText('You need at least the Reporter role').waitFor();
    await inspect(t, page, 'dora-refused');
    await page.goto(`${app.url}/groups/no/such/-/dora`);
    await page.getByText(/^Not found:/).waitFor();
    const { complaints } = watched;
    untroubled(t, app, watched, complaints.filter((text) => /status of 40[14]/.test(text)).length);
  }),
);

// Contract: web.dora
test.serial(
  'charts are drawn in a browser whose language is none to JavaScript',
  inBrowser(async (t) => {
    const { owner, project } = await busyProject();
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'language', { configurable: true, get: () => 'en-US@posix' })`,
    );
    await signIn(page, app, owner, redirect(`/${project.full_path}/-/dora?start=2029-12-01&end=2029-12-31`));
    await page.getByRole('slider', { name: 'Deployment frequency:' }).locator('canvas').waitFor();
    untroubled(t, app, watched);
  }),
);
