import { compare } from './compare.js';
import type { Bench } from './goal.js';
import type { LargeSite } from './large-site.js';
import { CALLERS } from './seed/callers.js';
import { ISSUE_PROJECT, PLANNING_PROJECT, planningGroupId } from './seed/planning.js';
import { onApi, getTimes, within } from './timed.js';

const LIST_WARM_UP = 400;
const READ_WARM_UP = 2000;
const { token } = CALLERS.reporter;

interface Comparison {
  name: string;
  path: (site: LargeSite) => string;
  share: number;
  warmUp: number;
}

const COMPARISONS: Comparison[] = [
  {
    name: 'epic-list',
    path: (site) => `/groups/${planningGroupId(site.sizes)}/epics`,
    share: 0.35,
    warmUp: LIST_WARM_UP,
  },
  {
    name: 'epic-read',
    path: (site) => `/groups/${planningGroupId(site.sizes)}/epics/10`,
    share: 0.4,
    warmUp: READ_WARM_UP,
  },
  { name: 'snippet-list', path: () => `/projects/${ISSUE_PROJECT}/snippets`, share: 0.4, warmUp: LIST_WARM_UP },
];

const comparisons: Bench[] = COMPARISONS.map(({ name, path, share, warmUp }) => ({
  name,
  async run(site, effort) {
    const large = await site.large();
    return compare(large, effort, { name, path: `/api/v4${path(large)}`, share, token, warmUp });
  },
}));

/** A label of the project with a tenth of all issues: one in ten of them has it. */
async function listLabel(site: LargeSite): Promise<string> {
  const { rows } = await site.db.query<{ title: string }>(
    'select title from labels where project_id = $1 order by id limit 1',
    [PLANNING_PROJECT],
  );
  return rows[0]?.title ?? '';
}

/** The data of one list of a board, and moving an issue there. */
const boardList: Bench = {
  name: 'board-list',
  async run(site, effort) {
    const large = await site.large();
    const issues = `/api/v4/projects/${PLANNING_PROJECT}/issues`;
    const label = encodeURIComponent(await listLabel(large));
    const headers = { 'private-token': token, 'content-type': 'application/json' };
    return onApi(large, token, async (api) => {
      const list = () => fetch(`${api.url}${issues}?labels=${label}&order_by=relative_position&sort=asc`, { headers });
      const rows = (await (await list()).json()) as { iid: number; id: number }[];
      let turn = 0;
      const move = () => {
        const [one, other] = [rows[turn % rows.length], rows[(turn + 7) % rows.length]];
        turn += 1;
        const body = JSON.stringify({ move_after_id: other?.id });
        return fetch(`${api.url}${issues}/${one?.iid}/reorder`, { method: 'PUT', headers, body });
      };
      return [
        within('board-list', 100, await getTimes([list], effort)),
        within('board-move', 30, await getTimes([move], effort)),
      ];
    });
  },
};

/** Epics, snippets and boards. */
export const themeBenches: Bench[] = [...comparisons, boardList];
