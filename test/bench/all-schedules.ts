import { compare } from './compare.js';
import type { Bench } from './goal.js';
import { CALLERS } from './seed/callers.js';

/** First pages of `GET /pipeline_schedules`, over 100,000 schedules of 10,000 projects, as a member sees them. */
const LISTS = [
  { name: 'all-schedules', query: '' },
  { name: 'all-schedules-in-trouble', query: '?last_run_status=failed,missed' },
];

const SHARE = 0.4;
/** A list works some ten times as long as a record. */
const WARM_UP = 400;

/** Lists of schedules across projects, compared with their twins. */
export const scheduleLists: Bench[] = LISTS.map(({ name, query }) => ({
  name,
  run: async (site, effort) =>
    compare(await site.large(), effort, {
      name,
      path: `/api/v4/pipeline_schedules${query}`,
      share: SHARE,
      token: CALLERS.member.token,
      warmUp: WARM_UP,
    }),
}));
