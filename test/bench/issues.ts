import { compare } from './compare.js';
import type { Bench } from './goal.js';
import type { LargeSite } from './large-site.js';
import { CALLERS } from './seed/callers.js';
import type { CallerName } from './seed/callers.js';
import { ISSUE_PROJECT, LINKED_ISSUE, PLANNING_PROJECT, planningGroupId } from './seed/planning.js';
import { onApi, getTimes, within } from './timed.js';

/** Lists work some ten times as long as a record, and what counts much yet longer. */
const LIST_WARM_UP = 400;
const READ_WARM_UP = 2000;

const { token } = CALLERS.reporter;

interface Comparison {
  name: string;
  path: (site: LargeSite) => string | Promise<string>;
  share: number;
  warmUp: number;
  /** Of the title of a label that the issue gets. */
  post?: (site: LargeSite) => Promise<object>;
  unlike?: readonly string[];
}

/** A label of the group with many issues: one of twenty has it. */
async function groupLabel(site: LargeSite): Promise<string> {
  const { rows } = await site.db.query<{ title: string }>(
    'select title from labels where namespace_id = $1 order by id limit 1',
    [planningGroupId(site.sizes)],
  );
  return rows[0]?.title ?? '';
}

const COMPARISONS: Comparison[] = [
  {
    name: 'issue-list',
    path: async (site) =>
      `/projects/${PLANNING_PROJECT}/issues?labels=${encodeURIComponent(await groupLabel(site))}&state=opened&order_by=updated_at`,
    share: 0.35,
    warmUp: LIST_WARM_UP,
  },
  { name: 'issue-read', path: () => `/projects/${ISSUE_PROJECT}/issues/50`, share: 0.4, warmUp: READ_WARM_UP },
  {
    name: 'issue-create',
    path: () => `/projects/${ISSUE_PROJECT}/issues`,
    share: 0.35,
    warmUp: LIST_WARM_UP,
    post: async (site) => ({
      title: 'Engine does not start',
      description: 'It was cold.',
      labels: await groupLabel(site),
    }),
    unlike: ['id', 'iid', 'created_at', 'updated_at', 'web_url', '_links', 'references'],
  },
  {
    name: 'issue-links',
    path: () => `/projects/${PLANNING_PROJECT}/issues/${LINKED_ISSUE}/links`,
    share: 0.35,
    warmUp: LIST_WARM_UP,
  },
];

const comparisons: Bench[] = COMPARISONS.map(({ name, path, share, warmUp: amount, post, unlike }) => ({
  name,
  async run(site, effort) {
    const large = await site.large();
    return compare(large, effort, {
      name,
      path: `/api/v4${await path(large)}`,
      share,
      token,
      warmUp: amount,
      ...(post ? { post: await post(large) } : {}),
      ...(unlike ? { unlike } : {}),
    });
  },
}));

/** The list of a group with 1,000 projects: how long it takes at half load, not how many there are in a second. */
const groupList: Bench = {
  name: 'issue-list-of-group',
  async run(site, effort) {
    const large = await site.large();
    const path = `/api/v4/groups/${planningGroupId(large.sizes)}/issues`;
    const goals = await compare(large, effort, { name: this.name, path, share: 0, token, warmUp: LIST_WARM_UP });
    return goals.filter(({ name }) => name.endsWith('latency'));
  },
};

interface Timed {
  name: string;
  by: CallerName;
  paths: (site: LargeSite) => readonly string[];
  mostMs: number;
}

const TERMS = [
  'amber',
  'beacon',
  'collect',
  'deliver',
  'ember',
  'fine',
  'gentle',
  'harbor',
  'index',
  'journal',
  'keen',
];

/** Searches for three terms, each time others. */
const searches = TERMS.map((_term, at) => [at, at + 3, at + 7].map((step) => TERMS[step % TERMS.length]).join('+'));

const statistics = (by: CallerName): Timed => ({
  name: `issue-statistics-${by}`,
  by,
  paths: () => [`/projects/${PLANNING_PROJECT}/issues_statistics`],
  mostMs: 50,
});

const TIMED: Timed[] = [
  {
    name: 'issue-search',
    by: 'reporter',
    paths: () => searches.map((terms) => `/projects/${PLANNING_PROJECT}/issues?search=${terms}`),
    mostMs: 100,
  },
  statistics('reporter'),
  statistics('guest'),
  {
    name: 'label-counts',
    by: 'reporter',
    paths: (site) => [`/groups/${planningGroupId(site.sizes)}/labels?with_counts=true`],
    mostMs: 150,
  },
];

const timed: Bench[] = TIMED.map(({ name, by, paths, mostMs }) => ({
  name,
  async run(site, effort) {
    const large = await site.large();
    const headers = { 'private-token': CALLERS[by].token };
    return onApi(large, token, async (api) => {
      const ask = paths(large).map((path) => () => fetch(`${api.url}/api/v4${path}`, { headers }));
      return [within(name, mostMs, await getTimes(ask, effort))];
    });
  },
}));

const REFERENCES_EACH = 10;
const PAGE = 20;

/** A page of texts that refer to 200 things. How many statements it takes is a matter of tests. */
const texts: Bench = {
  name: 'issue-texts',
  async run(site, effort) {
    const large = await site.large();
    await large.db.query(
      `update issues i set description = (select string_agg('See #' || (i.iid * 7 + n) % 190 + 1, ' ')
                                            from generate_series(1, ${REFERENCES_EACH}) n)
        where i.project_id = $1 and i.iid between 101 and ${100 + PAGE}`,
      [ISSUE_PROJECT],
    );
    const { rows } = await large.db.query<{ path: string }>('select path from routes where project_id = $1', [
      ISSUE_PROJECT,
    ]);
    const iids = Array.from({ length: PAGE }, (_one, at) => `"${101 + at}"`).join(', ');
    const query = `{ project(fullPath: "${rows[0]?.path}") { issues(iids: [${iids}], first: ${PAGE}) { nodes { descriptionHtml } } } }`;
    return onApi(large, token, async (api) => {
      const ask = () =>
        fetch(`${api.url}/api/graphql`, {
          method: 'POST',
          headers: { 'private-token': token, 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        });
      const html = await (await ask()).text();
      const links = html.split('gfm-issue').length - 1;
      if (links < PAGE * REFERENCES_EACH * 0.9)
        throw new Error(`${links} references became links: ${html.slice(0, 300)}`);
      return [within('issue-texts', 150, await getTimes([ask], effort))];
    });
  },
};

/** Lists, single issues, counts and texts on a million issues. */
export const issueBenches: Bench[] = [...comparisons, groupList, ...timed, texts];
