import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { sameText } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

const onRoutes = expressionBuilder<Aliased<TenancyDatabase, { r: 'routes' }>, 'r'>();

const ENDING = '.wiki';

/**
 * Routes `r` that conflict with a project or group of a full path. A wiki is a repository at its container's path plus
 * `.wiki`, so a project with that path would share its location. Groups have no repositories and do not conflict.
 */
export function conflictsWithWiki(path: string, kind: 'group' | 'project'): Expression<SqlBool> {
  const hasPath = (one: string) => sameText(onRoutes.ref('r.path'), one);
  const isWiki = onRoutes.and([hasPath(path + ENDING), onRoutes('r.project_id', 'is not', null)]);
  const hasWiki = kind === 'project' && path.toLowerCase().endsWith(ENDING);
  return hasWiki ? onRoutes.or([isWiki, hasPath(path.slice(0, -ENDING.length))]) : isWiki;
}

/** Whether a project has the path that the wiki of a group at this one would have. */
export async function isWikiPathTaken(ctx: Context, path: string): Promise<boolean> {
  const found = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('routes as r')
    .select('r.id')
    .where(conflictsWithWiki(path, 'group'))
    .executeTakeFirst();
  return found !== undefined;
}
