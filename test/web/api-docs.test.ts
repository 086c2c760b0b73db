import test from 'ava';
import type { Page } from 'playwright-core';
import { allRoutes } from '../../api/domains.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const list = (page: Page) => page.getByRole('navigation', { name: 'Operations' });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search operations' });
const answered = (page: Page, status: number) => page.getByText(`Response ${status}`).waitFor();
const getBody = async (page: Page): Promise<unknown> =>
  JSON.parse((await page.getByRole('region', { name: 'Response body' }).textContent()) ?? '');

// Contract: openapi-6
test.serial(
  'who is signed in creates and lists projects on the API reference without filling in anything',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user);
    await page.goto(`${app.url}/-/api-docs#/Projects/createProject`);
    await page.getByRole('heading', { name: 'Create a project', level: 2 }).waitFor();
    await becomes(t, () => new URL(page.url()).hash, '#/Projects/createProject');
    await page.getByText('Sending as Ada Lovelace').waitFor();
    await page.getByRole('button', { name: 'Execute' }).click();
    await answered(page, 201);
    t.like(await getBody(page), { name: 'Rocket', path_with_namespace: `${user.username}/rocket`, avatar_url: null });
    const curl = (await page.getByRole('region', { name: 'Call as curl' }).textContent()) ?? '';
    t.regex(curl, /^curl [^]*--request POST/);
    t.true(curl.includes('"name": "Rocket"') && curl.includes(`${app.url}/api/v4/projects`));
    await search(page).fill('listProjects');
    await list(page).getByRole('link', { name: 'GET List projects visible to the caller', exact: true }).click();
    const sent = page.waitForRequest((request) => request.url().includes('/api/v4/projects'));
    await page.getByRole('button', { name: 'Execute' }).click();
    t.is((await sent).url(), `${app.url}/api/v4/projects`, 'no filter that nobody asked for');
    await answered(page, 200);
    t.is(((await getBody(page)) as unknown[]).length, 1);
    await inspect(t, page, 'api-docs-listed');
    untroubled(t, app, watched);
  }),
);

// Contract: openapi-6
test.serial(
  'every operation is found by its id, its path and its summary',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/-/api-docs`);
    await page.getByText(`${allRoutes.length} operations`).waitFor();
    await inspect(t, page, 'api-docs');
    const links = list(page).getByRole('link');
    const missing: string[] = [];
    for (const { operation, method, path } of allRoutes) {
      const template = path.replace(/:(\w+)/g, '{$1}');
      for (const typed of [operation.name, `${method} ${template}`, operation.summary]) {
        await search(page).fill(typed);
        const texts = await links.allTextContents();
        if (!texts.includes(`${method} ${operation.summary}`)) missing.push(typed);
      }
    }
    t.deepEqual(missing, []);
    await search(page).fill('pipeline_schedules play');
    await becomes(t, () => links.allTextContents(), ['POST Run a pipeline schedule now']);
    await becomes(t, () => new URL(page.url()).searchParams.get('search'), 'pipeline_schedules play');
    await search(page).fill('no such operation');
    await page.getByText(`0 operations of ${allRoutes.length}`).waitFor();
    untroubled(t, app, watched);
  }),
);

test.serial(
  'the keyboard alone finds an operation, reads it and executes it; a refusal is an answer too',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    await app.build.project({ owner: user, name: 'Rocket' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    await signIn(page, app, user);
    await page.goto(`${app.url}/-/api-docs`);
    await page.getByText(`${allRoutes.length} operations`).waitFor();
    await search(page).focus();
    await keyboard.type('getProject ');
    await list(page).getByRole('link', { name: 'GET Read a project', exact: true }).focus();
    await keyboard.press('Enter');
    await focusIs(t, page, 'Read a project', 'the focus goes to what was chosen');
    await keyboard.press('Tab');
    await focusIs(t, page, 'id (required)');
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('nobody/nothing');
    await keyboard.press('Enter');
    await answered(page, 404);
    t.deepEqual(await getBody(page), { message: '404 Project Not Found' });
    await page.getByLabel('id (required)').focus();
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type(`${user.username}/rocket`);
    await keyboard.press('Enter');
    await answered(page, 200);
    t.like(await getBody(page), { name: 'Rocket' });
    await page.getByText('Optional parameters').press('Enter');
    await page.getByLabel('statistics', { exact: true }).selectOption('true');
    await page.getByRole('button', { name: 'Execute' }).press('Enter');
    await page.getByText('repository_size').waitFor();
    await inspect(t, page, 'api-docs-get');
    untroubled(t, app, watched, 1);
  }),
);

// Contract: openapi-6
test.serial(
  'deleting asks first, and who is not signed in reads and is told so',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/-/api-docs#/Projects/deleteProject`);
    await page.getByRole('heading', { name: 'Delete a project', level: 2 }).waitFor();
    await page.getByText('Sending without authentication').waitFor();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('DELETE /api/v4/projects/root%2Frocket').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await answered(page, 401);
    await page.goto(`${app.url}/-/api-docs#/Projects/noSuchOperation`);
    await page.getByText('Operation noSuchOperation not found').waitFor();
    await page.goto(`${app.url}/-/api-docs#/Pipeline%20schedules`);
    await list(page).getByRole('link', { name: 'POST Create a pipeline schedule', exact: true }).waitFor();
    untroubled(t, app, watched, 1);
  }),
);
