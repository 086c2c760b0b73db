import type { Expression, SqlBool } from 'kysely';
import { anyOf, constant } from '../../core/database/expressions.js';
import { load } from '../../core/context/loads.js';
import type { CiDatabase } from '../ci.entities.js';
import { onSchedules } from '../pipeline-schedules/pipeline-schedule.finder.js';
import type { VisibleSchedule } from '../pipeline-schedules/visible-schedules.js';

/** Reasons why a schedule needs attention; the first that applies is used. */
export const ATTENTIONS = [
  'owner_missing',
  'owner_blocked',
  'ref_missing',
  'failed',
  'missed',
  'config_error',
] as const;
type Attention = (typeof ATTENTIONS)[number];

const eb = onSchedules;
const isActive = eb.ref('s.active');
const ownerMissing = eb.and([isActive, eb('s.owner_id', 'is', null)]);

/** Who was blocked takes the schedules along: they are inactive, and their newest run was skipped. */
const ownerBlocked = eb.and([
  eb.or([isActive, eb('s.trouble', '=', constant('skipped'))]),
  eb.exists(
    eb
      .selectFrom('users as o')
      .select(eb.lit(1).as('one'))
      .whereRef('o.id', '=', 's.owner_id')
      .where('o.state', '<>', constant('active')),
  ),
]);

const refMissing = eb.and([
  isActive,
  eb.not(
    eb.exists(
      eb
        .selectFrom('repository_refs as f')
        .select(eb.lit(1).as('one'))
        .whereRef('f.project_id', '=', 's.project_id')
        .whereRef('f.full_name', '=', 's.ref'),
    ),
  ),
]);

const inTrouble = eb('s.trouble', 'in', [constant('failed'), constant('missed'), constant('config_error')]);

/** Condition for schedules `s` that need attention: the next run will fail, or the newest one failed. */
export const needsAttention: Expression<SqlBool> = eb(
  eb.parens(eb.or([inTrouble, ownerMissing, ownerBlocked, refMissing])),
  'is',
  true,
);

/** Why each of many schedules needs attention; healthy schedules are omitted. */
export const attentions = load(
  ({ id }: Readonly<VisibleSchedule>) => id,
  async (ctx, schedules) => {
    const rows = await ctx.em
      .getKysely<CiDatabase>()
      .selectFrom('pipeline_schedules as s')
      .select([
        's.id',
        eb
          .case()
          .when(ownerMissing)
          .then(constant<string>('owner_missing'))
          .when(ownerBlocked)
          .then(constant('owner_blocked'))
          .when(refMissing)
          .then(constant('ref_missing'))
          .else(eb.ref('s.trouble'))
          .end()
          .$castTo<Attention>()
          .as('attention'),
      ])
      .where(
        's.id',
        '=',
        anyOf(
          schedules.map(({ id }) => id),
          'bigint',
        ),
      )
      .where(needsAttention)
      .execute();
    return new Map(rows.map(({ id, attention }) => [id, attention]));
  },
);
