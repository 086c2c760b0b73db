import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { ring } from '../ci/pipeline-schedules/schedule-steps.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { eventually } from '../core/processes.js';
import { userWithPassword } from '../core/signed-in.js';
import { startBuiltInRunner } from '../runner-suite/runner-process.js';
import { becomes, fillSignIn, inBrowser, inspect, openPage, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });

/** An entry of the menu of the project. */
const menu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name, exact: true });

const table = (page: Page, name: string | RegExp) => page.getByRole('table', { name });

/** Processes jobs of the queue until the page shows something: a runner reports what it does in its own time. */
async function workUntil(condition: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    await app.work();
    return condition();
  });
}

/** Starts the runner program of the service with a token that a page showed. */
async function startRunner(t: ExecutionContext, token: string): Promise<void> {
  const runner = await startBuiltInRunner(app.url, token, ['--concurrency', '2', '--without-isolation']);
  t.teardown(() => runner.stop());
}

// Contract: web.walk.log, web.pipelines, web.pipeline-graph, web.runners
test.serial(
  'on pages alone a person makes a project, commits a configuration, adds a runner, schedules it, and reads the log of its job',
  inBrowser(async (t) => {
    // Runners clone from the address that the service says it has.
    app.services.config.externalUrl = app.url;
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(app.url);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, owner.username);
    await page.getByRole('main').getByRole('link', { name: 'New project' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Rocket');
    await page.getByRole('button', { name: 'Create project' }).click();
    await heading(page, 'Rocket').waitFor();
    await app.work();

    await menu(page, 'Pipelines').click();
    await page.getByText('No pipelines yet.').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByText('No jobs yet.').waitFor();
    await inspect(t, page, 'first-pipeline-no-jobs');
    await page.getByRole('main').getByRole('link', { name: 'Configure a pipeline' }).click();
    await page.getByRole('button', { name: 'Configure pipeline' }).click();
    await page.getByText('Pipeline syntax is correct.').waitFor();
    await page.getByRole('button', { name: 'Commit changes' }).click();
    await page.getByText('Your changes are committed to main.').waitFor();
    await app.work();
    const latest = page.getByText('Latest pipeline:').getByRole('link');
    await latest.waitFor();
    await inspect(t, page, 'first-pipeline-committed');
    await latest.click();
    await heading(page, /^Pipeline #/).waitFor();
    const stage = (name: string) => page.getByRole('region', { name: `Stage ${name}`, exact: true });
    await stage('build').getByText('pending').waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: 'No runner can take the jobs now' }).waitFor();
    await inspect(t, page, 'first-pipeline-waiting');
    await stage('build').getByRole('link', { name: 'build-app' }).click();
    await page.getByRole('heading', { name: 'No runner can take this job now' }).waitFor();

    await page.getByRole('link', { name: 'Runners of the project' }).click();
    await page.getByText('No runners yet, so jobs wait.').waitFor();
    await page.getByRole('link', { name: 'New runner' }).click();
    await page.getByLabel('Description').fill('Builder');
    await page.getByRole('button', { name: 'Create runner' }).click();
    const token = page.getByRole('textbox', { name: 'The new token' });
    await startRunner(t, await token.inputValue());
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await table(page, 'Runners').getByText('online').waitFor();

    await menu(page, 'Pipelines').click();
    const stages = table(page, 'Pipelines').getByRole('list', { name: 'Stages' }).getByRole('link');
    const succeeded = table(page, 'Pipelines').getByRole('link', { name: /^\w+: succeeded$/ });
    await workUntil(async () => (await succeeded.count()) === 3);
    t.deepEqual(await Promise.all((await stages.all()).map((link) => link.getAttribute('aria-label'))), [
      'build: succeeded',
      'test: succeeded',
      'deploy: succeeded',
    ]);
    await inspect(t, page, 'first-pipeline-stages');

    await menu(page, 'Schedules').click();
    await page.getByText('No schedules yet.').waitFor();
    await page.getByRole('link', { name: 'New schedule' }).first().click();
    await heading(page, 'New schedule').waitFor();
    await becomes(t, () => page.getByLabel('Branch or tag').inputValue(), 'main');
    await page.getByLabel('Description').fill('Every minute');
    await page.getByLabel('Cron').fill('* * * * *');
    await page.getByText('Every minute', { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await heading(page, 'Every minute').waitFor();
    app.clock.advance('1 minute');
    await ring(app);
    await page.clock.setFixedTime(app.clock.now());
    const run = table(page, /^Scheduled runs/)
      .getByRole('row')
      .nth(1);
    await run.getByText('on time').waitFor();
    await run.getByText(/^log after/).waitFor();
    const finished = table(page, /^Pipelines/).getByText('succeeded');
    await workUntil(() => finished.isVisible());
    await inspect(t, page, 'first-pipeline-schedule');

    await run.getByRole('rowheader').getByRole('link').click();
    await page.getByText('First log line').waitFor();
    await inspect(t, page, 'first-pipeline-run');
    await page
      .getByRole('region', { name: 'Ledger' })
      .getByRole('link', { name: /^#\d+$/ })
      .click();
    await heading(page, /^Pipeline #/).waitFor();
    await stage('build').getByRole('link', { name: 'build-app' }).click();
    const log = page.getByRole('region', { name: 'Lines of the log' });
    await log.getByText('Build the project', { exact: true }).waitFor();
    await inspect(t, page, 'first-pipeline-log');
    // The files API answers 404 where there is no configuration yet.
    untroubled(t, app, watched, 1);
  }),
);
