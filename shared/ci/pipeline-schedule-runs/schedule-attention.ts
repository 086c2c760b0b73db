import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { VisibleSchedule } from '../pipeline-schedules/visible-schedules.js';

/** Why somebody should look at a schedule; the first that holds. */
export const ATTENTIONS = ['owner_missing', 'owner_blocked', 'ref_missing', 'failed', 'missed'] as const;
type Attention = (typeof ATTENTIONS)[number];

/** Who was blocked takes the schedules along: they are inactive, and their newest run was skipped. */
const ownerBlocked = sql`(s.active or s.trouble = 'skipped') and exists (
  select 1 from users o where o.id = s.owner_id and o.state <> 'active')`;
const refMissing = sql`s.active and not exists (
  select 1 from repository_refs f where f.project_id = s.project_id and f.full_name = s.ref)`;

/** Schedules `s` that somebody should look at: the next run will fail, or the newest one did. */
export const needsAttention: Fragment = sql`(s.trouble in ('failed', 'missed') or s.active and s.owner_id is null
  or (${ownerBlocked}) or (${refMissing})) is true`;

/** Why somebody should look at each of many schedules; nothing for those that are well. */
export const attentions = load(
  ({ id }: Readonly<VisibleSchedule>) => id,
  async (ctx, schedules) => {
    const rows = await ctx.query<{ id: number; attention: Attention }>(sql`
      select s.id, case when s.active and s.owner_id is null then 'owner_missing'
                        when ${ownerBlocked} then 'owner_blocked'
                        when ${refMissing} then 'ref_missing'
                        else s.trouble end as attention
        from pipeline_schedules s where s.id = any(${schedules.map(({ id }) => id)}::bigint[]) and ${needsAttention}`);
    return new Map(rows.map(({ id, attention }) => [id, attention]));
  },
);
