import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { SESSION_COOKIE } from '../../../api/core/credentials/session-cookie.js';
import { chromiumOptions } from '../../core/chromium.js';
import type { Child } from '../child.js';
import { addSessions } from '../sessions.js';
import type { Site } from '../site.js';

/** Of pages that a person keeps open; a phone draws less. */
const VIEWPORT = { width: 1280, height: 800 };
const TIMEOUT_MS = 30_000;

/** Runs in the page before its own script: reports when its heading, and when its main content, is rendered. */
const WATCH = (usable: string) => `(() => {
  const isDrawn = (selector) => (document.querySelector(selector)?.getClientRects().length ?? 0) > 0;
  const times = {};
  window.drawn = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(location.pathname + ' shows: ' + document.body.innerText)), ${TIMEOUT_MS});
    const note = (name) => {
      if (name in times) return;
      times[name] = null;
      // After the frame that shows it.
      requestAnimationFrame(() => setTimeout(() => {
        times[name] = performance.now();
        if (!times.readable || !times.usable) return;
        // Querying positions costs a layout.
        watcher.disconnect();
        resolve(times);
      }));
    };
    const watcher = new MutationObserver(() => {
      if (isDrawn('main h1')) note('readable');
      if (isDrawn(${JSON.stringify(usable)}) && !isDrawn('main output[aria-label^="Loading"]')) note('usable');
    });
    watcher.observe(document, { childList: true, subtree: true });
  });
})()`;

/** Milliseconds since the page was requested. */
export interface Drawn {
  readable: number;
  usable: number;
}

/** The packaged Chromium, in which people of a site are signed in, before one API process of it. */
export class PageBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly site: Site,
    /** As the service names itself, which only this browser finds. */
    readonly origin: string,
  ) {}

  static async open(site: Site, api: Child): Promise<PageBrowser> {
    const options = await chromiumOptions();
    const { host } = new URL(api.url);
    const origin = new URL(site.config.externalUrl);
    const args = [...options.args, `--host-resolver-rules=MAP ${origin.hostname}:80 ${host}`];
    return new PageBrowser(await chromium.launch({ ...options, args, headless: true }), site, origin.origin);
  }

  /** A user's browser with an empty cache. */
  async personal(userId: number): Promise<BrowserContext> {
    const [secret] = await addSessions(this.site, [userId]);
    const context = await this.browser.newContext({ locale: 'en-US', viewport: VIEWPORT });
    await context.addCookies([{ name: SESSION_COOKIE, value: secret as string, url: this.origin }]);
    context.setDefaultTimeout(TIMEOUT_MS);
    return context;
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

/** Opens a page. @param usable selects the page's main content */
export async function drawn(page: Page, url: string, usable: string): Promise<Drawn> {
  await page.addInitScript(WATCH(usable));
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate<Drawn>('window.drawn');
}

/** Reloads the open page, with the browser's cache. */
export async function drawnAgain(page: Page): Promise<Drawn> {
  await page.reload({ waitUntil: 'commit' });
  return page.evaluate<Drawn>('window.drawn');
}
