import { cpus, loadavg } from 'node:os';
import { scheduleLists } from './all-schedules.js';
import { archiveBenches } from './archives.js';
import { attacks } from './attacks/list.js';
import { getBench } from './attacks/measure.js';
import { bytesUpAndDown } from './bytes.js';
import { clone } from './clone.js';
import { configurations } from './configurations.js';
import { comparisons } from './comparisons.js';
import { fairSlots } from './fair-slots.js';
import { firstLine } from './first-line.js';
import { deliveryBenches } from './deliveries.js';
import type { Bench, Effort, Goal } from './goal.js';
import { graphqlBenches } from './graphql.js';
import { issueBenches } from './issues.js';
import { mergeRequestBenches } from './merge-requests.js';
import { packageBenches } from './packages.js';
import { discussionBenches } from './discussions.js';
import { themeBenches } from './themes.js';
import { BenchSite } from './bench-site.js';
import { projectLists } from './project-lists.js';
import { projectRecords } from './project-records.js';
import { heldPolls, heldPollsIdle, jobsAMinute, jobsAtOnce } from './job-handouts.js';
import { jobLogs } from './job-logs.js';
import { jobsAdmin } from './jobs-admin.js';
import { lostHandouts } from './lost-handouts.js';
import { liveEvents } from './live-events.js';
import { livePages } from './live-pages.js';
import { probes } from './probes.js';
import { queueJobs } from './queue-jobs.js';
import { pushes } from './push.js';
import { refLookup } from './ref-look-up.js';
import { queueLatency } from './queue-latency.js';
import { repair } from './repair.js';
import { repositoryAccess } from './repository-access.js';
import { archive, compareCommits, diff } from './repository-reads.js';
import { scheduleBurst } from './schedule-burst.js';
import { scheduleIdle } from './schedule-idle.js';
import { scheduleLatency } from './schedule-latency.js';
import { signIns } from './sign-in.js';
import { start } from './start.js';
import { userBenches } from './users.js';
import { forecast } from './pages/forecast.js';
import { ledger } from './pages/ledger.js';
import { pageLoads } from './pages/loads.js';
import { scroll } from './pages/scroll.js';

/** What people look at, in the packaged Chromium on the same machine. */
const pageBenches: Bench[] = [pageLoads, ledger, scroll, forecast];

/** What it takes from a due schedule to the log of a job. */
const pipelineBenches: Bench[] = [
  firstLine,
  heldPolls,
  heldPollsIdle,
  jobsAMinute,
  jobsAtOnce,
  lostHandouts,
  fairSlots,
  ...jobLogs,
];

const benches: Bench[] = [
  ...comparisons,
  ...projectLists,
  projectRecords,
  ...scheduleLists,
  ...issueBenches,
  ...mergeRequestBenches,
  ...deliveryBenches,
  ...graphqlBenches,
  ...discussionBenches,
  ...themeBenches,
  scheduleLatency,
  scheduleBurst,
  scheduleIdle,
  queueJobs,
  queueLatency,
  ...pipelineBenches,
  jobsAdmin,
  liveEvents,
  livePages,
  probes,
  signIns,
  ...userBenches,
  refLookup,
  configurations,
  repair,
  ...repositoryAccess,
  clone,
  ...pushes,
  archive,
  compareCommits,
  diff,
  ...packageBenches,
  ...bytesUpAndDown,
  ...archiveBenches,
  ...pageBenches,
  start,
  ...attacks.map(getBench),
];

const SHORT: Effort = { rounds: 5, seconds: 1.5 };
const LONG: Effort = { rounds: 5, seconds: 5 };

const isChosen = ({ name, group }: Bench, names: readonly string[]) =>
  names.includes(name) || (group !== undefined && names.includes(group));

/** By names of benches and of groups; without names all of them, or those that are in no group. */
function chosen(names: readonly string[], all: boolean): Bench[] {
  const unknown = names.filter((name) => !benches.some((bench) => isChosen(bench, [name])));
  if (unknown.length > 0)
    throw new Error(
      `There is no bench ${unknown.join(', ')}; there are ${benches.map((bench) => bench.name).join(', ')}.`,
    );
  if (names.length > 0) return benches.filter((bench) => isChosen(bench, names));
  return all ? benches : benches.filter(({ group }) => group === undefined);
}

/** A bench that breaks counts as a goal missed; the others go on. */
async function getGoals(bench: Bench, site: BenchSite, effort: Effort): Promise<Goal[]> {
  process.stdout.write(`\n${bench.name}\n`);
  try {
    return await bench.run(site, effort);
  } catch (error) {
    return [{ name: bench.name, target: 'to be measured', measured: (error as Error).message, holds: false }];
  }
}

async function main(args: readonly string[]) {
  const all = args.includes('--all');
  const selected = chosen(
    args.filter((arg) => arg !== '--all'),
    all,
  );
  process.stdout.write(
    `${cpus().length} CPUs, load ${(loadavg()[0] ?? 0).toFixed(1)}: the lower, the better the numbers\n`,
  );
  const site = await BenchSite.prepare();
  const goals: Goal[] = [];
  try {
    for (const bench of selected) {
      const found = await getGoals(bench, site, all ? LONG : SHORT);
      for (const { name, target, measured, holds } of found)
        process.stdout.write(`  ${holds ? 'holds ' : 'MISSES'} ${name}: ${measured}, target ${target}\n`);
      goals.push(...found);
    }
  } finally {
    await site.leave();
  }
  process.stdout.write(`\nbench: ${goals.filter((goal) => goal.holds).length}/${goals.length} goals hold\n`);
}

await main(process.argv.slice(2));
