import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant, secondsBetween, selectUtcDay } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';

/** What conditions name: environments `e`, deployments `d`, incidents `i`, rows `m`. */
export type OfDora = Aliased<
  DeploymentsDatabase,
  { e: 'environments'; d: 'deployments'; i: 'issues'; m: 'dora_daily_metrics' }
>;
const db = expressionBuilder<OfDora>();

/** Rows of a table with conditions, and without columns. */
export type Among<Alias extends 'd' | 'e' | 'i'> = SelectQueryBuilder<OfDora, Alias, object>;

/** Where rows are computed from, for one set of environments and days. */
export interface Sources {
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
const getEnvs = (environments: Among<'e'>) =>
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
    .select((eb) => ['d.environment_id', selectUtcDay(eb.ref('d.finished_at')).as('date')])
    .groupBy((eb) => ['d.environment_id', selectUtcDay(eb.ref('d.finished_at'))]);

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
      selectUtcDay(eb.ref('i.created_at')).as('date'),
      eb.cast<number>(eb.fn.countAll(), 'integer').as('incidents'),
    ])
    .groupBy((eb) => ['i.project_id', selectUtcDay(eb.ref('i.created_at'))]);

const restoredIncidents = (closed: Among<'i'>) =>
  closed
    .where('i.issue_type', '=', constant('incident'))
    .where('i.state', '=', constant('closed'))
    .where('i.closed_at', 'is not', null)
    .select((eb) => [
      'i.project_id',
      selectUtcDay(eb.ref('i.closed_at')).as('date'),
      median(secondsBetween(eb.ref('i.created_at'), eb.ref('i.closed_at'))).as('median'),
    ])
    .groupBy((eb) => ['i.project_id', selectUtcDay(eb.ref('i.closed_at'))]);

/**
 * Computes the rows (dora.md section 3), as `requested`, for days with a successful deployment or, at the project's
 * first production environment, an incident that was opened or closed. Other production environments have no incidents,
 * so that each counts once; environments of other tiers have null.
 */
export const computeRows = (ctx: Context, { environments, deployments, opened, closed }: Sources) =>
  ctx.em
    .getKysely<OfDora>()
    .with(
      (cte) => cte('envs').materialized(),
      () => getEnvs(environments),
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
    .with('requested', (of) =>
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
