import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { findGroupByPath } from '../groups/group.finder.js';
import { findVisibleProject } from '../projects/project.finder.js';
import { findUserByUsername } from '../users/user.finder.js';

/** What may stand behind a path: one of them, or any. */
export type PathKind = 'project' | 'group' | 'any';

/** Segments of a path that names something; what else comes as an address is not looked up. */
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
 * Whether the caller may know that a full path names something, so that a page about it is there: a project that they
 * may read, also by a path that it had; a group that they may read; a user, for who is signed in.
 * @param kind what the page is of
 */
export async function isPathVisible(ctx: Context, kind: PathKind, path: string): Promise<boolean> {
  if (!PATH.test(path)) return false;
  if (kind !== 'group' && path.includes('/') && (await findVisibleProject(ctx, path))) return true;
  if (kind === 'project') return false;
  if (await isThere(() => findGroupByPath(ctx, path))) return true;
  if (kind === 'group' || ctx.caller.anonymous || path.includes('/')) return false;
  return isThere(() => findUserByUsername(ctx, path));
}
