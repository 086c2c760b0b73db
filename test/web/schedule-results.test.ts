import test from 'ava';
import type { Page } from 'playwright-core';
import { ring } from '../ci/pipeline-schedules/schedule-steps.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';
import { createRunner, takeJob } from './scripted-runner.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const BY_DAY = 'soak:\n  script: make soak\n  rules:\n    - if: $CI_PIPELINE_SOURCE == "push"\n';
const BY_NIGHT = BY_DAY.replace('push', 'schedule');

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Advances the service's and the page's clock by an hour, and runs what is due. */
async function passHour(page: Page): Promise<void> {
  app.clock.advance('1 hour');
  await ring(app);
  await page.clock.setFixedTime(app.clock.now());
}

// Contract: web.schedule.results
test.serial(
  'a schedule shows that its rules excluded every job, that its file is wrong, and the first job with its log, each with the way on',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = { ...(await app.build.project({ owner, name: 'Rocket' })), owner };
    const commitFile = async (content: string, action: 'create' | 'update') => {
      const { status, text } = await app.as(owner).post(`/projects/${project.id}/repository/commits`, {
        branch: 'main',
        commit_message: '[skip ci] Configure',
        actions: [{ action, file_path: '.gitlab-ci.yml', content }],
      });
      t.is(status, 201, text);
      await app.work();
    };
    const schedule = await app.build.schedule({ project, owner, description: 'Nightly', cron: '0 * * * *' });
    await commitFile(BY_DAY, 'create');
    const watched = await openPage(app, browser);
    const { page } = watched;
    const address = `/${project.full_path}/-/pipeline_schedules/${schedule.id}`;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(address)}`);
    const newest = page
      .getByRole('table', { name: /^Scheduled runs/ })
      .getByRole('row')
      .nth(1);

    await passHour(page);
    const filtered = section(page, 'Last run started no jobs');
    await filtered.getByText('No job has rules that match a scheduled pipeline.').waitFor();
    await newest.getByText('no jobs by its rules').waitFor();
    await inspect(t, page, 'schedule-filtered');
    await filtered.getByRole('link', { name: 'Dry run as a schedule' }).click();
    await becomes(t, () => page.getByLabel('Pipeline source').inputValue(), 'schedule');
    await page.getByRole('table', { name: 'Excluded jobs' }).getByText('soak').waitFor();

    await commitFile('soak:\n  stage: nowhere\n  script: x\n', 'update');
    await page.goto(app.url + address);
    await filtered.waitFor();
    await passHour(page);
    const failed = section(page, 'Last run failed');
    await failed.getByText('chosen stage nowhere does not exist').waitFor();
    await newest.getByText('configuration error').waitFor();
    await failed.getByRole('link', { name: /^Pipeline #/ }).waitFor();
    await inspect(t, page, 'schedule-config-error');
    await failed.getByRole('link', { name: 'Open the pipeline editor' }).click();
    await page.getByText('This configuration is invalid: 1 error.').waitFor();

    await commitFile(BY_NIGHT, 'update');
    await page.goto(app.url + address);
    await failed.waitFor();
    await passHour(page);
    await newest.getByText('no log yet').waitFor();
    await failed.waitFor({ state: 'detached' });
    const job = await takeJob(app, await createRunner(app, project));
    app.clock.advance('5 seconds');
    await job?.write('$ make soak\n');
    await job?.end('success');
    await newest.getByText('log after 5.0 s').waitFor();
    await newest.getByRole('rowheader').getByRole('link').click();
    await page.getByText(/, 5\.0 s after the due time$/).waitFor();
    await section(page, 'Ledger').getByText('succeeded').waitFor();
    await section(page, 'Ledger').getByRole('link', { name: 'soak' }).click();
    await page.getByRole('region', { name: 'Lines of the log' }).getByText('make soak').waitFor();
    untroubled(t, app, watched);
  }),
);
