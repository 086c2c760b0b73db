import { compare } from './compare.js';
import type { Bench } from './goal.js';
import type { LargeSite } from './large-site.js';
import { CALLERS } from './seed/callers.js';
import { ISSUE_PROJECT, PLANNING_PROJECT } from './seed/planning.js';
import { quantile } from './statistics.js';
import { onApi, getTimes, within } from './timed.js';

const LIST_WARM_UP = 400;
const { token } = CALLERS.reporter;
const headers = { 'private-token': token };

/** An issue of one project: the one with the most comments, or the one with the most that are no threads. */
async function getIssue(site: LargeSite, which: 'threads' | 'comments'): Promise<string> {
  const { rows } = await site.db.query<{ iid: number }>(
    `select i.iid from issues i join notes n on n.issue_id = i.id
      where i.project_id = $1 and (n.type is null) = $2 group by i.iid order by count(*) desc limit 1`,
    [ISSUE_PROJECT, which === 'comments'],
  );
  return `/projects/${ISSUE_PROJECT}/issues/${rows[0]?.iid}`;
}

const discussionList: Bench = {
  name: 'discussion-list',
  async run(site, effort) {
    const large = await site.large();
    const path = `/api/v4${await getIssue(large, 'threads')}/discussions`;
    return compare(large, effort, { name: this.name, path, share: 0.35, token, warmUp: LIST_WARM_UP });
  },
};

const noteList: Bench = {
  name: 'note-list',
  async run(site, effort) {
    const large = await site.large();
    const path = `/api/v4${await getIssue(large, 'comments')}/notes`;
    return compare(large, effort, { name: this.name, path, share: 0.4, token, warmUp: LIST_WARM_UP });
  },
};

/** Takes the limit of comments a minute away, as its administrator does. */
const unlimited = (site: LargeSite) =>
  onApi(site, token, async (api) => {
    const response = await fetch(`${api.url}/api/v4/application/settings`, {
      method: 'PUT',
      headers: { 'private-token': CALLERS.admin.token, 'content-type': 'application/json' },
      body: JSON.stringify({ notes_create_limit: 0 }),
    });
    if (!response.ok) throw new Error(`The settings answer ${response.status}`);
    return [];
  });

/** An issue is limited to 5,000 comments, so the measurement resets it periodically. */
const CLEAR_MS = 2000;

const noteCreate: Bench = {
  name: 'note-create',
  async run(site, effort) {
    const large = await site.large();
    await unlimited(large);
    const { rows } = await large.db.query<{ id: number; iid: number }>(
      `select i.id::float8 as id, i.iid from issues i
        where i.project_id = $1 and not exists (select 1 from notes n where n.issue_id = i.id) order by i.iid limit 1`,
      [ISSUE_PROJECT],
    );
    const clear = () => large.db.query('delete from notes n where n.issue_id = $1', [rows[0]?.id]);
    const clearing = setInterval(() => void clear(), CLEAR_MS);
    try {
      return await compare(large, effort, {
        name: this.name,
        path: `/api/v4/projects/${ISSUE_PROJECT}/issues/${rows[0]?.iid}/notes`,
        share: 0.35,
        token,
        warmUp: LIST_WARM_UP,
        post: { body: 'It starts again, once it is warm.' },
        unlike: ['id', 'created_at', 'updated_at'],
      });
    } finally {
      clearInterval(clearing);
      await clear();
    }
  },
};

const PAGE = 5;
const LAST_PAGE = 200;
const MOST_TIMES = 1.5;

/** Threads of the issue with 5,000 notes, five at a time: the last page compared with the first. */
const discussionPages: Bench = {
  name: 'discussion-pages',
  async run(site, effort) {
    const large = await site.large();
    const path = await getIssue(large, 'threads');
    return onApi(large, token, async (api) => {
      const ask = (page: number) => () =>
        fetch(`${api.url}/api/v4${path}/discussions?per_page=${PAGE}&page=${page}`, { headers });
      const [first, last] = [await getTimes([ask(1)], effort), await getTimes([ask(LAST_PAGE)], effort)];
      const ratio = quantile(last, 0.5) / quantile(first, 0.5);
      return [
        {
          name: 'discussion-pages',
          target: `<= ${MOST_TIMES} x`,
          measured: `${ratio.toFixed(2)} x (${quantile(first, 0.5).toFixed(1)} ms, ${quantile(last, 0.5).toFixed(1)} ms)`,
          holds: ratio <= MOST_TIMES,
        },
      ];
    });
  },
};

const eventList: Bench = {
  name: 'event-list',
  async run(site, effort) {
    const large = await site.large();
    return onApi(large, token, async (api) => {
      const ask = () => fetch(`${api.url}/api/v4/projects/${PLANNING_PROJECT}/events`, { headers });
      return [within('event-list', 60, await getTimes([ask], effort))];
    });
  },
};

const AT_ONCE = 200;
const AT_ONCE_MS = 5000;

/** As many comments on one issue as participants in a meeting, all simultaneously. */
const notesAtOnce: Bench = {
  name: 'notes-at-once',
  async run(site) {
    const large = await site.large();
    await unlimited(large);
    const path = await getIssue(large, 'comments');
    return onApi(large, token, async (api) => {
      const began = performance.now();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_none, at) => {
          const body = JSON.stringify({ body: `Number ${at}` });
          const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
          return (await fetch(`${api.url}/api/v4${path}/notes`, sent)).status;
        }),
      );
      const took = performance.now() - began;
      const failed = answers.filter((status) => status !== 201);
      return [
        {
          name: 'notes-at-once',
          target: `${AT_ONCE} of 201 within ${AT_ONCE_MS} ms`,
          measured: `${Math.round(took)} ms, ${failed.length} others`,
          holds: failed.length === 0 && took <= AT_ONCE_MS,
        },
      ];
    });
  },
};

/** Threads, comments and events on a million of each. */
export const discussionBenches: Bench[] = [
  discussionList,
  discussionPages,
  noteList,
  noteCreate,
  notesAtOnce,
  eventList,
];
