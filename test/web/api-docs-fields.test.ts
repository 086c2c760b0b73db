import test from 'ava';
import type { Page } from 'playwright-core';
import { allRoutes } from '../../api/domains.js';
import { openApiDocument } from '../../api/core/openapi/document.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { PASSWORD, userWithPassword } from '../core/signed-in.js';
import { becomes, fillSignIn, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const answered = (page: Page, status: number) => page.getByText(`Response ${status}`).waitFor();
const execute = (page: Page) => page.getByRole('button', { name: 'Execute' });
const getBody = async (page: Page) =>
  JSON.parse((await page.getByRole('region', { name: 'Response body' }).textContent()) ?? '') as Record<
    string,
    unknown
  >;
const getCurl = (page: Page) => page.getByRole('region', { name: 'Call as curl' }).textContent();
const more = (page: Page, label: string) => page.locator('summary').filter({ hasText: label }).press('Enter');

// Contract: web.reference
test.serial(
  'a picture is chosen and sent with the other fields, as a form',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user);
    await page.goto(`${app.url}/-/api-docs#/Projects/createProject`);
    await more(page, 'Optional fields of the body');
    await page.getByLabel('avatar', { exact: true }).setInputFiles({
      name: 'face.png',
      mimeType: 'image/png',
      buffer: PNG,
    });
    await page.getByLabel('visibility', { exact: true }).selectOption('internal');
    await page.getByLabel('topics', { exact: true }).fill('space, flight');
    const curl = (await getCurl(page)) ?? '';
    for (const part of [
      `--form 'avatar=@face.png'`,
      `--form-string 'name=Rocket'`,
      `--form-string 'topics[]=space'`,
      `--form-string 'topics[]=flight'`,
      `--form-string 'visibility=internal'`,
    ])
      t.true(curl.includes(part), `${part} in ${curl}`);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await execute(page).click();
    t.regex((await sent).headers()['content-type'] ?? '', /^multipart\/form-data; boundary=/);
    await answered(page, 201);
    const body = await getBody(page);
    t.like(body, { visibility: 'internal', topics: ['flight', 'space'] });
    t.regex(String(body.avatar_url), /\.png$/);
    await page.goto(`${app.url}/-/api-docs#/Users/changeOwnAvatar`);
    const avatar = page.getByLabel('avatar', { exact: true });
    await avatar.setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: PNG });
    await execute(page).click();
    await answered(page, 200);
    await inspect(t, page, 'api-docs-file');
    untroubled(t, app, watched);
  }),
);

// Contract: web.reference
test.serial(
  'words are chosen from a list or ticked, and yes and no are three: JSON has them as what they are',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const project = await app.build.project({ owner: user, name: 'Rocket' });
    await app.build.schedule({ project, owner: user, description: 'Nightly' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, user);
    await page.goto(`${app.url}/-/api-docs#/Projects/updateProject`);
    await page.getByLabel('id (required)').fill(String(project.id));
    await more(page, 'Optional fields of the body');
    const lfs = page.getByLabel('lfs_enabled', { exact: true });
    await becomes(t, () => lfs.getByRole('option').allTextContents(), ['not set', 'true', 'false']);
    await lfs.selectOption('false');
    await page.getByLabel('merge_method', { exact: true }).selectOption('ff');
    await page.getByLabel('build_timeout', { exact: true }).fill('1800');
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const json = page.getByLabel('Body (JSON)');
    t.like(JSON.parse(await json.inputValue()), { lfs_enabled: false, merge_method: 'ff', build_timeout: 1800 });
    await json.fill('{"lfs_enabled": false, "merge_method": "rebase_merge", "description": "Up"}');
    await page.getByRole('button', { name: 'Edit as form' }).click();
    await more(page, 'Optional fields of the body');
    await becomes(t, () => page.getByLabel('merge_method', { exact: true }).inputValue(), 'rebase_merge');
    await execute(page).click();
    await answered(page, 200);
    t.like(await getBody(page), { lfs_enabled: false, merge_method: 'rebase_merge', description: 'Up' });

    await page.goto(`${app.url}/-/api-docs#/Pipeline%20schedules/listAllPipelineSchedules`);
    await more(page, 'Optional parameters');
    const statuses = page.getByRole('group', { name: 'last_run_status[]' });
    await statuses.getByRole('checkbox', { name: 'failed' }).check();
    await statuses.getByRole('checkbox', { name: 'missed' }).press('Space');
    await page.getByLabel('active', { exact: true }).selectOption('true');
    const sent = page.waitForRequest((request) => request.url().includes('/pipeline_schedules?'));
    await execute(page).click();
    const { searchParams } = new URL((await sent).url());
    t.deepEqual(searchParams.getAll('last_run_status[]'), ['failed', 'missed']);
    t.is(searchParams.get('active'), 'true');
    await answered(page, 200);
    await inspect(t, page, 'api-docs-choices');
    untroubled(t, app, watched);
  }),
);

// Contract: web.reference
test.serial(
  'signing in from an operation leads back to it, and by the keyboard alone a project is made and listed there',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    await page.goto(`${app.url}/-/api-docs?search=project#/Projects/createProject`);
    await page.getByRole('link', { name: 'sign in', exact: true }).press('Enter');
    await focusIs(t, page, 'Username or email');
    await keyboard.type(user.username);
    await keyboard.press('Tab');
    await keyboard.type('not the password');
    await keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await focusIs(t, page, 'Password');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await page.getByText('Sending as Ada Lovelace').waitFor();
    await becomes(t, () => page.url(), `${app.url}/-/api-docs?search=project#/Projects/createProject`);
    await focusIs(t, page, 'Create a project');
    await keyboard.press('Tab');
    await focusIs(t, page, 'name');
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('By keyboard');
    await keyboard.press('Enter');
    await answered(page, 201);
    t.like(await getBody(page), { name: 'By keyboard' });
    await keyboard.press('/');
    await becomes(
      t,
      () => page.getByLabel('name', { exact: true }).inputValue(),
      'By keyboard/',
      'a field takes every key',
    );
    await page.getByRole('heading', { name: 'Create a project' }).focus();
    await keyboard.press('/');
    await focusIs(t, page, 'Search operations');
    await keyboard.type('listProjects');
    const link = page.getByRole('link', { name: 'GET List projects visible to the caller', exact: true });
    await link.waitFor();
    for (let tabs = 0; tabs < 5 && !(await link.and(page.locator(':focus')).isVisible()); tabs += 1)
      await keyboard.press('Tab');
    await keyboard.press('Enter');
    await focusIs(t, page, 'List projects visible to the caller');
    const button = execute(page).and(page.locator(':focus'));
    for (let tabs = 0; tabs < 5 && !(await button.isVisible()); tabs += 1) await keyboard.press('Tab');
    await keyboard.press('Enter');
    await answered(page, 200);
    t.is((await page.getByRole('region', { name: 'Response body' }).textContent())?.includes('By keyboard'), true);
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.session-ends
test.serial(
  'a page that wants somebody signed in is come back to with its address whole',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await openPage(app, browser);
    const { page } = watched;
    const address = `${app.url}/-/user_settings/personal_access_tokens?state=inactive#content`;
    await page.goto(address);
    await fillSignIn(page, user.username);
    await page.getByText('No inactive tokens.').waitFor();
    await becomes(t, () => page.url(), address);
    untroubled(t, app, watched);
  }),
);

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** The form control expected for a parameter with this schema. */
function expectedField(schema: Schema): string {
  if (schema.format === 'binary') return 'file';
  if (schema.enum) return `select of ${schema.enum.length}`;
  if (schema.items?.enum) return `boxes of ${schema.items.enum.length}`;
  return [schema.type ?? ''].flat().join() === 'boolean' ? 'select of 2' : 'text';
}

/** Run in the page: opens all optional fields and waits until they are rendered. */
const UNFOLD = `(() => {
  for (const details of document.querySelectorAll('article form details')) details.open = true;
  return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
})()`;

/** Run in the page: the kind of each field of the form, by its name. */
const FIELDS = `[...document.querySelectorAll('article form :is(select, fieldset, input:not([type=checkbox]))')]
  .map((field) => [field.name, {
    SELECT: () => 'select of ' + (field.options.length - 1),
    FIELDSET: () => 'boxes of ' + field.querySelectorAll('input').length,
    INPUT: () => field.type,
  }[field.tagName]()]).sort().join('; ')`;

// Contract: web.reference
test.serial(
  'every parameter of every operation has a field of its kind',
  inBrowser(async (t) => {
    const document = openApiDocument(allRoutes) as unknown as {
      paths: Record<string, Record<string, Record<string, never>>>;
      components: Record<string, Record<string, never>>;
    };
    const found = <T>(node: T): T => {
      const [kind = '', name = ''] = (node as Schema).$ref?.split('/').slice(-2) ?? [];
      return kind === '' ? node : (document.components[kind]?.[name] as T);
    };
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/-/api-docs`);
    await page.getByText(`${allRoutes.length} operations`).waitFor();
    const wrong: string[] = [];
    for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      const {
        operationId,
        tags,
        parameters = [],
        requestBody,
      } = operation as unknown as {
        operationId: string;
        tags: string[];
        parameters?: { name: string; schema: Schema }[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      const body = requestBody?.content['application/json']?.schema;
      const expected = [
        ...parameters.map(found).map(({ name, schema }) => [name, expectedField(schema)]),
        ...Object.entries((body && found(body).properties) ?? {}).map(([name, schema]) => [
          name,
          expectedField(schema),
        ]),
      ];
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${encodeURIComponent(tags[0] ?? '')}/${operationId}`)}`);
      await page
        .locator('article code')
        .filter({ hasText: new RegExp(`^${operationId}$`) })
        .waitFor();
      await page.evaluate(UNFOLD);
      const label = expected
        .map((pair) => pair.join())
        .sort()
        .join('; ');
      const fields = await page.evaluate<string>(FIELDS);
      if (fields !== label) wrong.push(`${operationId}: ${fields} instead of ${label}`);
    }
    t.deepEqual(wrong, []);
    untroubled(t, app, watched);
  }),
);
