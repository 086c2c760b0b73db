import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import type { Page } from 'playwright-core';
import { sampleArchive } from '../archives/container-imports/sample-archive.js';
import { sampleProject } from '../archives/container-imports/project-sample.js';
import { whileWorking } from '../archives/import-plans/planned.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { unique } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const redirect = (path: string) => `/users/sign_in?redirect_to=${encodeURIComponent(path)}`;
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).and(page.locator(':focus')).waitFor();
const file = (buffer: Buffer, name = 'export.tar.gz') => ({ name, mimeType: 'application/gzip', buffer });

/** A page with a signed-in user, and the requests its scripts send from then on. */
async function arrive(user: Parameters<typeof signIn>[2], path: string) {
  const watched = await openPage(app, browser);
  const requests: string[] = [];
  await signIn(watched.page, app, user, redirect(path));
  watched.page.on('request', (request) => {
    if (['fetch', 'xhr'].includes(request.resourceType())) requests.push(new URL(request.url()).pathname);
  });
  return { ...watched, watched, requests };
}

// Contract: web.exports
test.serial(
  'an Owner exports a group, follows that over a reload, downloads the archive, is told of a limit, and removes it',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const group = await app.build.group({ owner });
    await app.as(owner).post(`/groups/${group.id}/labels`, { name: 'bug', color: '#112233' });
    await app.set({ group_download_export_limit: 1 });
    const path = `/groups/${group.full_path}/-/edit`;
    const { page, watched, requests } = await arrive(owner, path);
    await page.getByText('not exported, or archive expired').waitFor();
    await inspect(t, page, 'group-export-none');
    await page.getByRole('button', { name: 'Export group' }).focus();
    await page.keyboard.press('Enter');
    await said(page, 'Export started.');
    await page.getByText('queued', { exact: true }).waitFor();
    await page.goto('about:blank');
    requests.length = 0;
    await page.goto(app.url + path);
    await page.getByText('queued', { exact: true }).waitFor();
    // The current user, the group, its export, its allowed settings, and its transfer targets.
    t.true(new Set(requests).size <= 5, requests.join(', '));
    await inspect(t, page, 'group-export-waiting');
    await app.work();
    await page.getByText('finished', { exact: true }).waitFor();
    await page.getByText('Expires', { exact: true }).waitFor();
    await inspect(t, page, 'group-export');
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await started;
    t.regex(download.suggestedFilename(), /_export\.tar\.gz$/);
    t.true(gunzipSync(await readFile(await download.path())).includes('./tree/groups/_all.ndjson'));
    await said(page, `Downloaded ${download.suggestedFilename()}.`);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText('Too many requests:').waitFor();
    await page.getByText('Wait a minute, then try again.').waitFor();
    await page.getByRole('button', { name: 'Delete archive' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await said(page, 'Archive deleted.');
    await page.getByText('not exported, or archive expired').waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.exports
test.serial(
  'a Maintainer exports a project and cancels that; settings are a step apart; others are told why not, and so is who meets a store that is down',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const project = await app.build.project({ owner, name: 'Rocket' });
    const { page, watched } = await arrive(owner, '/');
    await page.goto(`${app.url}/${project.full_path}/-/settings/repository`);
    await page.getByRole('link', { name: 'General', exact: true }).click();
    await page.getByRole('heading', { name: 'General settings' }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${project.full_path}/edit`);
    await page.getByRole('button', { name: 'Export project' }).click();
    await page.getByText('queued', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel export' }).click();
    await inspect(t, page, 'project-export-cancel');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel export' }).click();
    await said(page, 'Export cancelled.');
    await page.getByRole('button', { name: /^Export/ }).click();
    await said(page, 'Export started.');
    await app.work();
    await page.getByText('finished', { exact: true }).waitFor();
    await page.route('**/export/download', (route) =>
      route.fulfill({ status: 503, json: { message: '503 The object store does not answer' } }),
    );
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText("The archive storage isn't responding").waitFor();
    await page.getByText('Try again in a moment.').waitFor();
    await inspect(t, page, 'project-export-unavailable');
    const { complaints } = watched;
    untroubled(t, app, { ...watched, complaints: complaints.filter((text) => !text.includes('status of 503')) });

    const developer = await userWithPassword(app);
    await app.build.member(project, 'developer', developer);
    const other = await arrive(developer, `/${project.full_path}/edit`);
    await other.page.getByText('Only its Maintainers and Owners can access the archive of a project.').waitFor();
    await inspect(t, other.page, 'project-export-refused');
    await other.page.goto(`${app.url}/no/such/edit`);
    await other.page.getByText(/^Not found:/).waitFor();
    untroubled(t, app, other.watched, other.watched.complaints.filter((text) => /status of 40[134]/.test(text)).length);
  }),
);

// Contract: web.group-imports
test.serial(
  'a person looks at what the archive of a group would make, imports it, follows that, and reads what was left out and why',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Grace Hopper' });
    const path = `imported-${unique()}`;
    const archive = sampleArchive([
      { id: 350, relations: { labels: [{ id: 1, title: 'bug', color: '#112233', type: 'GroupLabel' }, { id: 2 }] } },
      { id: 351, attributes: { name: 'Engines', path: 'engines' } },
      { id: 352, attributes: { parent_id: 999 } },
    ]);
    const { page, watched, requests } = await arrive(user, '/groups/new?from=archive');
    await focusIs(t, page, 'Name');
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText('Archive is missing').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Imported');
    await page.getByLabel('Path', { exact: true }).fill(path);
    await page.getByLabel('Archive', { exact: true }).setInputFiles(file(Buffer.from('text'), 'notes.txt'));
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText('You need to upload a project export archive (ending in .gz).').waitFor();
    await focusIs(t, page, 'Archive');
    await page.getByLabel('Parent group').fill('no/such');
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText("This group doesn't exist, or you don't have access to it.").waitFor();
    await inspect(t, page, 'group-import-wrong');
    await page.getByLabel('Parent group').fill('');
    await page.getByLabel('Archive', { exact: true }).setInputFiles(file(archive));
    requests.length = 0;
    await page.getByRole('button', { name: 'Preview import' }).click();
    const groups = page.getByRole('table', { name: 'Groups' });
    await whileWorking(app, groups.getByText(`${path}/engines`).waitFor());
    await groups.getByText('skipped: the group above it is not there').waitFor();
    t.deepEqual(requests, ['/api/v4/groups/import']);
    t.is((await app.as(user).get(`/groups/${path}`)).status, 404, 'nothing is made by a look');
    await inspect(t, page, 'group-import-plan');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await said(page, 'Upload complete. The group is being imported.');
    await becomes(t, () => new URL(page.url()).pathname, `/groups/${path}/-/import`);
    await page.getByText('queued', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('queued', { exact: true }).waitFor();
    await inspect(t, page, 'group-import-waiting');
    await app.work();
    await page.getByText('finished', { exact: true }).waitFor();
    await page.getByText('2 of 3 created, 1 skipped').waitFor();
    const left = page.getByRole('table', { name: 'Skipped items' });
    await left.getByText('the group above it is not there').waitFor();
    await left.getByText('tree/groups/350/labels.ndjson').waitFor();
    await inspect(t, page, 'group-import');
    t.is((await app.as(user).get(`/groups/${path}%2Fengines`)).status, 200);
    untroubled(t, app, watched, 3);
  }),
);

// Contract: web.group-imports
test.serial(
  'an import of a group is cancelled; a path that is taken, an archive that is too large and too many tries are told',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const path = `imported-${unique()}`;
    const { page, watched } = await arrive(user, '/groups/new?from=archive');
    const send = async () => page.getByRole('button', { name: 'Import without preview' }).click();
    const fill = async (archive: Buffer) => {
      await page.getByLabel('Name', { exact: true }).fill('Imported');
      await page.getByLabel('Path', { exact: true }).fill(path);
      await page.getByLabel('Archive', { exact: true }).setInputFiles(file(archive));
    };
    await fill(sampleArchive([{ id: 1 }]));
    await send();
    await said(page, 'Upload complete. The group is being imported.');
    await page.getByRole('button', { name: 'Cancel import' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel import' }).click();
    await said(page, 'Import cancelled.');
    await page.getByText('failed: The import was cancelled.').waitFor();
    await page.getByRole('link', { name: 'Import another archive' }).click();
    await fill(sampleArchive([{ id: 1 }]));
    await send();
    await page.getByText('Path has already been taken', { exact: true }).waitFor();
    await focusIs(t, page, 'Path');
    await app.set({ max_import_size: 1 });
    await page.getByLabel('Archive', { exact: true }).setInputFiles(file(Buffer.alloc(3 * 1024 * 1024, 1)));
    await send();
    await page
      .getByText('The archive exceeds the size limit.')
      .or(page.getByText('The upload was interrupted.'))
      .waitFor();
    await app.set({ max_import_size: 0, group_import_limit: 1 });
    await fill(sampleArchive([{ id: 1 }]));
    await send();
    await page.getByText('Too many requests:').waitFor();
    await inspect(t, page, 'group-import-limited');
    await app.set({ group_import_limit: 0 });
    await page.goto(`${app.url}/groups/${(await app.build.group({ owner: user })).full_path}/-/import`);
    await page.getByText("This group wasn't imported from an archive.").waitFor();
    const { complaints } = watched;
    untroubled(t, app, watched, complaints.filter((text) => /status of 4(?:00|04|13|29)/.test(text)).length);
  }),
);

// Contract: web.project-imports
test.serial(
  'a person imports a project from an archive, follows that over a reload, and may not do so where they have no right',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const project = await app.build.project({ owner: user, name: 'Rocket' });
    const { page, watched } = await arrive(user, '/');
    await page.getByRole('link', { name: 'New project' }).click();
    await page.getByRole('link', { name: 'Import an archive' }).click();
    await page.getByRole('heading', { name: 'New project' }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, '/projects/new');
    await inspect(t, page, 'project-import-new');
    await page.getByLabel('Path', { exact: true }).fill(project.path);
    const archive = sampleProject({ relations: { labels: [{ id: 1, title: 'bug', color: '#112233' }] } });
    await page.getByLabel('Archive', { exact: true }).setInputFiles(file(archive));
    await page.getByRole('button', { name: 'Import project' }).click();
    await page.getByText('Path has already been taken', { exact: true }).waitFor();
    const path = `imported-${unique()}`;
    await page.getByLabel('Path', { exact: true }).fill(path);
    await page.getByRole('button', { name: 'Preview import' }).click();
    await whileWorking(app, page.getByRole('heading', { name: 'Import preview' }).waitFor());
    await page.getByText(`${user.username}/${path}`, { exact: true }).waitFor();
    await inspect(t, page, 'project-import-plan');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await said(page, 'Upload complete. The project is being imported.');
    await becomes(t, () => new URL(page.url()).pathname, `/${user.username}/${path}/-/import`);
    await page.getByText('queued', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('queued', { exact: true }).waitFor();
    await app.work();
    await page.getByText('finished', { exact: true }).waitFor();
    await inspect(t, page, 'project-import');
    const group = await app.build.group();
    await app.build.groupMember(group, 'developer', user);
    await page.goto(`${app.url}/projects/new?from=archive&namespace=${group.full_path}`);
    await page.getByLabel('Path', { exact: true }).fill('refused');
    await page.getByLabel('Archive', { exact: true }).setInputFiles(file(archive));
    await page.getByRole('button', { name: 'Import project' }).click();
    await page.getByText("You don't have permission to create a project there.").waitFor();
    untroubled(t, app, watched, 2);
  }),
);
