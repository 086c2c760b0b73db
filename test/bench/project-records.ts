import type { ProjectRecord } from '../../shared/tenancy/projects/project.entity.js';
import { jsonListText } from '../../api/core/json-text.js';
import { UserCaller } from '../../shared/core/context/callers.js';
import type { CallerUser } from '../../shared/core/context/callers.js';
import { Context } from '../../shared/core/context/context.js';
import { readSlice } from '../../shared/core/database/list.js';
import type { Serializer } from '../../shared/core/operations/serializer.js';
import { openServices } from '../../shared/instance/process/services.js';
import { domains } from '../../shared/domains.js';
import { visibleProjects } from '../../shared/tenancy/projects/project.finder.js';
import { basicProject, projectWithPermissions } from '../../shared/tenancy/project-details/project.serializer.js';
import type { Child } from './child.js';
import type { Bench, Effort, Goal } from './goal.js';
import { report } from './goal.js';
import { warmUp } from './load.js';
import type { BenchSite } from './bench-site.js';
import { median, withSpread } from './statistics.js';

const PER_PAGE = 20;
/** Pages before anything is measured: the code is compiled by then. */
const WARM_UP = 600;
/** Pages of one measured turn. */
const TURN = 300;

interface Page {
  name: string;
  query: string;
  serializer: Serializer<ProjectRecord>;
  /** Milliseconds of CPU that the API process may take for one answer. */
  ms: number;
}

const PAGES: Page[] = [
  { name: 'simple', query: '&simple=true', serializer: basicProject, ms: 0.6 },
  { name: 'full', query: '', serializer: projectWithPermissions, ms: 1.4 },
];

/** CPU milliseconds of the API process for one page, over a turn of them. */
async function cpuOfAnswer(api: Child, url: string, headers: Record<string, string>): Promise<number> {
  const before = await api.cpuMs();
  await warmUp(url, headers, TURN);
  const after = await api.cpuMs();
  if (before === null || after === null) throw new Error('This system does not tell a process’s CPU time.');
  return (after - before) / TURN;
}

/** CPU milliseconds of this process for turning records that are loaded into text. */
function cpuOfText(show: () => unknown): number {
  const from = process.cpuUsage();
  for (let turn = 0; turn < TURN; turn += 1) show();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000 / TURN;
}

async function getCaller(site: BenchSite): Promise<UserCaller> {
  const { rows } = await site.db.query<CallerUser>(
    'select id::int, username, name, state, admin, external, bot from users where id = $1',
    [site.data.userId],
  );
  return new UserCaller(rows[0]!);
}

/** Reports the share of a response's time that serializing the records takes. */
async function measureTexts(site: BenchSite, rounds: number): Promise<void> {
  const services = await openServices(domains, site.config, 'bench');
  try {
    const ctx = new Context(services, await getCaller(site));
    const records = await readSlice(ctx, visibleProjects(ctx), 0, PER_PAGE);
    for (const { name, serializer } of PAGES) {
      await serializer.load(ctx, records);
      const show = () => jsonListText(undefined, records, (record) => serializer.present(record, ctx));
      cpuOfText(show);
      const measured = Array.from({ length: rounds }, () => cpuOfText(show));
      report(`${name}: ${withSpread(measured, 2, ' ms')} of CPU from ${records.length} records to text`);
    }
  } finally {
    await services.close();
  }
}

async function measure(site: BenchSite, { rounds }: Effort): Promise<Goal[]> {
  await measureTexts(site, rounds);
  const headers = { 'PRIVATE-TOKEN': site.data.token };
  const api = await site.api();
  try {
    const urls = PAGES.map(({ query }) => `${api.url}/api/v4/projects?per_page=${PER_PAGE}${query}`);
    for (const url of urls) await warmUp(url, headers, WARM_UP);
    const measured = PAGES.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1)
      for (const [index, url] of urls.entries()) measured[index]!.push(await cpuOfAnswer(api, url, headers));
    return PAGES.map(({ name, ms }, index) => ({
      name: `project-records ${name}`,
      target: `${PER_PAGE} records in <= ${ms} ms of CPU`,
      measured: withSpread(measured[index]!, 2, ' ms'),
      holds: median(measured[index]!) <= ms,
    }));
  } finally {
    await api.stop();
  }
}

/** The cost of a page of projects for the API process. */
export const projectRecords: Bench = { name: 'project-records', run: measure };
