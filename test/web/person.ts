import AxeBuilder from '@axe-core/playwright';
import type { ExecutionContext } from 'ava';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { TestApp } from '../core/app.js';
import type { BuiltUser } from '../core/builders.js';
import type { Watched } from '../core/browser.js';
import { PASSWORD } from '../core/signed-in.js';

/** Below the folder of the build, which nothing keeps. */
const PICTURES = path.join('dist', 'pictures');

/** Fills the form and waits until it led on. */
export async function signIn(page: Page, app: TestApp, user: BuiltUser, from = '/users/sign_in'): Promise<void> {
  await page.goto(app.url + from);
  await page.getByLabel('Username or email').fill(user.username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Run in the page: pixels that its content is wider than the screen. */
const BEYOND = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** The text or label of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    "document.activeElement.getAttribute('aria-label') ?? (document.activeElement.textContent || document.activeElement.name)",
  );

const VIEWS = [
  ['wide', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
  ['narrowest', { width: 360, height: 640 }],
] as const;

/**
 * Looks at a page as it stands, in light and dark and on each width: axe objects to nothing, nothing is wider than the
 * screen, and a picture is kept.
 */
export async function inspect(t: ExecutionContext, page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [view, size] of VIEWS) {
      await page.setViewportSize(size);
      const wide = await page.evaluate<number>(BEYOND);
      t.is(wide, 0, `${name} is wider than ${view}`);
      if (view === 'narrowest') continue;
      const { violations } = await new AxeBuilder({ page }).analyze();
      t.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
        `${name}, ${colorScheme}, ${view}`,
      );
      await page.screenshot({ path: path.join(PICTURES, `${name}-${colorScheme}-${view}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(VIEWS[0][1]);
}

/** Nothing was asked of another origin, and nothing was complained of. */
export function untroubled(t: ExecutionContext, app: TestApp, { requests, complaints }: Watched): void {
  t.deepEqual(
    requests.filter((url) => !url.startsWith(`${app.url}/`)),
    [],
  );
  t.deepEqual(complaints, []);
}
