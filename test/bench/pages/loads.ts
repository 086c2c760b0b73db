import type { Bench, Effort, Goal } from '../goal.js';
import { report } from '../goal.js';
import type { LargeSite } from '../large-site.js';
import { CALLERS } from '../seed/callers.js';
import type { CallerName } from '../seed/callers.js';
import { ISSUE_PROJECT } from '../seed/planning.js';
import { userId } from '../seed/sizes.js';
import { median, withSpread } from '../statistics.js';
import { onApi } from '../timed.js';
import { drawn, drawnAgain, PageBrowser } from './browser.js';
import type { Drawn } from './browser.js';

const READABLE_MS = 1000;
const USABLE_MS = 2000;
const WARM_MS = 300;

interface MeasuredPage {
  name: string;
  path: string;
  caller: CallerName;
  /** Selects the page's main content. */
  usable: string;
}

const getRows = (caption: string) => `main table[aria-label="${caption}"] tbody tr`;

/** Pages of the dataset of `npm run bench:seed`, one of each kind. */
async function getPages(site: LargeSite): Promise<MeasuredPage[]> {
  const { rows } = await site.db.query<{ issues: string; scheduled: string; schedule: string }>(
    `select (select path from routes where project_id = $1) as issues, r.path as scheduled, s.id::text as schedule
       from pipeline_schedules s join project_members m on m.project_id = s.project_id and m.user_id = $2
       join routes r on r.project_id = s.project_id where m.access_level >= 30 order by s.id limit 1`,
    [ISSUE_PROJECT, userId(CALLERS.member.number)],
  );
  const { issues, scheduled, schedule } = rows[0] as (typeof rows)[number];
  const of = (name: string, caller: CallerName, path: string, usable: string): MeasuredPage => ({
    name,
    caller,
    path,
    usable,
  });
  return [
    of('home', 'member', '/', getRows('Schedules')),
    of('schedules', 'member', '/schedules', getRows('Schedules')),
    of('forecast', 'member', '/schedules/forecast', 'main table'),
    of('project', 'member', `/${scheduled}`, 'main h1'),
    of('ledger', 'member', `/${scheduled}/-/pipeline_schedules/${schedule}`, getRows('Scheduled runs, newest first')),
    of('issues', 'reporter', `/${issues}/-/issues`, 'main table tbody tr'),
    of('merge-requests', 'reporter', `/${issues}/-/merge_requests`, 'main table tbody tr'),
    of('jobs', 'admin', '/admin/jobs', 'main dl'),
  ];
}

/** Cold in a browser that keeps nothing, then warm in the same one. */
async function getLoads(
  browser: PageBrowser,
  page: MeasuredPage,
  effort: Effort,
): Promise<[cold: Drawn[], warm: Drawn[]]> {
  const [cold, warm]: [Drawn[], Drawn[]] = [[], []];
  for (let round = 0; round < effort.rounds; round += 1) {
    const context = await browser.personal(userId(CALLERS[page.caller].number));
    const tab = await context.newPage();
    cold.push(await drawn(tab, browser.origin + page.path, page.usable));
    await tab.waitForLoadState('load');
    warm.push(await drawnAgain(tab));
    await context.close();
  }
  return [cold, warm];
}

function getGoals({ name }: MeasuredPage, [cold, warm]: [Drawn[], Drawn[]]): Goal[] {
  const goal = (what: string, mostMs: number, times: readonly number[]): Goal => ({
    name: `page-${name} ${what}`,
    target: `<= ${mostMs} ms`,
    measured: withSpread(times, 0, ' ms'),
    holds: median(times) <= mostMs,
  });
  const of = (loads: readonly Drawn[], what: keyof Drawn) => loads.map((load) => load[what]);
  return [
    goal('readable', READABLE_MS, of(cold, 'readable')),
    goal('usable', USABLE_MS, of(cold, 'usable')),
    goal('warm', WARM_MS, of(warm, 'usable')),
  ];
}

/** Pages in a browser on the same machine, cold and warm. */
export const pageLoads: Bench = {
  name: 'page-loads',
  group: 'pages',
  async run(site, effort) {
    const large = await site.large();
    return onApi(large, CALLERS.member.token, async (api) => {
      const browser = await PageBrowser.open(large, api);
      const goals: Goal[] = [];
      try {
        for (const page of await getPages(large)) {
          // The process and the database read it once before.
          await getLoads(browser, page, { ...effort, rounds: 1 });
          goals.push(...getGoals(page, await getLoads(browser, page, effort)));
          report(`${page.name}: ${page.path}`);
        }
      } finally {
        await browser.close();
      }
      return goals;
    });
  },
};
