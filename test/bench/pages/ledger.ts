import type { Bench, Goal } from '../goal.js';
import { median, quantile, withSpread } from '../statistics.js';
import { getTimes } from '../timed.js';
import type { BenchSite } from '../bench-site.js';
import { drawn, drawnAgain, PageBrowser } from './browser.js';

const RUNS = 100_000;
const OPENS_MS = 500;

/** Rows and the figures over all of them. */
const USABLE =
  'main:has(table[aria-label="Scheduled runs, newest first"] tbody tr) section[aria-label="Ledger"], ' +
  'main:has(table[aria-label="Scheduled runs, newest first"] tbody tr) dl';

/** A run each minute until now; one of a hundred failed, and one of two hundred was missed. */
async function addRuns(site: BenchSite, scheduleId: number): Promise<void> {
  const client = await site.db.connect();
  try {
    await client.query('alter table pipeline_schedule_runs disable trigger user');
    await client.query(
      `insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, user_id, state, cause, reason,
                                           started_at, created_at)
       select s.project_id, s.id, due.at, 'cron', s.owner_id, due.state,
              case due.state when 'failed' then 'ref_missing' when 'missed' then 'service_down' end,
              case due.state when 'failed' then 'The ref does not exist.' when 'missed' then 'The service was down.' end,
              case when due.state <> 'missed' then due.at + (i % 900) * interval '1 millisecond' end, due.at
         from pipeline_schedules s cross join generate_series(${RUNS}, 1, -1) i
         cross join lateral (
           select date_trunc('minute', now()) - i * interval '1 minute' as at,
                  case when i % 100 = 0 then 'failed' when i % 200 = 1 then 'missed' else 'fired' end as state) due
        where s.id = $1`,
      [scheduleId],
    );
    await client.query('alter table pipeline_schedule_runs enable trigger user');
    await client.query('vacuum analyze pipeline_schedule_runs');
  } finally {
    client.release();
  }
}

/** The page of a schedule with many runs, in a browser that has cached the pages' files; and its requests. */
export const ledger: Bench = {
  name: 'page-ledger-of-many',
  group: 'pages',
  async run(site, effort): Promise<Goal[]> {
    const { scheduleId, projectId, token, userId } = site.data;
    await addRuns(site, scheduleId);
    const { rows } = await site.db.query<{ path: string }>('select path from routes where project_id = $1', [
      projectId,
    ]);
    const api = await site.api();
    const browser = await PageBrowser.open(site, api);
    try {
      const tab = await (await browser.personal(userId)).newPage();
      await drawn(tab, `${browser.origin}/${rows[0]?.path}/-/pipeline_schedules/${scheduleId}`, USABLE);
      const times: number[] = [];
      for (let turn = 0; turn < effort.rounds * 2; turn += 1) times.push((await drawnAgain(tab)).usable);
      const ask = (rest: string) => () =>
        fetch(`${api.url}/api/v4/projects/${projectId}/pipeline_schedules/${scheduleId}/runs${rest}`, {
          headers: { 'private-token': token },
        });
      const list = await getTimes([ask('?pagination=keyset&per_page=50')], effort);
      const summary = await getTimes([ask('/summary')], effort);
      return [
        {
          name: this.name,
          target: `<= ${OPENS_MS} ms`,
          measured: `${withSpread(times, 0, ' ms')}; its rows ${quantile(list, 0.9).toFixed(1)} ms, its figures ${quantile(summary, 0.9).toFixed(1)} ms`,
          holds: median(times) <= OPENS_MS,
        },
      ];
    } finally {
      await browser.close();
      await api.stop();
    }
  },
};
