import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, isOnDay, secondsBetween } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { visibleMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { visibleIssues } from '../../planning/issues/visible-issues.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { isAmong, isProjectOf } from './dora-points.js';

/** The point to explain. */
export interface Behind {
  readonly container: ContainerRef;
  readonly tiers: readonly string[];
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
}

/** What lies behind a point: `count` of all, of which the caller may not see `hidden`; the first of the others. */
export interface Evidence {
  count: number;
  hidden: number;
  items: readonly Record<string, unknown>[];
}

/** Maximum number of items returned for a point. */
const MOST_ITEMS = 1000;

type OfEvidence = Aliased<
  DeploymentsDatabase,
  {
    e: 'environments';
    d: 'deployments';
    l: 'deployment_merge_requests';
    r: 'merge_requests';
    i: 'issues';
    p: 'projects';
    n: 'namespaces';
  }
>;
const on = expressionBuilder<OfEvidence, 'd' | 'i' | 'p' | 'r'>();

/** In the year 0 nothing was deployed, and the database has none. */
const dayIs = (instant: Expression<Date | null>, date: string) =>
  isOnDay(instant, date < '0001-01-01' ? '0001-01-01' : date);

/** Candidates for the items behind a point: whether the caller can see each, its sort position, and its JSON. */
type Candidates = SelectQueryBuilder<
  never,
  never,
  { visible: SqlBool; position: number; item: Record<string, unknown> }
>;

async function evidence(ctx: Context, candidates: Candidates): Promise<Evidence> {
  const rows = await ctx.em
    .getKysely<DeploymentsDatabase>()
    .selectFrom(candidates.as('s'))
    .select((eb) => [
      's.visible',
      eb.cast<number>(eb.fn.countAll().over(), 'integer').as('count'),
      eb
        .cast<number>(
          eb.fn
            .countAll()
            .filterWhere(eb.not(eb.ref('s.visible')))
            .over(),
          'integer',
        )
        .as('hidden'),
      eb.case().when(eb.ref('s.visible')).then(eb.ref('s.item')).end().as('item'),
    ])
    .orderBy('s.visible', 'desc')
    .orderBy('s.position')
    .limit(MOST_ITEMS)
    .execute();
  const [first] = rows;
  return {
    count: first?.count ?? 0,
    hidden: first?.hidden ?? 0,
    items: rows.map(({ item }) => item).filter((item) => item !== null),
  };
}

/** A text as JSON writes instants. */
const instant = (value: Expression<Date | null>) =>
  on.fn<string | null>('to_char', [
    on.fn('timezone', [constant('UTC'), value]),
    constant('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  ]);

/** The successful deployments `d` of a day with their projects `p`. */
const deployed = ({ container, tiers, date }: Behind) =>
  on
    .selectFrom('environments as e')
    .innerJoin('deployments as d', 'd.environment_id', 'e.id')
    .where(isAmong(container, tiers))
    .where('d.status', '=', constant('success'))
    .where(dayIs(on.ref('d.finished_at'), date));

/**
 * Callers who may read the metrics of a project are Reporters there, and see deployments unless the project disables
 * them.
 */
const seesDeployments = on.and([
  on('p.builds_access_level', '<>', constant('disabled')),
  on('p.environments_access_level', '<>', constant('disabled')),
]);

/** The successful deployments of a day. */
export const deploymentsBehind = (ctx: Context, behind: Behind): Promise<Evidence> =>
  evidence(
    ctx,
    deployed(behind)
      .innerJoin('projects as p', 'p.id', 'd.project_id')
      .select((eb) => [
        seesDeployments.as('visible'),
        'd.id as position',
        jsonBuildObject({
          id: eb.ref('d.id'),
          iid: eb.ref('d.iid'),
          project_id: eb.ref('d.project_id'),
          environment_id: eb.ref('d.environment_id'),
          ref: eb.ref('d.ref'),
          sha: eb.ref('d.sha'),
          finished_at: instant(eb.ref('d.finished_at')),
        }).as('item'),
      ]),
  );

/** The merge requests that came with the deployments of a day. */
export const mergeRequestsBehind = (ctx: Context, behind: Behind): Promise<Evidence> =>
  evidence(
    ctx,
    deployed(behind)
      .innerJoin('deployment_merge_requests as l', 'l.deployment_id', 'd.id')
      .innerJoin('merge_requests as r', 'r.id', 'l.merge_request_id')
      .innerJoin('projects as p', 'p.id', 'r.project_id')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .where('r.merged_at', 'is not', null)
      .select((eb) => [
        eb.parens(eb.and([visibleMergeRequests(ctx), seesDeployments])).as('visible'),
        'l.merge_request_id as position',
        jsonBuildObject({
          id: eb.ref('r.id'),
          iid: eb.ref('r.iid'),
          project_id: eb.ref('r.project_id'),
          title: eb.ref('r.title'),
          merged_at: instant(eb.ref('r.merged_at')),
          deployment_id: eb.ref('d.id'),
          environment_id: eb.ref('d.environment_id'),
          finished_at: instant(eb.ref('d.finished_at')),
          lead_time: eb.fn<number>('greatest', [
            secondsBetween(eb.ref('r.merged_at'), eb.ref('d.finished_at')),
            constant(0),
          ]),
        }).as('item'),
      ]),
  );

/** The incidents that were opened or closed on a day; none unless production is requested. */
export const incidentsBehind = (
  ctx: Context,
  { container, tiers, date }: Behind,
  by: 'created_at' | 'closed_at',
): Promise<Evidence> =>
  evidence(
    ctx,
    on
      .selectFrom('issues as i')
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .where(isProjectOf(container, on.ref('i.project_id')))
      .where('i.issue_type', '=', constant('incident'))
      .$if(by === 'closed_at', (query) => query.where('i.state', '=', constant('closed')))
      .where(dayIs(on.ref(`i.${by}`), date))
      .where(on(constant<string>('production'), '=', anyOf(tiers, 'text')))
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('environments as e')
            .select(eb.lit(1).as('one'))
            .whereRef('e.project_id', '=', 'i.project_id')
            .where('e.tier', '=', constant('production')),
        ),
      )
      .select((eb) => [
        visibleIssues(ctx).as('visible'),
        'i.id as position',
        jsonBuildObject({
          id: eb.ref('i.id'),
          iid: eb.ref('i.iid'),
          project_id: eb.ref('i.project_id'),
          title: eb.ref('i.title'),
          state: eb.ref('i.state'),
          created_at: instant(eb.ref('i.created_at')),
          closed_at: instant(eb.ref('i.closed_at')),
          time_to_restore: secondsBetween(eb.ref('i.created_at'), eb.ref('i.closed_at')),
        }).as('item'),
      ]),
  );
