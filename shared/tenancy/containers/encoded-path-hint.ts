import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { NotFound, ProjectMoved } from '../../core/values/errors.js';
import { findGroup } from '../groups/group.finder.js';
import { findProject } from '../projects/project.finder.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

/** As deep as groups nest, and a project below them. */
const MOST_SEGMENTS = 21;

/**
 * For a URL that matches no route: whether its segments begin with the full path of a project or group visible to the
 * caller, which must be URL-encoded into one segment. Null otherwise.
 * @param segments decoded, after `/projects` or `/groups`
 */
export async function encodedPathHint(
  ctx: Context,
  kind: 'projects' | 'groups',
  segments: readonly string[],
): Promise<string | null> {
  const paths = segments.slice(0, MOST_SEGMENTS).map((_segment, at) => segments.slice(0, at + 1).join('/'));
  const nested = paths.slice(1);
  // Text that the database cannot store is never a path.
  if (nested.length === 0 || nested.some((path) => path.includes('\0') || !path.isWellFormed())) return null;
  const lower = nested.map((path) => path.toLowerCase());
  const found = await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('routes as r')
    .select('r.path')
    .where((eb) => eb(eb.fn('lower', ['r.path']), '=', anyOf(lower, 'text')))
    .where(kind === 'projects' ? 'r.project_id' : 'r.namespace_id', 'is not', null)
    .orderBy((eb) => eb.fn('length', ['r.path']), 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!found) return null;
  try {
    await (kind === 'projects' ? findProject(ctx, found.path) : findGroup(ctx, found.path));
  } catch (error) {
    if (error instanceof NotFound || error instanceof ProjectMoved) return null;
    throw error;
  }
  return `A full path is one segment: write /${kind}/${encodeURIComponent(found.path)}.`;
}
