import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';
import { createRunner, startPipeline, takeJob } from './scripted-runner.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const FILE = `
stages: [build, test, deploy]
compile:
  stage: build
  script: make
  rules:
    - if: $CI_PIPELINE_SOURCE == "api"
lint:
  stage: test
  script: make lint
  allow_failure: true
  needs: []
unit:
  stage: test
  script: make test
  needs: [compile]
publish:
  stage: deploy
  script: make publish
  needs: [unit]
  when: manual
notify:
  stage: deploy
  script: make notify
  when: delayed
  start_in: 2 hours
  needs: [compile]
nightly:
  script: make soak
  stage: test
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
`;

const ESC = '\u001B';

const LOG = [
  `${ESC}[0KRunning with a runner of the box\n`,
  `section_start:1700000000:prepare_script[collapsed=true]\r${ESC}[0K${ESC}[36;1mPreparing the environment${ESC}[0;m\n`,
  'Using the shell\n',
  `section_end:1700000004:prepare_script\r${ESC}[0K`,
  `section_start:1700000004:step_script\r${ESC}[0K${ESC}[36;1mRunning the script${ESC}[0;m\n`,
  `${ESC}[32;1m$ make${ESC}[0;m\n`,
  'cc -O2 -o rocket rocket.c\n',
  `${ESC}[33mrocket.c:12: warning: unused variable 'fuel'${ESC}[0m\n`,
  'progress 10 %\rprogress 60 %\rprogress 100 %\n',
  '<script>alert("owned")</script> <img src=x onerror=alert(1)>\n',
  `${ESC}]0;owned\u0007${ESC}]8;;javascript:alert(1)${ESC}\\See https://example.com/report.html for more${ESC}]8;;${ESC}\\\n`,
  ...Array.from({ length: 60 }, (_none, index) => `compiled part ${index + 1} of 60\n`),
  `section_end:1700000037:step_script\r${ESC}[0K`,
  `${ESC}[32;1mJob succeeded${ESC}[0;m\n`,
].join('');

const open = (page: Page, address: string, user: BuiltUser) =>
  signIn(page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent(address)}`);

const log = (page: Page) => page.getByRole('region', { name: 'Lines of the log' });

// Contract: web.pipeline-graph, web.job-log
test.serial(
  'a pipeline is a graph that follows its jobs; a log is read, folded, searched and followed',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = { ...(await app.build.project({ owner, name: 'Rocket' })), owner };
    const { id } = await startPipeline(app, project, FILE);
    const token = await createRunner(app, project);
    const watched = await openPage(app, browser);
    const { page } = watched;
    const address = `/${project.full_path}/-/pipelines/${id}`;
    await open(page, address, owner);
    const stage = (name: string) => page.getByRole('region', { name: `Stage ${name}`, exact: true });
    await stage('build').getByText('compile').waitFor();
    await inspect(t, page, 'pipeline-graph-pending');

    const compile = await takeJob(app, token);
    t.is(compile?.name, 'compile');
    await compile?.write(LOG);
    await stage('build').getByText('running').waitFor();
    await compile?.end('success');
    const lint = await takeJob(app, token);
    await lint?.write('$ make lint\nrocket.c:1: bad style\n');
    await lint?.end('failed', 'script_failure');
    const unit = await takeJob(app, token);
    await unit?.write('$ make test\nfirst line\n');
    await stage('test').getByText('failed, allowed').waitFor();
    await page.getByLabel('Show what jobs need').check();
    await stage('deploy').getByText('needs unit').waitFor();
    await becomes(t, () => page.locator('main svg path[d^="M "][d*="C"]').count(), 3);
    await inspect(t, page, 'pipeline-graph');

    await stage('test').getByRole('link', { name: 'unit' }).click();
    await page.getByRole('heading', { name: 'unit', level: 1 }).waitFor();
    await log(page).getByText('first line').waitFor();
    await unit?.write('second line\n');
    await log(page).getByText('second line').waitFor();
    await inspect(t, page, 'job-running');
    await unit?.end('failed', 'script_failure');
    await page.getByText('A command of the script failed.').waitFor();
    await inspect(t, page, 'job-failed');

    await page.goto(`${app.url}/${project.full_path}/-/jobs/${compile?.id}`);
    await log(page).getByText('cc -O2 -o rocket rocket.c').waitFor();
    t.is(await log(page).getByText('Using the shell').count(), 0);
    await inspect(t, page, 'job-log');
    t.is(await page.evaluate<number>("document.querySelectorAll('main script, main img').length"), 0);
    await log(page).getByText('<script>alert("owned")</script> <img src=x onerror=alert(1)>').waitFor();
    const link = log(page).getByRole('link', { name: 'https://example.com/report.html' });
    t.is(await link.getAttribute('href'), 'https://example.com/report.html');
    t.regex((await link.getAttribute('rel')) ?? '', /noopener/);
    await log(page).getByText('progress 100 %').waitFor();
    await page.getByRole('button', { name: /^Preparing the environment/ }).click();
    await log(page).getByText('Using the shell').waitFor();
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('part 42');
    await page.getByText('1 line', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await log(page).getByText('part 42').first().waitFor();
    await page.getByText('1 of 1 line').waitFor();
    await inspect(t, page, 'job-log-search');
    await page.goto(`${app.url}/${project.full_path}/-/jobs/${compile?.id}#L30`);
    await log(page).getByRole('link', { name: 'Line 30' }).waitFor();
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await page.getByRole('button', { name: 'Expand all' }).waitFor();
    await becomes(t, () => log(page).getByText('compiled part').count(), 0);

    await page.goto(app.url + address);
    await page.getByText('1 job failed').waitFor();
    await inspect(t, page, 'pipeline-graph-failed');
    untroubled(t, app, watched);
  }),
);
