import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import type { ExecutionContext, Implementation } from 'ava';
import type { Page, Request } from 'playwright-core';
import type { TestApp } from '../core/app.js';
import { hasBrowser } from '../core/browser.js';
import type { Watched } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { eventually } from '../core/processes.js';
import { PASSWORD } from '../core/signed-in.js';

/** Below the folder of the build, which nothing keeps. */
const PICTURES = path.join('dist', 'pictures');

/** A browser on a machine that does much else at the same time. */
const TIMEOUT_MS = 240_000;

/** The pages of the test that runs; tests in a browser are serial. */
const opened: Page[] = [];

/** Logs the URL and content of each page: a failed wait alone does not show what was displayed instead. */
async function logPages(t: ExecutionContext): Promise<void> {
  for (const page of opened.filter((each) => !each.isClosed())) {
    const text = await page.locator('body').innerText({ timeout: 1000 }).catch(String);
    t.log(`${page.url()} shows: ${text.replaceAll(/\s+/g, ' ').slice(0, 1500)}`);
  }
}

/** A test in a browser: skipped where there is none. Such tests are serial, as two browsers only make each other slow. */
export const inBrowser =
  (work: (t: ExecutionContext) => Promise<void>): Implementation<[]> =>
  async (t) => {
    if (!hasBrowser) return t.pass('there is no packaged browser for this system');
    t.timeout(TIMEOUT_MS);
    opened.length = 0;
    try {
      await work(t);
    } catch (error) {
      await logPages(t);
      throw error;
    }
  };

/** A page whose browser clock matches the service's. */
export async function openPage(app: TestApp, browser: { open(): Promise<Watched> }): Promise<Watched> {
  const watched = await browser.open();
  opened.push(watched.page);
  await watched.page.clock.setFixedTime(app.clock.now());
  return watched;
}

/** Fills in the form that is displayed. */
export async function fillSignIn(page: Page, login: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Username or email').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in on the page that `path` leads to, and waits until that led on. */
export async function signIn(page: Page, app: TestApp, user: BuiltUser, from = '/users/sign_in'): Promise<void> {
  await page.goto(app.url + from);
  await fillSignIn(page, user.username);
  await accountButton(page).waitFor();
  // The user is signed in shortly before the next page is rendered and receives the focus.
  await page.getByLabel('Username or email').waitFor({ state: 'detached' });
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
}

/** Waits until a page has no more pending requests: its stream of changes stays open. */
export async function settled(page: Page, quietMs = 750): Promise<void> {
  let last = performance.now();
  const open = new Set<unknown>();
  const begins = (request: Request) => {
    if (request.resourceType() === 'eventsource') return;
    open.add(request);
    last = performance.now();
  };
  const ends = (request: Request) => {
    if (open.delete(request)) last = performance.now();
  };
  page.on('request', begins).on('requestfinished', ends).on('requestfailed', ends);
  await eventually(() => Promise.resolve(open.size === 0 && performance.now() - last > quietMs));
  page.off('request', begins).off('requestfinished', ends).off('requestfailed', ends);
}

/** The button that opens the menu of the signed-in user. */
export const accountButton = (page: Page) => page.getByRole('button', { name: /^Account of / });

/** Signs out by the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  await accountButton(page).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

/** Run in the page: pixels that its content is wider than the screen. */
const BEYOND = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Run in the page: the accessible name of the focused element. */
const FOCUSED = `(() => {
  const { activeElement: element } = document;
  const labelled = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label');
  return (labelled ?? element.textContent).trim();
})()`;

/**
 * Waits until a page shows the expected value, because it renders and receives changes with a delay.
 * @param ask reads it from the page, repeatedly
 * @param expected a value, or a regular expression that the text must match
 */
export async function becomes<T>(
  t: ExecutionContext,
  ask: () => T | Promise<T>,
  expected: T | RegExp,
  message?: string,
): Promise<void> {
  const fits = (value: T) =>
    expected instanceof RegExp ? expected.test(String(value)) : isDeepStrictEqual(value, expected);
  let value = await ask();
  await eventually(async () => fits((value = await ask()))).catch(() => undefined);
  if (expected instanceof RegExp) t.regex(String(value), expected, message);
  else t.deepEqual(value, expected, message);
}

/**
 * Expects the label or text of the focused element. Pages move the focus shortly after rendering, so this waits for it.
 */
export async function focusIs(
  t: ExecutionContext,
  page: Page,
  expected: string | RegExp,
  message?: string,
): Promise<void> {
  const focused = () => page.evaluate<string>(FOCUSED);
  const fits = (text: string) => (typeof expected === 'string' ? text === expected : expected.test(text));
  const focusedName = await eventually(async () => fits(await focused())).then(() => null, focused);
  if (focusedName === null) t.pass(message);
  else if (typeof expected === 'string') t.is(focusedName, expected, message);
  else t.regex(focusedName, expected, message);
}

/**
 * Run in the page: finds words of up to twenty letters that are broken across lines where text may wrap. Words end at
 * spaces, and after the separators within paths and names.
 */
const BROKEN = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const parent = node.parentElement;
    if (!parent.checkVisibility() || parent.closest('textarea, select, .hidden')) continue;
    for (const match of node.data.matchAll(/[^\\s/._:-]+/g)) {
      if (match[0].length > 20) continue;
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) found.push(match[0]);
    }
  }
  return found;
})()`;

const VIEWS = [
  ['wide', { width: 1280, height: 800 }],
  ['tablet', { width: 768, height: 1024 }],
  ['phone', { width: 390, height: 844 }],
  ['narrowest', { width: 360, height: 640 }],
] as const;

/**
 * Inspects the current page, in light and dark mode and at each width: no axe violations, no content wider than the
 * screen, no broken words; saves a screenshot.
 */
export async function inspect(t: ExecutionContext, page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [view, size] of VIEWS) {
      await page.setViewportSize(size);
      t.is(await page.evaluate<number>(BEYOND), 0, `${name} is wider than ${view}`);
      t.deepEqual(await page.evaluate<string[]>(BROKEN), [], `${name}, ${view}: words break inside`);
      await page.screenshot({ path: path.join(PICTURES, `${name}-${colorScheme}-${view}.png`), fullPage: true });
      if (view === 'narrowest' || view === 'tablet') continue;
      // What axe judges by the width it has judged by the light theme then.
      if (colorScheme === 'dark' && view === 'phone') continue;
      const { violations } = await new AxeBuilder({ page }).analyze();
      t.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
        `${name}, ${colorScheme}, ${view}`,
      );
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(VIEWS[0][1]);
}

/**
 * Expects no requests to other origins, and no console errors.
 * @param rejections number of requests that the test had rejected: browsers log each such response to the console
 */
export function untroubled(t: ExecutionContext, app: TestApp, { requests, complaints }: Watched, rejections = 0): void {
  // A redirect from a project's old path names the external address.
  const own = [app.url, app.services.config.externalUrl];
  t.deepEqual(
    requests.filter((url) => !own.some((address) => url.startsWith(`${address}/`))),
    [],
  );
  const answers = complaints.filter((text) => /^Failed to load resource: .* status of 4\d\d/.test(text));
  t.is(answers.length, rejections, answers.join('; '));
  t.deepEqual(
    complaints.filter((text) => !answers.includes(text)),
    [],
  );
}
