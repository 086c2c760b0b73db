import type { TestFn } from 'ava';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { chromiumOptions } from './chromium.js';

/** The packaged Chromium exists for Linux; elsewhere tests in a browser are skipped. */
export const hasBrowser = process.platform === 'linux';

/** The observations of a page that a test may check. */
export interface Watched {
  page: Page;
  /** URLs of all requests. */
  requests: string[];
  /** Script errors, and violations of the content security policy. */
  complaints: string[];
}

/** A Chromium for the tests of a file. */
export function useBrowser(test: TestFn): { open(): Promise<Watched> } {
  let browser: Browser | undefined;
  test.after.always('close the browser', () => browser?.close());
  return {
    async open() {
      browser ??= await chromium.launch({ ...(await chromiumOptions()), headless: true });
      // A separate context: no user is signed in, and nothing is cached from the previous page. Without a locale the
      // packaged browser has `en-US@posix`, which pages do not accept as a language.
      const context = await browser.newContext({ locale: 'en-US' });
      const page = await context.newPage();
      const watched: Watched = { page, requests: [], complaints: [] };
      page.on('request', (request) => watched.requests.push(request.url()));
      page.on('pageerror', (error) => watched.complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') watched.complaints.push(message.text());
      });
      return watched;
    },
  };
}
