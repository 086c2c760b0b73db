import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/** The group or project that labels are made in. */
export interface LabelsPlace {
  readonly ctx: Context;
  /** Column by which labels name it. */
  readonly column: Sql;
  readonly id: number;
  /** That a label `l` is in force there. */
  readonly inForce: Sql;
}

/**
 * Makes labels that something of the archive has and neither the archive nor a group above: they were of a group above
 * where it was exported.
 * @param named rows with `line` and `label`, a label as it stands beside what has it
 */
export async function makeNamedLabels({ ctx, column, id, inForce }: LabelsPlace, named: Sql): Promise<void> {
  const now = ctx.clock.now();
  await ctx.query(sql`
    insert into labels (${column}, title, color, description, archived, created_at, updated_at)
    select distinct on (e.label ->> 'title') ${id}::bigint, e.label ->> 'title', e.label ->> 'color',
           e.label ->> 'description', false, ${now}::timestamptz, ${now}::timestamptz
      from (${named}) e
     where e.label ->> 'title' is not null and e.label ->> 'color' is not null
       and not exists (select 1 from labels l where ${inForce} and l.title = e.label ->> 'title')
     order by e.label ->> 'title', e.line
    on conflict do nothing`);
}
