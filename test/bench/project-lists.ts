import { ANONYMOUS, UserCaller } from '../../shared/core/context/callers.js';
import type { UserOrAnonymous } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import { parseParams } from '../../shared/core/operations/params.js';
import { openServices } from '../../shared/instance/process/services.js';
import { listProjects } from '../../shared/tenancy/project-details/project-lists.operations.js';
import { compare } from './compare.js';
import type { Bench, Goal } from './goal.js';
import { report } from './goal.js';
import type { LargeSite } from './large-site.js';
import { peakRate, warmUp } from './load.js';
import type { BenchSite } from './bench-site.js';
import { explainList } from './plans.js';
import { CALLERS } from './seed/callers.js';
import type { CallerName } from './seed/callers.js';
import { userId } from './seed/sizes.js';
import { median, withSpread } from './statistics.js';
import { domains } from '../../shared/domains.js';

/** First pages of `GET /projects`, with simple records: how the projects are found, not how a record is written. */
const LISTS: { name: string; by: CallerName | null; query: string }[] = [
  { name: 'list-anonymous', by: null, query: '' },
  { name: 'list-member', by: 'member', query: '' },
  { name: 'list-search', by: 'member', query: 'search=heron' },
  { name: 'list-owned', by: 'member', query: 'owned=true' },
  { name: 'list-min-access-level', by: 'member', query: 'min_access_level=30' },
  { name: 'list-topic', by: 'member', query: 'topic=topic-40' },
  { name: 'list-stars', by: 'member', query: 'order_by=star_count' },
  { name: 'list-similarity', by: 'member', query: 'search=heron&order_by=similarity' },
];

const SHARE = 0.4;
/** A list works some ten times as long as a record. */
const WARM_UP = 800;

const comparisons: Bench[] = LISTS.map(({ name, by, query }) => ({
  name,
  run: async (site: BenchSite, effort) =>
    compare(await site.large(), effort, {
      name,
      path: `/api/v4/projects?simple=true${query === '' ? '' : `&${query}`}`,
      share: SHARE,
      token: by === null ? null : CALLERS[by].token,
      warmUp: WARM_UP,
    }),
}));

const FAR_PAGE = 4000;
const PER_PAGE = 20;
const APART = 0.2;

/** The first keyset page compared with one far behind it, for an administrator, who sees all projects. */
const keyset: Bench = {
  name: 'list-keyset',
  async run(site, effort): Promise<Goal[]> {
    const large = await site.large();
    const page = Math.min(FAR_PAGE, Math.floor(large.sizes.projects / PER_PAGE) - 2);
    const { rows } = await large.db.query<{ id: number }>(
      'select id::int from projects order by id desc offset $1 limit 1',
      [page * PER_PAGE],
    );
    const api = await large.api();
    try {
      const first = `${api.url}/api/v4/projects?simple=true&pagination=keyset&order_by=id&sort=desc`;
      const far = `${first}&id_before=${rows[0]?.id}`;
      const headers = { 'private-token': CALLERS.admin.token };
      for (const url of [first, far]) await warmUp(url, headers);
      const ratios: number[] = [];
      for (let round = 0; round < effort.rounds; round += 1) {
        const near = await peakRate(first, headers, effort.seconds);
        ratios.push((await peakRate(far, headers, effort.seconds)) / near);
      }
      const target = `page ${page} at the rate of page 1, within ${APART * 100} %`;
      const holds = median(ratios) >= 1 / (1 + APART);
      return [{ name: 'list-keyset', target, measured: withSpread(ratios), holds }];
    } finally {
      await api.stop();
    }
  },
};

const PLAN_QUERIES = `
  |owned=true|membership=true|min_access_level=30|starred=true|imported=true|archived=true|archived=false|active=true
  |active=false|visibility=private|visibility=internal|visibility=public|search=heron|search=quiet+harbor|search=no-such-word
  |search=quiet-harbor&search_namespaces=true|search=heron&order_by=similarity|search=heron&order_by=star_count
  |topic=topic-40|topic=topic-40,topic-3|topic_id=40|with_issues_enabled=true|with_programming_language=Ruby
  |id_after=90000|id_before=20000|last_activity_after=2028-06-01|last_activity_before=2026-01-05
  |updated_after=2028-06-01&order_by=updated_at|marked_for_deletion_on=2028-10-05|order_by=name&sort=asc|order_by=path
  |order_by=updated_at|order_by=last_activity_at|order_by=star_count|order_by=storage_size
  |order_by=id&pagination=keyset|order_by=id&pagination=keyset&id_before=20000`
  .split('|')
  .slice(1)
  .map((query) => query.trim());

async function getCallers(site: LargeSite): Promise<[string, UserOrAnonymous][]> {
  const ids = [CALLERS.member, CALLERS.user, CALLERS.admin].map(({ number }) => userId(number));
  const { rows } = await site.db.query<{ id: string; username: string; name: string; admin: boolean }>(
    'select id, username, name, admin from users where id = any($1) order by id',
    [ids],
  );
  const users = rows.map(({ id, ...rest }) => ({
    ...rest,
    id: Number(id),
    state: 'active',
    auditor: false,
    bot: false,
    external: false,
    namespace_id: Number(id),
  }));
  return [
    ['anonymous', ANONYMOUS],
    ...users.map((user): [string, UserOrAnonymous] => [`user ${user.id}`, new UserCaller(user)]),
  ];
}

/** Every filter and order, for every kind of caller: none may read a big table whole. */
const plans: Bench = {
  name: 'list-plans',
  async run(site): Promise<Goal[]> {
    const large = await site.large();
    const services = await openServices(domains, large.config, 'bench');
    const client = await large.db.connect();
    const bad: string[] = [];
    const times: number[] = [];
    try {
      for (const [who, caller] of await getCallers(large)) {
        const ctx = new Context(services, caller);
        for (const query of PLAN_QUERIES) {
          const input = parseParams(listProjects.params, Object.fromEntries(new URLSearchParams(query)));
          const list = await listProjects.run(ctx, null, input);
          const { whole, ms } = await explainList(client, list, query.includes('keyset'));
          times.push(ms);
          if (whole.length > 0) bad.push(`${who} ?${query}: ${whole.join('; ')}`);
        }
      }
    } finally {
      client.release();
      await services.close();
    }
    for (const line of bad) report(line);
    report(`milliseconds on the server: ${withSpread(times, 1)}`);
    const measured = `${times.length - bad.length} of ${times.length}`;
    return [{ name: 'list-plans', target: 'no list reads a big table whole', measured, holds: bad.length === 0 }];
  },
};

export const projectLists: Bench[] = [...comparisons, keyset, plans];
