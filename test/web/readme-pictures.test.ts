import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { inBrowser, openPage, signIn } from './person.js';
import { FAILED, FIRED, LATE, MISSED, SKIPPED, thirtyRuns } from './schedule-runs.js';
import type { Fate } from './schedule-runs.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** In the build folder; the README's images are copied from here to `.github/pictures`. */
const PICTURES = path.join('dist', 'pictures', 'readme');
const MOST_BYTES = 150 * 1024;

const SCHEDULES: readonly (readonly [description: string, cron: string, zone: string, fates: readonly Fate[]])[] = [
  ['Hourly smoke tests', '0 * * * *', 'UTC', [FIRED, MISSED, LATE, FAILED, SKIPPED]],
  ['Nightly build', '30 2 * * *', 'Europe/Berlin', [FIRED]],
  ['Weekly report', '0 8 * * 1', 'America/New_York', [FIRED, LATE]],
  ['Renew certificates', '15 3 1 * *', 'UTC', [FIRED]],
  ['Mirror the dependencies', '*/20 6-18 * * 1-5', 'Asia/Tokyo', [LATE, FIRED, FIRED, MISSED]],
  ['Refresh the search index', '0 */4 * * *', 'UTC', [FIRED, FIRED, FAILED]],
];

/** Takes a screenshot as shown in the README. */
async function picture(page: Page, name: string): Promise<string> {
  mkdirSync(PICTURES, { recursive: true });
  const file = path.join(PICTURES, `${name}.png`);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: file });
  return file;
}

// Contract: web.readme
test.serial(
  'the picture of the README is of a real page, and small',
  inBrowser(async (t) => {
    app.clock.set('2030-03-12T09:30:00.000Z');
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    for (const [description, cron, zone, fates] of SCHEDULES) {
      const schedule = await app.build.schedule({ project, owner, description, cron, cron_timezone: zone });
      await thirtyRuns(app, schedule, fates);
    }
    const { page } = await openPage(app, browser);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1120, height: 780 });
    const url = `/${project.full_path}/-/pipeline_schedules`;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(url)}`);
    await page.getByRole('table', { name: 'Schedules' }).getByText('Hourly smoke tests').waitFor();
    const file = await picture(page, 'schedules');
    const readme = readFileSync('README.md', 'utf8');
    const committed = path.join('.github', 'pictures', path.basename(file));
    t.true(statSync(file).size <= MOST_BYTES, `${file} is ${statSync(file).size} bytes`);
    t.true(statSync(committed).size <= MOST_BYTES, `${committed} is ${statSync(committed).size} bytes`);
    t.regex(readme, new RegExp(`!\\[[^\\]]{30,}\\]\\(${committed.replaceAll('.', '\\.')}\\)`));
  }),
);
