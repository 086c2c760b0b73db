import test from 'ava';
import { renewBuiltInRunner } from '../../shared/ci/runners/built-in-runner.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';
import { startPipeline } from './scripted-runner.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.runners, web.job
test.serial(
  'a job without a runner says so; a runner is created, its token shown once, paused, resumed, edited and removed',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = { ...(await app.build.project({ owner, name: 'Rocket' })), owner };
    const watched = await openPage(app, browser);
    const { page } = watched;
    const pipelines = `/${project.full_path}/-/pipelines`;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(pipelines)}`);
    await page.getByText('No pipelines yet.').waitFor();
    await page.getByRole('link', { name: 'Configure a pipeline' }).waitFor();
    await inspect(t, page, 'pipelines-empty');
    const { id } = await startPipeline(app, project, 'soak:\n  script: make soak\n  tags: [linux]\n');
    await page.goto(`${app.url}${pipelines}/${id}`);
    await page.getByRole('region', { name: 'Stage test' }).getByRole('link', { name: 'soak' }).click();
    await page.getByRole('heading', { name: 'No runner can take this job now' }).waitFor();
    await page.getByText('Add a runner that serves this project.').waitFor();
    await inspect(t, page, 'job-waiting');

    await page.getByRole('link', { name: 'Runners of the project' }).click();
    await page.getByText('No runners yet, so jobs wait.').waitFor();
    await inspect(t, page, 'runners-empty');
    await page.getByRole('link', { name: 'New runner' }).click();
    await page.getByLabel('Description').fill('Builder');
    await page.getByLabel('Run untagged jobs').uncheck();
    await page.getByRole('button', { name: 'Create runner' }).click();
    await page.getByText(/can not be empty when runner is not allowed/).waitFor();
    await inspect(t, page, 'runners-new');
    await page.getByLabel('Tags').fill('linux, fast');
    await page.getByRole('button', { name: 'Create runner' }).click();
    const token = page.getByRole('textbox', { name: 'The new token' });
    await token.waitFor();
    t.regex(await token.inputValue(), /^glrt-/);
    await page.getByText(/^gitlab-runner register --url /).waitFor();
    await inspect(t, page, 'runners-token');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const runners = page.getByRole('table', { name: 'Runners', exact: true });
    await runners.getByText('never connected').waitFor();
    await page.reload();
    await runners.getByText('Builder').waitFor();
    t.is(await token.count(), 0);

    await runners.getByRole('button', { name: /^Pause / }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Pause' }).click();
    await runners.getByText('paused, never connected').waitFor();
    await runners.getByRole('button', { name: /^Resume / }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Resume' }).click();
    await runners.getByText(/^never connected/).waitFor();
    await runners.getByRole('button', { name: /^Edit / }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Large builder');
    await inspect(t, page, 'runners-edit');
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click();
    await runners.getByText('Large builder').waitFor();
    await runners.getByRole('button', { name: /^Managers of / }).click();
    await page.getByText('None has made contact yet.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await inspect(t, page, 'runners');
    await runners.getByRole('button', { name: /^Remove / }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No runners yet, so jobs wait.').waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.variables
test.serial(
  'variables of a project, a group and the instance: values are hidden, errors stand at the field, changes are confirmed',
  inBrowser(async (t) => {
    const admin = await userWithPassword(app, { name: 'Grace Hopper', admin: true });
    const group = await app.build.group({ owner: admin });
    const project = await app.build.projectIn(group);
    const watched = await openPage(app, browser);
    const { page } = watched;
    const address = `/${project.full_path}/-/settings/ci_cd`;
    await signIn(page, app, admin, `/users/sign_in?redirect_to=${encodeURIComponent(address)}`);
    await page.getByText('No variables yet.').waitFor();
    await page.getByRole('link', { name: 'New variable' }).click();
    await page.getByLabel('Key').fill('DEPLOY_TOKEN');
    await page.getByLabel('Value', { exact: true }).fill('short');
    await page.getByLabel('Visibility').selectOption('masked');
    await page.getByRole('button', { name: 'Create variable' }).click();
    await page.getByText(/is invalid: a masked value is one line/).waitFor();
    await inspect(t, page, 'variables-new');
    await page.getByLabel('Value', { exact: true }).fill('s3cret-enough');
    await page.getByLabel('Protected').check();
    await page.getByRole('button', { name: 'Create variable' }).click();
    const variables = page.getByRole('table', { name: 'Variables' });
    await variables.getByText('protected, masked').waitFor();
    t.is(await page.getByText('s3cret-enough').count(), 0);
    await variables.getByRole('button', { name: 'Show value of DEPLOY_TOKEN' }).click();
    await variables.getByText('s3cret-enough').waitFor();
    await inspect(t, page, 'variables');
    await variables.getByRole('button', { name: 'Edit DEPLOY_TOKEN' }).click();
    await page.getByRole('dialog').getByLabel('Environments').fill('review/*');
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click();
    await variables.getByText('review/*').waitFor();
    const stored = await app.as(admin).get(`/projects/${project.id}/variables`);
    t.like(stored.body[0], {
      key: 'DEPLOY_TOKEN',
      value: 's3cret-enough',
      environment_scope: 'review/*',
      masked: true,
    });
    await variables.getByRole('button', { name: 'Delete DEPLOY_TOKEN' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No variables yet.').waitFor();

    for (const other of [`/groups/${group.full_path}/-/settings/ci_cd`, '/admin/ci_cd']) {
      await page.goto(app.url + other);
      await page.getByRole('link', { name: 'New variable' }).click();
      await page.getByLabel('Key').fill('TARGET');
      await page.getByLabel('Value', { exact: true }).fill('production');
      await page.getByRole('button', { name: 'Create variable' }).click();
      await variables.getByText('TARGET').waitFor();
      await becomes(t, () => page.getByText('Variable TARGET created.').count(), 1);
      await inspect(t, page, other.startsWith('/admin') ? 'variables-admin' : 'variables-group');
    }
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.runners, web.job
test.serial(
  'why the built-in runner does not run is shown where it is listed, and where a job waits',
  inBrowser(async (t) => {
    const admin = await userWithPassword(app, { name: 'Grace Hopper', admin: true });
    const project = { ...(await app.build.project({ owner: admin, name: 'Rocket' })), owner: admin };
    const problem = 'Jobs can not be kept apart from this machine.';
    t.is(await renewBuiltInRunner(app.services, problem), null);
    const { id } = await startPipeline(app, project, 'compile:\n  script: make\n');
    const watched = await openPage(app, browser);
    const { page } = watched;
    const address = `/${project.full_path}/-/pipelines/${id}`;
    await signIn(page, app, admin, `/users/sign_in?redirect_to=${encodeURIComponent(address)}`);
    await page.getByRole('region', { name: 'Stage test' }).getByRole('link', { name: 'compile' }).click();
    await page.getByText('A runner that fits is offline: start it.').waitFor();
    await page.getByText(problem).waitFor();
    await inspect(t, page, 'job-waiting-built-in');
    for (const list of [`/${project.full_path}/-/settings/ci_cd`, '/admin/ci_cd']) {
      await page.goto(app.url + list);
      await page.getByRole('table', { name: 'Runners', exact: true }).getByText(problem).waitFor();
      await inspect(t, page, list.startsWith('/admin') ? 'runners-admin-built-in' : 'runners-built-in');
    }
    untroubled(t, app, watched);
  }),
);
