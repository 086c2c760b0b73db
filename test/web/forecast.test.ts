import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.forecast
test.serial(
  'a person sees when schedules fire, spreads those of one minute, and what an outage would mean',
  inBrowser(async (t) => {
    await app.set({ ci_pipeline_schedules: 0 });
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    for (let number = 0; number < 12; number += 1)
      await app.build.schedule({ project, owner, description: `Nightly ${number}`, cron: '0 2 * * *' });
    await app.build.schedule({ project, owner, description: 'Hourly sweep', cron: '15 * * * *', missed_policy: 'all' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const url = `/${project.full_path}/-/pipeline_schedules/forecast`;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(url)}`);
    const map = page.getByRole('table', { name: 'Runs by day and hour' });
    await map
      .getByRole('link', { name: /, 02:00: 13 runs$/ })
      .first()
      .click();
    const firing = page.getByRole('table', { name: 'Schedules that run in this hour' });
    await firing.getByText('Hourly sweep').waitFor();
    await becomes(t, () => firing.getByRole('rowheader').count(), 13);
    const reached = map.locator('a[tabindex="0"]');
    await becomes(t, () => reached.count(), 1, 'one hour is reached by Tab');
    await reached.focus();
    const before = await reached.getAttribute('aria-label');
    await page.keyboard.press('ArrowDown');
    await focusIs(
      t,
      page,
      new RegExp(`^(?!${before?.slice(0, 10)}).*, 02:00: 13 runs$`),
      'the same hour of another day',
    );
    await page.getByText('12 at 02:00, on 7 days').waitFor();
    await page.getByRole('button', { name: 'Spread over 10 minutes' }).click();
    const proposed = page.getByRole('table', { name: 'Proposed times' });
    await proposed
      .getByRole('row', { name: /Nightly 11/ })
      .getByText('9 2 * * *', { exact: true })
      .waitFor();
    await proposed.getByLabel('Select Nightly 11').uncheck();
    await inspect(t, page, 'forecast');
    await page.getByRole('button', { name: /^Apply to \d+ schedules$/ }).click();
    await page.getByText(/^\d+ schedules rescheduled\.$/).waitFor();
    const all = (await app.as(owner).get(`/projects/${project.id}/pipeline_schedules?per_page=100`)).body as {
      cron: string;
      description: string;
    }[];
    t.is(all.find(({ description }) => description === 'Nightly 11')?.cron, '0 2 * * *');
    t.is(all.find(({ description }) => description === 'Nightly 10')?.cron, '8 2 * * *');
    const day = new Date(app.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel('From', { exact: true }).fill(`${day}T01:30`);
    await page.getByLabel('To', { exact: true }).fill(`${day}T01:00`);
    await page.getByRole('button', { name: 'Show impact' }).click();
    await page.getByText('Must be after “From”.').waitFor();
    await page.getByLabel('To', { exact: true }).fill(`${day}T04:00`);
    await page.getByRole('button', { name: 'Show impact' }).click();
    await page.getByText(/^13 schedules affected, with \d+ runs: /).waitFor();
    const policies = page.getByRole('table', { name: /^Missed runs by policy/ });
    await policies.getByRole('row', { name: /^All missed runs start/ }).waitFor();
    const due = page.getByRole('table', { name: 'Affected schedules' });
    await due
      .getByRole('row', { name: /^Hourly sweep/ })
      .getByText('runs 2 times')
      .waitFor();
    await page.getByLabel('Policy', { exact: true }).selectOption('No missed runs start; all are recorded as missed.');
    await page.getByText('No schedules with this policy are affected.').waitFor();
    await page.getByLabel('Policy', { exact: true }).selectOption('All missed runs start after recovery.');
    await due.getByRole('row', { name: /^Hourly sweep/ }).waitFor();
    await becomes(t, () => due.getByRole('rowheader').count(), 1);
    await inspect(t, page, 'forecast-outage');
    untroubled(t, app, watched);
  }),
);
