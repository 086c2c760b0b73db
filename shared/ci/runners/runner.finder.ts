import { expressionBuilder } from 'kysely';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { load } from '../../core/context/loads.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { CiDatabase } from '../ci.entities.js';
import { Runner, RunnerManager } from './runner.entity.js';
import type { OfRunners } from './runner-status.js';

/** What answers show of a runner, its token aside. */
const RUNNER_COLUMNS = [
  'id',
  'runner_type',
  'namespace_id',
  'creator_id',
  'registered_with',
  'built_in',
  'description',
  'paused',
  'locked',
  'run_untagged',
  'access_level',
  'maximum_timeout',
  'maintenance_note',
  'tag_list',
  'token_expires_at',
  'contacted_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof Runner)[];

/** A runner with who created it, and whether it has a job now. */
export interface RunnerRecord extends Pick<Runner, (typeof RUNNER_COLUMNS)[number]> {
  creator: UserSummary | null;
  executing: boolean;
}

/** A manager, and whether it has a job now. */
export interface RunnerManagerRecord extends RunnerManager {
  executing: boolean;
}

type OfManagers = Aliased<CiDatabase, { m: 'runner_managers' }>;

const EXECUTING = ['running', 'canceling'] as const;
const everyTable = expressionBuilder<OfRunners & OfManagers, 'r' | 'm'>();

/** Whether a runner `r` or a manager `m` has a job now. */
export const jobsNow = (column: 'runner_id' | 'runner_manager_id', owner: 'r.id' | 'm.id') =>
  everyTable
    .exists(
      everyTable
        .selectFrom('jobs as running')
        .select(constant(1).as('one'))
        .whereRef(`running.${column}`, '=', owner)
        .where((eb) => eb.or(EXECUTING.map((status) => eb('running.status', '=', constant(status))))),
    )
    .$castTo<boolean>()
    .as('executing');

/** Selects records of runners `r`. */
export const selectRunners = <O>(query: SelectQueryBuilder<OfRunners, 'r', O>) =>
  query
    .leftJoin('users as u', 'u.id', 'r.creator_id')
    .select([
      ...columns(Runner, 'r', RUNNER_COLUMNS),
      ...nestedOrNull('creator', User, 'u', { only: USER_SUMMARY }),
      jobsNow('runner_id', 'r.id'),
    ]);

/** Selects records of managers `m`. */
export const selectManagers = <O>(query: SelectQueryBuilder<OfManagers, 'm', O>) =>
  query.select([...columns(RunnerManager, 'm'), jobsNow('runner_manager_id', 'm.id')]);

interface Ids {
  ids: readonly number[];
}

const runnersById = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<Ids>) =>
  selectRunners(db.selectFrom('runners as r')).where('r.id', '=', anyOf(ids, 'bigint')),
);
const managersById = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<Ids>) =>
  selectManagers(db.selectFrom('runner_managers as m')).where('m.id', '=', anyOf(ids, 'bigint')),
);

const idsOf = (ids: readonly (number | null | undefined)[]): number[] => [
  ...new Set(ids.filter((id) => typeof id === 'number')),
];
const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));

interface JobOfRunner {
  readonly runner_id?: number | null | undefined;
  readonly runner_manager_id?: number | null | undefined;
}

/** The runner that has or had each job. */
export const runnersOfJobs = load(
  (job: Readonly<JobOfRunner>) => job.runner_id ?? 0,
  async (ctx, jobs): Promise<Map<number, RunnerRecord>> => {
    const ids = idsOf(jobs.map((job) => job.runner_id));
    return byId(ids.length === 0 ? [] : await runnersById(ctx, { ids }));
  },
);

/** The manager that has or had each job. */
export const managersOfJobs = load(
  (job: Readonly<JobOfRunner>) => job.runner_manager_id ?? 0,
  async (ctx, jobs): Promise<Map<number, RunnerManagerRecord>> => {
    const ids = idsOf(jobs.map((job) => job.runner_manager_id));
    return byId(ids.length === 0 ? [] : await managersById(ctx, { ids }));
  },
);
