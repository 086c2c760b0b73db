import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { eventually } from '../core/processes.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, fillSignIn, inBrowser, inspect, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const PATH = '/-/graphql-explorer';
const MAX_FIRST_VIEW = 1_500_000;

const operation = (page: Page) => page.getByRole('region', { name: 'Operation Editor' });
const editor = (page: Page) => operation(page).getByRole('textbox');
const response = (page: Page) => page.getByRole('region', { name: 'Result Window' });
const run = (page: Page) => page.getByRole('button', { name: /^Execute query/ });
const answered = (page: Page, status: string) => page.getByText(`Status ${status}`).waitFor();

/** The editors draw spaces that are no others, break lines, and hold only the lines that are seen. */
const plain = (text: string | null) => (text ?? '').replace(/\s+/g, ' ');
const shows = (page: Page, text: string) =>
  eventually(async () => plain(await response(page).textContent()).includes(text));

// The editor measures durations with the browser's clock, so the real one is used.
/** The explorer, with its schema read and its editor ready. */
async function openExplorer(page: Page, search: Record<string, string> = {}): Promise<void> {
  await page.goto(`${app.url}${PATH}?${new URLSearchParams(search)}`);
  await ready(page);
}

async function ready(page: Page): Promise<void> {
  await editor(page).waitFor({ state: 'attached' });
  await run(page).waitFor();
}

/** Replaces the content of the operation editor by typing. */
async function write(page: Page, text: string): Promise<void> {
  await operation(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

/** Inspects the page without tooltips under the mouse, which would keep their position on a narrower page. */
async function inspectExplorer(t: ExecutionContext, page: Page, name: string): Promise<void> {
  await page.getByText(/signed in/i).hover();
  await page.getByRole('tooltip').waitFor({ state: 'hidden' });
  await inspect(t, page, name);
}

// Contract: explorer-policy
test.serial(
  'the explorer is a document of its own that everybody gets, under a policy without eval and other origins',
  async (t) => {
    const { status, text, headers } = await app.withHeaders({ Accept: 'text/html' }).raw('GET', PATH);
    t.is(status, 200);
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('x-frame-options'), 'DENY');
    const policy = headers.get('content-security-policy') ?? '';
    t.true(
      policy.startsWith(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
      ),
    );
    t.regex(policy, /frame-ancestors 'none'; font-src 'self'; worker-src 'self'$/);
    t.notRegex(policy, /unsafe-eval|blob:|https?:|\*/);
    t.notRegex(text, /<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=|https?:\/\//);
    t.is((await app.withHeaders({ Accept: 'text/html' }).raw('POST', PATH)).status, 404);
  },
);

// Contract: explorer-size
test.serial(
  'its first view is within 1.5 MB compressed, can be typed into, and other pages load nothing of it',
  inBrowser(async (t) => {
    const watched = await browser.open();
    const { page } = watched;
    const began = performance.now();
    await openExplorer(page);
    await shows(page, '').catch(() => null);
    t.log(`editable after ${Math.round(performance.now() - began)} ms`);
    const files = new Set(
      watched.requests.map((url) => new URL(url).pathname).filter((path) => path.startsWith('/-/web/')),
    );
    const schema = gzipSync((await app.anonymous.raw('GET', '/-/api-docs/graphql.json')).text, { level: 9 }).length;
    const sizes = [...files].map(
      (path) => brotliCompressSync(readFileSync(`dist/api/web/${path.slice('/-/web/'.length)}`)).length,
    );
    const total = schema + sizes.reduce((sum, size) => sum + size, 0);
    t.log(`${total} bytes in ${files.size} files, of which the schema ${schema}`);
    t.true(total < MAX_FIRST_VIEW, `${total} bytes`);
    // A separate page: requests still sent by the explorer belong to no other page.
    const other = await browser.open();
    await other.page.goto(`${app.url}/`);
    await other.page.getByRole('heading', { level: 1 }).waitFor();
    const own = other.requests.join('\n');
    const editors = readdirSync('dist/api/web/assets').filter((name) => /^(Explorer|editor|monaco)/i.test(name));
    t.true(editors.length > 0);
    t.deepEqual(
      editors.filter((name) => own.includes(name)),
      [],
    );
    untroubled(t, app, watched);
  }),
);

// Contract: explorer-query, explorer-caller
test.serial(
  'nobody in particular types a query with completion and runs it by mouse and by keyboard',
  inBrowser(async (t) => {
    const watched = await browser.open();
    const { page } = watched;
    await openExplorer(page);
    await page.getByText('Not signed in').waitFor();
    await run(page).click();
    await answered(page, '200 OK');
    await shows(page, '"currentUser": null');
    await write(page, '{ ');
    await page.keyboard.type('queryCompl');
    await page.getByRole('option', { name: /queryComplexity/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(' { sc');
    await page.getByRole('option', { name: /score/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Enter');
    await shows(page, '"score"');
    await inspectExplorer(t, page, 'graphql-explorer');
    untroubled(t, app, watched);
  }),
);

// Contract: explorer-mutation, explorer-caller, explorer-errors
test.serial(
  'who is signed in runs a mutation, reads what was wrong with another, and is told of a session that ended',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const watched = await browser.open();
    const { page } = watched;
    await page.goto(`${app.url}${PATH}`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, user.username);
    await page.getByText(`Signed in as Ada Lovelace (@${user.username})`).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, PATH, 'signing in leads back');
    await ready(page);
    await write(page, 'mutation { echoCreate(input: { messages: ["hello"] }) { echoes errors } }');
    await run(page).click();
    await shows(page, '"hello"');
    await write(page, '{ noSuchField }');
    await run(page).click();
    await shows(page, "'noSuchField' doesn't exist");
    await inspectExplorer(t, page, 'graphql-explorer-error');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Not signed in').waitFor();
    await write(page, 'mutation { echoCreate(input: { messages: ["hello"] }) { echoes errors } }');
    await run(page).click();
    await shows(page, 'The resource that you are attempting to access does not exist');
    untroubled(t, app, watched);
  }),
);

// Contract: explorer-errors
test.serial(
  'refusals are JSON, whatever their status: a bad token, an answer that is a text, a server that fails, no answer',
  inBrowser(async (t) => {
    const watched = await browser.open();
    const { page } = watched;
    await openExplorer(page);
    await page.getByRole('button', { name: 'Headers', exact: true }).click();
    await page.getByRole('region', { name: 'Headers' }).locator('.view-lines').last().click();
    await page.keyboard.insertText('{"PRIVATE-TOKEN": "no-such-token"}');
    await run(page).click();
    await answered(page, '401 Unauthorized');
    await shows(page, '"message": "Invalid token"');
    t.is(
      await page.evaluate("Object.values(localStorage).join().includes('no-such-token')"),
      false,
      'headers are not kept',
    );
    await page.reload();
    await ready(page);
    await run(page).click();
    await answered(page, '401 Unauthorized');
    await page.evaluate('sessionStorage.clear()');
    const cases: [status: number, body: string, type: string, text: string][] = [
      [
        403,
        '{"errors":[{"message":"API not accessible for user"}]}',
        'application/json',
        'API not accessible for user',
      ],
      [404, '{"errors":[{"message":"Not found!"}]}', 'application/json', 'Not found!'],
      [422, '{"errors":[{"message":"Query too large"}]}', 'application/json', 'Query too large'],
      [429, 'Retry later\n', 'text/plain', '"message": "Retry later"'],
      [500, '{"errors":[{"message":"Internal server error"}]}', 'application/json', 'Internal server error'],
      [502, '', 'text/html', '502'],
    ];
    // A single route for all of them: removing a route after its first response briefly disables interception.
    let answer: { status: number; body: string; contentType: string } | null = null;
    await page.route('**/api/graphql', (route) => (answer ? route.fulfill(answer) : route.abort()));
    for (const [status, body, contentType, text] of cases) {
      answer = { status, body, contentType };
      await run(page).click();
      await answered(page, String(status));
      await shows(page, text);
    }
    answer = null;
    await run(page).click();
    await page.getByText('No response').waitFor();
    await shows(page, "Can't reach the server");
    t.deepEqual(
      watched.requests.filter((url) => !url.startsWith(`${app.url}/`)),
      [],
    );
  }),
);

// Contract: explorer-schema
test.serial(
  'the schema is searched and read beside the query, by mouse and by keyboard',
  inBrowser(async (t) => {
    const watched = await browser.open();
    const { page } = watched;
    await openExplorer(page);
    await page.getByRole('button', { name: /Documentation Explorer/ }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByRole('link', { name: 'project', exact: true }).click();
    await page.getByText('fullPath').first().waitFor();
    await inspectExplorer(t, page, 'graphql-explorer-schema');
    // The search field is above the types.
    await page.getByRole('link', { name: 'Go back to Query' }).press('Enter');
    await page.getByRole('combobox').focus();
    await page.keyboard.type('BranchRule');
    await page
      .getByRole('option', { name: /^BranchRule$/ })
      .first()
      .click();
    await page.getByText('isProtected').first().waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: explorer-address
test.serial(
  'the address begins with a query, its variables and the operation to run, and a button writes it',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const project = await app.build.project({ owner: user, name: 'Rocket' });
    const watched = await browser.open();
    const { page } = watched;
    await signIn(page, app, user);
    const query = 'query One { echo(text: "one") }\nquery Two($path: ID!) { project(fullPath: $path) { name } }';
    const variables = JSON.stringify({ path: project.full_path });
    await openExplorer(page, { query, variables, operationName: 'Two' });
    await eventually(async () => plain(await operation(page).textContent()).includes('query Two'));
    await editor(page).focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    await shows(page, '"name": "Rocket"');
    await page.getByRole('button', { name: 'Add the query to the URL' }).click();
    await page.getByText('The page URL now includes this query.').waitFor();
    const params = new URL(page.url()).searchParams;
    t.is(params.get('query'), query);
    t.is(params.get('operationName'), 'Two');
    t.deepEqual(JSON.parse(params.get('variables') ?? ''), JSON.parse(variables));
    untroubled(t, app, watched);
  }),
);
