import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** Of one black point. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB3y1OjwAAAABJRU5ErkJggg==';

const README =
  '# How it flies\n\nIt **flies**, see [the plan](https://example.com) and [the engine](src/engine/main.ts).\n\n' +
  '[![build](https://img.example.com/build.svg)](https://example.com)\n\n<script>window.harmed = 1</script>\n\n' +
  '![the engine drawn](src/a%20picture.png) ![drawn by hand](src/hand.svg)';

/** A page after signing in, with the browser's clock set to the service's. */
async function arrive(user: BuiltUser, path: string) {
  const watched = await openPage(app, browser);
  await signIn(watched.page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent(path)}`);
  return watched;
}

/** A project of a person who can sign in, with some files. */
async function ownProject(name = 'Rocket') {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const project = await app.build.project({ owner, name });
  await app.as(owner).post(`/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Describe the rocket',
    actions: [
      { action: 'update', file_path: 'README.md', content: README },
      {
        action: 'create',
        file_path: 'src/engine/main.ts',
        content: 'export const thrust = 7;\nexport const stages = 2;\n',
      },
      { action: 'create', file_path: 'src/a picture.png', content: PICTURE, encoding: 'base64' },
      {
        action: 'create',
        file_path: 'src/picture.bin',
        content: Buffer.from([0, 1, 2]).toString('base64'),
        encoding: 'base64',
      },
    ],
  });
  // What follows a push, such as finding the README, is done then.
  await app.work();
  return { owner, project, path: `/${project.full_path}` };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });

// Contract: web.project
test.serial(
  'a project tells what it is, how it is cloned, what runs next, what failed and what happened, and shows its README',
  inBrowser(async (t) => {
    const { owner, project, path } = await ownProject();
    const asOwner = app.as(owner);
    await app.build.schedule({ project, owner, description: 'Nightly build', cron: '30 2 * * *' });
    const { body: pipeline } = await asOwner.post(`/projects/${project.id}/pipeline`, { ref: 'main' });
    const { body: branch } = await asOwner.get(`/projects/${project.id}/repository/branches/main`);
    await asOwner.post(`/projects/${project.id}/statuses/${branch.commit.id}`, {
      state: 'failed',
      name: 'test',
      ref: 'main',
    });
    const watched = await arrive(owner, path);
    const { page } = watched;
    await heading(page, 'Rocket').waitFor();
    const readme = page.getByRole('region', { name: 'README' });
    await readme.getByText('flies', { exact: true }).waitFor();
    await becomes(t, () => readme.locator('strong').first().textContent(), 'flies');
    t.is(await page.evaluate('window.harmed'), undefined);
    // An external image is not requested; one next to the README is rendered, and a file is reachable from there.
    await becomes(t, () => readme.locator('img').count(), 1);
    const drawn = readme.getByRole('img', { name: 'the engine drawn' });
    await becomes(
      t,
      () => drawn.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth),
      1,
    );
    await readme.getByRole('link', { name: 'drawn by hand' }).waitFor();
    await readme.getByRole('link', { name: 'build' }).waitFor();
    const engine = readme.getByRole('link', { name: 'the engine' });
    await becomes(t, () => engine.getAttribute('href'), `${path}/-/blob/main/src/engine/main.ts`);
    await page
      .getByText(project.full_path + '.git')
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Nightly build' }).waitFor();
    await page.getByRole('link', { name: `#${pipeline.id}` }).waitFor();
    await page.getByRole('table', { name: 'Activity' }).getByText('created project').first().waitFor();
    await inspect(t, page, 'project');
    untroubled(t, app, watched);
  }),
);

// Contract: web.project
test.serial(
  'who is not signed in reads the README of a public project as it is meant, and files of Markdown too',
  inBrowser(async (t) => {
    const { owner, project, path } = await ownProject();
    await app.as(owner).put(`/projects/${project.id}`, { visibility: 'public' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(app.url + path);
    const readme = page.getByRole('region', { name: 'README' });
    await becomes(t, () => readme.locator('strong').first().textContent(), 'flies');
    await inspect(t, page, 'project-public');
    await readme.getByRole('link', { name: 'README.md' }).click();
    await heading(page, 'README.md').waitFor();
    await page.getByRole('main').locator('strong').first().waitFor();
    await page.getByRole('link', { name: 'Source' }).click();
    await page.getByText('**flies**').waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.code
test.serial(
  'a person goes through the files of a repository to a line, who wrote it, and the commits that changed it',
  inBrowser(async (t) => {
    const { owner, project, path } = await ownProject();
    await app.as(owner).post(`/projects/${project.id}/repository/branches`, {
      branch: 'feature/new engine'.replace(' ', '-'),
      ref: 'main',
    });
    const watched = await arrive(owner, `${path}/-/tree/main`);
    const { page } = watched;
    const files = page.getByRole('table', { name: 'Files' });
    await files.getByRole('link', { name: 'src' }).waitFor();
    await page.getByRole('link', { name: 'Describe the rocket' }).waitFor();
    await inspect(t, page, 'tree');
    await files.getByRole('link', { name: 'src' }).click();
    await files.getByRole('link', { name: 'engine' }).click();
    await heading(page, 'engine').waitFor();
    await files.getByRole('link', { name: 'main.ts' }).click();
    await page.getByText('export const thrust = 7;').waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `${path}/-/blob/main/src/engine/main.ts`);
    await inspect(t, page, 'file');
    await page.getByLabel('Branch or tag').selectOption('feature/new-engine');
    await page.waitForURL(`**${path}/-/blob/feature/new-engine/src/engine/main.ts`);
    await page.getByText('export const thrust = 7;').waitFor();
    await page.reload();
    await page.getByText('export const thrust = 7;').waitFor();
    await page.getByRole('link', { name: 'Blame' }).click();
    await heading(page, 'Blame of main.ts').waitFor();
    await page.getByText('export const stages = 2;').waitFor();
    await inspect(t, page, 'blame');
    await page.getByRole('link', { name: 'View file' }).click();
    await page.getByRole('link', { name: 'History' }).click();
    await heading(page, 'Commits').waitFor();
    await page.getByRole('table', { name: 'Commits' }).getByRole('link', { name: 'Describe the rocket' }).waitFor();
    await becomes(
      t,
      () => page.getByRole('table', { name: 'Commits' }).getByRole('row').count(),
      2,
      'those that changed the file',
    );
    await inspect(t, page, 'commits');
    await page.getByRole('table').getByRole('link', { name: 'Describe the rocket' }).click();
    await heading(page, 'Describe the rocket').waitFor();
    await page.goto(`${app.url}${path}/-/blob/main/README.md`);
    await page.getByRole('region', { name: 'README.md' }).locator('strong').waitFor();
    await page.getByRole('link', { name: 'Source' }).click();
    await page.getByText('**flies**').waitFor();
    await page.goto(`${app.url}${path}/-/blob/main/src/picture.bin`);
    await page.getByText('This file is binary').waitFor();
    await page.goto(`${app.url}${path}/-/blob/main/no/such/file`);
    await page.getByText('Not found').waitFor();
    // Neither a file nor a folder.
    untroubled(t, app, watched, 2);
  }),
);

// Contract: web.refs
test.serial(
  'a Developer makes a branch and a tag and deletes them; who may not push is offered neither',
  inBrowser(async (t) => {
    const { owner, project, path } = await ownProject();
    const watched = await arrive(owner, `${path}/-/branches`);
    const { page } = watched;
    const branches = page.getByRole('table', { name: 'Branches' });
    await branches.getByText('default').waitFor();
    await page.getByRole('link', { name: 'New branch' }).click();
    await focusIs(t, page, 'Name');
    await page.getByRole('button', { name: 'Create branch' }).click();
    await page.getByRole('alert').or(page.locator('[aria-invalid=true]')).first().waitFor();
    await inspect(t, page, 'branch-new');
    await page.getByLabel('Name').fill('fix/valve');
    await page.getByRole('button', { name: 'Create branch' }).click();
    await page.getByText('Branch “fix/valve” was created.').waitFor();
    await branches.getByRole('link', { name: 'fix/valve', exact: true }).waitFor();
    await inspect(t, page, 'branches');
    await page.getByLabel('Find a branch').fill('valve');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'main', exact: true }).waitFor({ state: 'detached' });
    await branches.getByRole('button', { name: 'Delete fix/valve' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Branch “fix/valve” was deleted.').waitFor();
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Tags' }).click();
    await page.getByText('No tags yet.').waitFor();
    await page.getByRole('link', { name: 'New tag' }).click();
    await page.getByLabel('Name').fill('v1.0');
    await page.getByLabel('Message').fill('First flight');
    await page.getByRole('button', { name: 'Create tag' }).click();
    await page.getByRole('table', { name: 'Tags' }).getByText('First flight').waitFor();
    await inspect(t, page, 'tags');
    await page.getByRole('button', { name: 'Delete v1.0' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No tags yet.').waitFor();
    untroubled(t, app, watched, 1);
    const reporter = await userWithPassword(app);
    await app.build.member(project, 'reporter', reporter);
    const other = await arrive(reporter, `${path}/-/branches`);
    await other.page.getByRole('table', { name: 'Branches' }).waitFor();
    await becomes(t, () => other.page.getByRole('link', { name: 'New branch' }).count(), 0);
    untroubled(t, app, other);
  }),
);

// Contract: web.pipelines
test.serial(
  'pipelines say what started them, what became of them, and how an executor is connected where they wait',
  inBrowser(async (t) => {
    const { owner, project, path } = await ownProject();
    const asOwner = app.as(owner);
    const { body: waiting } = await asOwner.post(`/projects/${project.id}/pipeline`, { ref: 'main' });
    const schedule = await app.build.schedule({ project, owner, description: 'Nightly' });
    await asOwner.post(`/projects/${project.id}/pipeline_schedules/${schedule.id}/play`);
    await app.work();
    const watched = await arrive(owner, `${path}/-/pipelines`);
    const { page } = watched;
    const table = page.getByRole('table', { name: 'Pipelines' });
    await table.getByText('schedule', { exact: true }).waitFor();
    await table.getByText('API', { exact: true }).waitFor();
    t.is(await table.getByRole('list', { name: 'Stages' }).count(), 0, 'neither has jobs');
    await inspect(t, page, 'pipelines');
    await table.getByRole('link', { name: `#${waiting.id}` }).click();
    await heading(page, `Pipeline #${waiting.id}`).waitFor();
    await page.getByText('Connect one').click();
    await page.getByText('pipelines?status=pending').waitFor();
    const { body: branch } = await asOwner.get(`/projects/${project.id}/repository/branches/main`);
    await asOwner.post(`/projects/${project.id}/statuses/${branch.commit.id}`, {
      state: 'failed',
      name: 'unit tests',
      ref: 'main',
      pipeline_id: waiting.id,
    });
    const jobs = page.getByRole('table', { name: 'Jobs' });
    await jobs.getByText('failed').waitFor();
    await inspect(t, page, 'pipeline');
    await jobs.getByRole('link', { name: 'unit tests' }).click();
    await heading(page, 'unit tests').waitFor();
    await inspect(t, page, 'job');
    await page.getByRole('link', { name: `#${waiting.id}` }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Pipelines').waitFor();
    await table.waitFor();
    // The previous list is shown until the new one has loaded.
    await table.getByRole('link', { name: `#${waiting.id}` }).waitFor({ state: 'detached' });
    untroubled(t, app, watched);
  }),
);

// Contract: web.packages
test.serial(
  'packages of a project are found by name, with their files and versions; a Maintainer deletes one',
  inBrowser(async (t) => {
    const { owner, project, path } = await ownProject();
    const publish = (version: string) =>
      app
        .as(owner)
        .raw('PUT', `/api/v4/projects/${project.id}/packages/generic/nozzle/${version}/nozzle.tgz`, `of ${version}`);
    const watched = await arrive(owner, `${path}/-/packages`);
    const { page } = watched;
    await page.getByText('No packages yet.').waitFor();
    await inspect(t, page, 'packages-none');
    for (const version of ['1.0.0', '1.1.0']) await publish(version);
    await page.reload();
    const table = page.getByRole('table', { name: 'Packages' });
    await table.getByText('1.1.0').waitFor();
    await inspect(t, page, 'packages');
    await table.getByRole('link', { name: 'nozzle' }).first().click();
    await heading(page, 'nozzle 1.1.0').waitFor();
    const files = page.getByRole('table', { name: 'Files' });
    const started = page.waitForEvent('download');
    await files.getByRole('link', { name: 'nozzle.tgz' }).click();
    t.is((await started).suggestedFilename(), 'nozzle.tgz');
    await inspect(t, page, 'package');
    await page.getByRole('link', { name: '1.0.0' }).click();
    await heading(page, 'nozzle 1.0.0').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The package nozzle 1.0.0 was deleted.').waitFor();
    await table.getByText('1.0.0').waitFor({ state: 'detached' });
    untroubled(t, app, watched);
    await page.goto(`${app.url}${path}/-/blob/main/src/engine`);
    await page.getByRole('table', { name: 'Files' }).getByRole('link', { name: 'main.ts' }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `${path}/-/tree/main/src/engine`);
  }),
);
