import type { Context } from '../../core/context.js';
import { NotFound, ProjectMoved } from '../../core/errors.js';
import { findGroup } from '../groups/group.finder.js';
import { findProject } from '../projects/project.finder.js';
import { sql } from '../../core/sql.js';

/** As deep as groups nest, and a project below them. */
const MOST_SEGMENTS = 21;

/**
 * For a URL that leads nowhere: whether its segments begin with the full path of a project or group that the caller may
 * see, which belongs into one segment. Null where they don't.
 * @param segments decoded, behind `/projects` or `/groups`
 */
export async function encodedPathHint(
  ctx: Context,
  kind: 'projects' | 'groups',
  segments: readonly string[],
): Promise<string | null> {
  const paths = segments.slice(0, MOST_SEGMENTS).map((_segment, at) => segments.slice(0, at + 1).join('/'));
  const nested = paths.slice(1);
  // No path has what the database does not store.
  if (nested.length === 0 || nested.some((path) => path.includes('\0') || !path.isWellFormed())) return null;
  const found = await ctx.queryOne<{ path: string }>(sql`
    select r.path as "path" from routes r
     where lower(r.path) = any(${nested.map((path) => path.toLowerCase())}::text[])
       and ${kind === 'projects' ? sql`r.project_id is not null` : sql`r.namespace_id is not null`}
     order by length(r.path) desc limit 1`);
  if (!found) return null;
  try {
    await (kind === 'projects' ? findProject(ctx, found.path) : findGroup(ctx, found.path));
  } catch (error) {
    if (error instanceof NotFound || error instanceof ProjectMoved) return null;
    throw error;
  }
  return `A full path is one segment: write /${kind}/${encodeURIComponent(found.path)}.`;
}
