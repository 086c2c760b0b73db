import type { Context } from '../../core/context.js';
import { empty, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

const ENDING = '.wiki';

/**
 * Which routes `r` a project or group of a full path may not stand beside: wikis are repositories at the path of what
 * they belong to with `.wiki` behind it, and a project called so would be there as well. Groups are no repositories.
 */
export const besideItsWiki = (path: string, kind: 'group' | 'project'): Fragment => sql`
  ((lower(r.path) = lower(${path + ENDING}) and r.project_id is not null)
   ${
     kind === 'project' && path.toLowerCase().endsWith(ENDING)
       ? sql`or lower(r.path) = lower(${path.slice(0, -ENDING.length)})`
       : empty
   })`;

/** Whether a project has the path that the wiki of a group at this one would have. */
export async function wikiPathTaken(ctx: Context, path: string): Promise<boolean> {
  return (await ctx.queryOne(sql`select 1 as found from routes r where ${besideItsWiki(path, 'group')}`)) !== null;
}
