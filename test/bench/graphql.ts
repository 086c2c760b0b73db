import { getIntrospectionQuery } from 'graphql';
import type { Child } from './child.js';
import { report } from './goal.js';
import type { Bench, Effort, Goal } from './goal.js';
import { peakRate, warmUp } from './load.js';
import { CALLERS } from './seed/callers.js';
import { ISSUE_PROJECT } from './seed/planning.js';
import { median, quantile, withSpread } from './statistics.js';

const WARM_UP = 2000;
const FEW = 100;
/** Of the first start, as `Site` makes it. */
const ADMINISTRATOR_TOKEN = 'a-token-of-the-administrator';

interface BenchRequest {
  url: string;
  headers: Record<string, string>;
  body?: string;
}

async function getTime({ url, headers, body }: BenchRequest): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, {
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors":['))
    throw new Error(`${url} answers ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - began;
}

const asking = (api: Child, token: string) => {
  const headers = { 'private-token': token };
  return {
    rest: (path: string): BenchRequest => ({ url: `${api.url}/api/v4${path}`, headers }),
    graphql: (body: object): BenchRequest => ({ url: `${api.url}/api/graphql`, headers, body: JSON.stringify(body) }),
  };
};

/** Lets one caller have as many queries at once as there are connections; each database is set back afterwards. */
async function withoutLimit<T>(api: Child, work: () => Promise<T>): Promise<T> {
  const set = async (limit: number) => {
    const response = await fetch(`${api.url}/api/v4/application/settings`, {
      method: 'PUT',
      headers: { 'private-token': ADMINISTRATOR_TOKEN, 'content-type': 'application/json' },
      body: JSON.stringify({ graphql_requests_at_once_limit: limit }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  };
  await set(0);
  try {
    return await work();
  } finally {
    await set(10);
  }
}

/** Times of questions in turns, as often as there are rounds by 20. */
async function inTurns(requests: readonly BenchRequest[], { rounds }: Effort): Promise<number[][]> {
  for (const one of requests) await warmUp(one.url, one.headers, FEW, one.body);
  const times = requests.map(() => [] as number[]);
  for (let turn = 0; turn < 20 * rounds; turn += 1)
    for (const [index, one] of requests.entries()) times[index]?.push(await getTime(one));
  return times;
}

/** A small query compared with the REST read of the same project, by rate. */
const small: Bench = {
  name: 'graphql-project',
  async run(site, { rounds, seconds }) {
    const api = await site.api();
    try {
      const { token, projectId } = site.data;
      const { rest, graphql } = asking(api, token);
      const { rows } = await site.db.query<{ path: string }>('select path from routes where project_id = $1', [
        projectId,
      ]);
      const sides = [
        graphql({ query: `{ project(fullPath: "${rows[0]?.path}") { id name } }` }),
        rest(`/projects/${projectId}`),
      ];
      for (const one of sides) await getTime(one);
      const ratios = await withoutLimit(api, async () => {
        for (const { url, headers, body } of sides) await warmUp(url, headers, WARM_UP, body);
        const rates: number[][] = [];
        for (let round = 0; round < rounds; round += 1) {
          const [ours, theirs] = [
            await peakRate(sides[0]!.url, sides[0]!.headers, seconds, sides[0]!.body),
            await peakRate(sides[1]!.url, sides[1]!.headers, seconds),
          ];
          rates.push([ours, theirs]);
        }
        return rates.map(([ours = 0, theirs = 1]) => ours / theirs);
      });
      const goal: Goal = {
        name: this.name,
        target: ">= 0.6 of the REST read's rate",
        measured: withSpread(ratios),
        holds: median(ratios) >= 0.6,
      };
      return [goal];
    } finally {
      await api.stop();
    }
  },
};

const ISSUES = 'nodes { iid title author { username } labels(first: 10) { nodes { title } } milestone { title } }';
const BATCH = 10;

/** A page of a hundred issues compared with the REST list, a batch compared with its parts, and the introspection. */
const pages: Bench = {
  name: 'graphql-pages',
  async run(site, effort) {
    const large = await site.large();
    const api = await large.api();
    try {
      const { rest, graphql } = asking(api, CALLERS.reporter.token);
      const { rows } = await large.db.query<{ path: string }>('select path from routes where project_id = $1', [
        ISSUE_PROJECT,
      ]);
      const ofProject = (inner: string) => ({ query: `{ project(fullPath: "${rows[0]?.path}") { ${inner} } }` });
      const issues = graphql(ofProject(`issues(first: 100) { ${ISSUES} }`));
      const part = ofProject(`issues(first: 5) { ${ISSUES} }`);
      const requests = [
        issues,
        rest(`/projects/${ISSUE_PROJECT}/issues?per_page=100`),
        graphql(part),
        graphql(Array.from({ length: BATCH }, () => part)),
        graphql({ query: getIntrospectionQuery() }),
      ];
      const [ours = [], theirs = [], one = [], batch = [], introspected = []] = await withoutLimit(api, () =>
        inTurns(requests, effort),
      );
      const [times, parts] = [median(ours) / median(theirs), median(batch) / (BATCH * median(one))];
      report(
        `ms: issues ${median(ours).toFixed(1)}, REST ${median(theirs).toFixed(1)}, batch ${median(batch).toFixed(1)}`,
      );
      return [
        {
          name: 'issues(first: 100)',
          target: '<= 2 x the REST list',
          measured: `${times.toFixed(2)} x`,
          holds: times <= 2,
        },
        { name: 'batch of ten', target: '<= 1.2 x its parts', measured: `${parts.toFixed(2)} x`, holds: parts <= 1.2 },
        {
          name: 'introspection',
          target: 'p90 <= 15 ms',
          measured: `${quantile(introspected, 0.9).toFixed(1)} ms`,
          holds: quantile(introspected, 0.9) <= 15,
        },
      ];
    } finally {
      await api.stop();
    }
  },
};

/** GraphQL compared with REST. */
export const graphqlBenches: Bench[] = [small, pages];
