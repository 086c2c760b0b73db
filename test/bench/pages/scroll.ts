import { report } from '../goal.js';
import type { Bench, Goal } from '../goal.js';
import { CALLERS } from '../seed/callers.js';
import { userId } from '../seed/sizes.js';
import { quantile } from '../statistics.js';
import { onApi } from '../timed.js';
import { drawn, PageBrowser } from './browser.js';

const ROWS = 10_000;
const FRAME_MS = 50;
const SCROLLED_MS = 8_000;
const SETTLED_MS = 1_000;
/** As fast as a wheel turns, and as fast as a scroll bar is drawn. */
const STEPS = [120, 5_000];
const TABLE = 'main table[aria-label="Schedules"]';

/** Run in the page: scrolls by a step in each frame, to and fro, and resolves with how long each frame took, in ms. */
const FRAMES = (step: number, milliseconds: number) => `new Promise((resolve) => {
  const times = [];
  const began = performance.now();
  let [last, by] = [began, ${step}];
  const frame = (at) => {
    times.push(at - last);
    last = at;
    if (at - began > ${milliseconds}) return resolve(times.slice(2));
    const before = window.scrollY;
    window.scrollBy(0, by);
    if (window.scrollY === before) by = -by;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

/** Run in the page: goes to the end of the list until it has so many rows. */
const LOAD = (count: number) => `new Promise((resolve) => {
  const rows = () => Number(document.querySelector('${TABLE}').getAttribute('aria-rowcount')) - 1;
  const frame = () => {
    if (rows() >= ${count}) return resolve(rows());
    window.scrollTo(0, document.body.scrollHeight);
    requestAnimationFrame(frame);
  };
  frame();
})`;

/** A list of 10,000 schedules, all of them loaded, scrolled to and fro. */
export const scroll: Bench = {
  name: 'page-scroll',
  group: 'pages',
  async run(site): Promise<Goal[]> {
    const large = await site.large();
    const { token, number } = CALLERS.admin;
    return onApi(large, token, async (api) => {
      const browser = await PageBrowser.open(large, api);
      try {
        const page = await (await browser.personal(userId(number))).newPage();
        await drawn(page, `${browser.origin}/schedules`, `${TABLE} tbody tr`);
        const began = performance.now();
        const rows = await page.evaluate<number>(LOAD(ROWS));
        report(`${rows} rows loaded in ${((performance.now() - began) / 1000).toFixed(1)} s`);
        const goals: Goal[] = [];
        for (const step of STEPS) {
          await page.evaluate('window.scrollTo(0, 100000)');
          // The start position is rendered and stable.
          await page.waitForTimeout(SETTLED_MS);
          const times = await page.evaluate<number[]>(FRAMES(step, SCROLLED_MS));
          const longest = Math.max(...times);
          report(
            `by ${step} px: ${times.length} frames, p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, ${times.filter((time) => time > FRAME_MS).length} over ${FRAME_MS} ms`,
          );
          goals.push({
            name: `page-scroll by ${step} px`,
            target: `no frame over ${FRAME_MS} ms`,
            measured: `${longest.toFixed(1)} ms`,
            holds: longest <= FRAME_MS,
          });
        }
        return goals;
      } finally {
        await browser.close();
      }
    });
  },
};
