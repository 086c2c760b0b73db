import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** The titles of labels by their ids; ids that name none are left out. Says nothing of rights: titles are looked up in the project again. */
export async function labelTitlesById(ctx: Context, ids: readonly number[]): Promise<string[]> {
  const rows = await ctx.query<{ title: string }>(sql`
    select l.title as "title" from labels l where l.id = any(${ids}::bigint[]) order by l.id`);
  return rows.map(({ title }) => title);
}
