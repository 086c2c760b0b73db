import sparticuz from '@sparticuz/chromium';
import type { TestFn } from 'ava';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

/** The packaged Chromium exists for Linux; elsewhere tests in a browser are skipped. */
export const hasBrowser = process.platform === 'linux';

/** What a page did that a test may object to. */
export interface Watched {
  page: Page;
  /** URLs of all requests. */
  requests: string[];
  /** Errors of scripts, and what the content security policy refused. */
  complaints: string[];
}

/** A Chromium for the tests of a file. */
export function useBrowser(test: TestFn): { open(): Promise<Watched> } {
  let browser: Browser | undefined;
  test.after.always('close the browser', () => browser?.close());
  return {
    async open() {
      browser ??= await chromium.launch({
        executablePath: await sparticuz.executablePath(),
        args: sparticuz.args,
        headless: true,
      });
      const page = await browser.newPage();
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
