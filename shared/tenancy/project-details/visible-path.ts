import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { findGroupByPath } from '../groups/group.finder.js';
import { findVisibleProject } from '../projects/project.finder.js';
import { findUserByUsername } from '../users/user.finder.js';

/** The kind of resource at a path: a specific one, or any. */
export type PathKind = 'project' | 'group' | 'any';

/** Valid path of a resource; other addresses are not looked up. */
const PATH = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

const isThere = async (find: () => Promise<unknown>): Promise<boolean> => {
  try {
    return (await find()) !== null;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
};

/**
 * Whether a full path resolves to something visible to the caller, so that its page exists: a project that they may
 * read, also by a former path; a group that they may read; a user, for signed-in callers.
 * @param kind the resource type of the page
 */
export async function isPathVisible(ctx: Context, kind: PathKind, path: string): Promise<boolean> {
  if (!PATH.test(path)) return false;
  if (kind !== 'group' && path.includes('/') && (await findVisibleProject(ctx, path))) return true;
  if (kind === 'project') return false;
  if (await isThere(() => findGroupByPath(ctx, path))) return true;
  if (kind === 'group' || ctx.caller.anonymous || path.includes('/')) return false;
  return isThere(() => findUserByUsername(ctx, path));
}
