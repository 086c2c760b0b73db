import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, isOnDay, secondsBetween, unnestedRows, utcDayOf } from '../../core/database/expressions.js';
import { lockName } from '../../core/database/lock-name.js';
import { readRows } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import type { EnvironmentDay } from './stale-days.js';

/** What conditions name: environments `e`, deployments `d`, incidents `i`, rows `m`. */
type OfDora = Aliased<
  DeploymentsDatabase,
  { e: 'environments'; d: 'deployments'; i: 'issues'; m: 'dora_daily_metrics' }
>;
const db = expressionBuilder<OfDora>();
const onRows = expressionBuilder<OfDora, 'm'>();

/** Rows of a table with conditions, and without columns. */
type Among<Alias extends 'd' | 'e' | 'i'> = SelectQueryBuilder<OfDora, Alias, object>;

/** Where rows are computed from, for one set of environments and days. */
interface Sources {
  /** Environments `e` that have rows among these. */
  readonly environments: Among<'e'>;
  /** Deployments `d`. */
  readonly deployments: Among<'d'>;
  /** Incidents `i` by the day on which they were opened, and by that on which they were closed. */
  readonly opened: Among<'i'>;
  readonly closed: Among<'i'>;
  /** That row `m`, which is there already, is among these. */
  readonly stored: Expression<SqlBool>;
}

const median = (value: Expression<number>) =>
  db.fn.agg<number>('percentile_cont', [constant(0.5)]).withinGroupOrderBy(value);

/** The environments, and whether each is the first one of production of its project. */
const envsOf = (environments: Among<'e'>) =>
  environments.select((eb) => {
    const isProduction = eb('e.tier', '=', constant('production'));
    const earlier = eb
      .selectFrom('environments as f')
      .select(eb.lit(1).as('one'))
      .whereRef('f.project_id', '=', 'e.project_id')
      .where('f.tier', '=', constant('production'))
      .whereRef('f.id', '<', 'e.id');
    return [
      'e.id',
      'e.project_id',
      isProduction.$castTo<boolean>().as('production'),
      eb
        .parens(eb.and([isProduction, eb.not(eb.exists(earlier))]))
        .$castTo<boolean>()
        .as('first'),
    ];
  });

/** Deployments that count, by environment and day. */
const successful = (deployments: Among<'d'>) =>
  deployments
    .where('d.status', '=', constant('success'))
    .where('d.finished_at', 'is not', null)
    .select((eb) => ['d.environment_id', utcDayOf(eb.ref('d.finished_at')).as('date')])
    .groupBy((eb) => ['d.environment_id', utcDayOf(eb.ref('d.finished_at'))]);

const leadTimes = (deployments: Among<'d'>) =>
  successful(deployments)
    .innerJoin('deployment_merge_requests as l', 'l.deployment_id', 'd.id')
    .innerJoin('merge_requests as r', 'r.id', 'l.merge_request_id')
    .where('r.merged_at', 'is not', null)
    .select((eb) => {
      const seconds = secondsBetween(eb.ref('r.merged_at'), eb.ref('d.finished_at'));
      return median(eb.fn<number>('greatest', [seconds, constant(0)])).as('median');
    });

const openedIncidents = (opened: Among<'i'>) =>
  opened
    .where('i.issue_type', '=', constant('incident'))
    .select((eb) => [
      'i.project_id',
      utcDayOf(eb.ref('i.created_at')).as('date'),
      eb.cast<number>(eb.fn.countAll(), 'integer').as('incidents'),
    ])
    .groupBy((eb) => ['i.project_id', utcDayOf(eb.ref('i.created_at'))]);

const restoredIncidents = (closed: Among<'i'>) =>
  closed
    .where('i.issue_type', '=', constant('incident'))
    .where('i.state', '=', constant('closed'))
    .where('i.closed_at', 'is not', null)
    .select((eb) => [
      'i.project_id',
      utcDayOf(eb.ref('i.closed_at')).as('date'),
      median(secondsBetween(eb.ref('i.created_at'), eb.ref('i.closed_at'))).as('median'),
    ])
    .groupBy((eb) => ['i.project_id', utcDayOf(eb.ref('i.closed_at'))]);

/**
 * Rows as they should be (dora.md section 3), as `wanted`, of days that have a successful deployment, or at the
 * project's first environment of production an incident that was opened or closed. Other environments of production have
 * no incidents, so that each counts once; those of other tiers have null.
 */
const computed = (ctx: Context, { environments, deployments, opened, closed }: Sources) =>
  ctx.em
    .getKysely<OfDora>()
    .with(
      (cte) => cte('envs').materialized(),
      () => envsOf(environments),
    )
    .with('deployed', () =>
      successful(deployments).select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('deployments')),
    )
    .with('lead', () => leadTimes(deployments))
    .with('opened', () => openedIncidents(opened))
    .with('restored', () => restoredIncidents(closed))
    .with('days', (of) => {
      const atFirst = (incidents: 'opened' | 'restored') =>
        of
          .selectFrom(`${incidents as 'opened'} as o`)
          .innerJoin('envs as e', (join) =>
            join.onRef('e.project_id', '=', 'o.project_id').on((eb) => eb.ref('e.first')),
          )
          .select(['e.id as environment_id', 'o.date']);
      return of
        .selectFrom('deployed')
        .select(['deployed.environment_id', 'deployed.date'])
        .union(atFirst('opened'))
        .union(atFirst('restored'));
    })
    .with('wanted', (of) =>
      of
        .selectFrom('days')
        .innerJoin('envs as e', 'e.id', 'days.environment_id')
        .leftJoin('deployed', (join) =>
          join.onRef('deployed.environment_id', '=', 'days.environment_id').onRef('deployed.date', '=', 'days.date'),
        )
        .leftJoin('lead', (join) =>
          join.onRef('lead.environment_id', '=', 'days.environment_id').onRef('lead.date', '=', 'days.date'),
        )
        .leftJoin('opened', (join) =>
          join.onRef('opened.project_id', '=', 'e.project_id').onRef('opened.date', '=', 'days.date'),
        )
        .leftJoin('restored', (join) =>
          join.onRef('restored.project_id', '=', 'e.project_id').onRef('restored.date', '=', 'days.date'),
        )
        .select((eb) => [
          'e.id as environment_id',
          'days.date',
          'e.project_id',
          eb.fn.coalesce('deployed.deployments', eb.lit(0)).as('deployments'),
          'lead.median as lead',
          eb.case().when(eb.ref('e.first')).then(eb.ref('restored.median')).end().as('restore'),
          eb
            .case()
            .when(eb.ref('e.first'))
            .then(eb.fn.coalesce('opened.incidents', eb.lit(0)))
            .when(eb.ref('e.production'))
            .then(eb.lit(0))
            .end()
            .as('incidents'),
        ]),
    );

const METRICS = [
  'deployment_frequency',
  'lead_time_for_changes_in_seconds',
  'time_to_restore_service_in_seconds',
  'incidents_count',
] as const;

/** Writes the rows that differ and removes those that should not be, by one statement. @returns how many these were */
async function write(ctx: Context, sources: Sources): Promise<number> {
  const { changed } = await computed(ctx, sources)
    .with('gone', (of) =>
      of
        .deleteFrom('dora_daily_metrics as m')
        .where(sources.stored)
        .where((eb) => {
          const kept = eb
            .selectFrom('wanted as w')
            .select(eb.lit(1).as('one'))
            .whereRef('w.environment_id', '=', 'm.environment_id')
            .whereRef('w.date', '=', 'm.date');
          return eb.not(eb.exists(kept));
        })
        .returning(constant(1).as('one')),
    )
    .with('written', (of) =>
      of
        .insertInto('dora_daily_metrics')
        .columns(['environment_id', 'date', 'project_id', ...METRICS])
        .expression((eb) =>
          eb
            .selectFrom('wanted as w')
            .select([
              'w.environment_id',
              'w.date',
              'w.project_id',
              'w.deployments',
              'w.lead',
              'w.restore',
              'w.incidents',
            ]),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['environment_id', 'date'])
            .doUpdateSet((eb) => Object.fromEntries(METRICS.map((name) => [name, eb.ref(`excluded.${name}`)])))
            .where((eb) => {
              const row = <Of extends 'dora_daily_metrics' | 'excluded'>(of: Of) =>
                eb.fn<unknown>(
                  'row',
                  METRICS.map((name) => eb.ref(`${of}.${name}`)),
                );
              return eb(row('dora_daily_metrics'), 'is distinct from', row('excluded'));
            }),
        )
        .returning(constant(1).as('one')),
    )
    .selectNoFrom((eb) => {
      const count = (of: 'gone' | 'written') =>
        eb.cast<number>(
          eb
            .selectFrom(of)
            .select((rows) => rows.fn.countAll<number>().as('count'))
            .$asScalar(),
          'integer',
        );
      return eb(count('gone'), '+', count('written')).as('changed');
    })
    .executeTakeFirstOrThrow();
  return changed;
}

/**
 * Rows are computed by one transaction at a time: of two, one could else write what it had read before the other.
 * Environments that they belong to stay until it ends.
 */
async function holdAlone(ctx: Context, environments: Among<'e'>): Promise<void> {
  await lockName(ctx, 'dora_daily_metrics');
  await readRows(ctx.em, environments.select('e.id').orderBy('e.id').forKeyShare('e'));
}

/**
 * Computes days of environments anew, with those days of the projects' first environment of production, in the open
 * transaction.
 * @returns how many rows were written or removed
 */
export async function rollUpDays(ctx: Context, days: readonly EnvironmentDay[]): Promise<number> {
  const given = db
    .selectFrom(unnestedRows(days, { environment_id: 'bigint', date: 'date' }).as('g'))
    .innerJoin('environments as o', 'o.id', 'g.environment_id');
  // An incident belongs to whichever environment is the first one now.
  const keys = given
    .select(['g.environment_id', 'g.date', 'o.project_id'])
    .union(
      given
        .crossJoinLateral((eb) =>
          eb
            .selectFrom('environments as f')
            .select('f.id')
            .whereRef('f.project_id', '=', 'o.project_id')
            .where('f.tier', '=', constant('production'))
            .orderBy('f.id')
            .limit(constant(1))
            .as('first'),
        )
        .select(['first.id as environment_id', 'g.date', 'o.project_id']),
    )
    .as('k');
  const environments = db
    .selectFrom('environments as e')
    .where('e.id', 'in', db.selectFrom(keys).select('k.environment_id'));
  const projectDays = db.selectFrom(keys).select(['k.project_id', 'k.date']).distinct().as('k');
  const incidents = (by: 'closed_at' | 'created_at') =>
    db
      .selectFrom(projectDays)
      .innerJoin('issues as i', 'i.project_id', 'k.project_id')
      .where((eb) => isOnDay(eb.ref(`i.${by}`), eb.ref('k.date'))) as unknown as Among<'i'>;
  await holdAlone(ctx, environments);
  return write(ctx, {
    environments,
    deployments: db
      .selectFrom(keys)
      .innerJoin('deployments as d', 'd.environment_id', 'k.environment_id')
      .where((eb) => isOnDay(eb.ref('d.finished_at'), eb.ref('k.date'))) as unknown as Among<'d'>,
    opened: incidents('created_at'),
    closed: incidents('closed_at'),
    stored: onRows(
      onRows.refTuple('m.environment_id', 'm.date'),
      'in',
      db.selectFrom(keys).select(['k.environment_id', 'k.date']).$asTuple('environment_id', 'date'),
    ),
  });
}

/**
 * Computes all days of some projects anew, in the open transaction.
 * @returns how many rows were written or removed
 */
export async function rollUpProjects(ctx: Context, projectIds: readonly number[]): Promise<number> {
  const ids = anyOf(projectIds, 'bigint');
  const environments = db.selectFrom('environments as e').where('e.project_id', '=', ids);
  const issues = db.selectFrom('issues as i').where('i.project_id', '=', ids);
  await holdAlone(ctx, environments);
  return write(ctx, {
    environments,
    deployments: db.selectFrom('deployments as d').where('d.project_id', '=', ids),
    opened: issues,
    closed: issues,
    stored: onRows('m.project_id', '=', ids),
  });
}
