import type { Context } from '../../core/context/context.js';

/**
 * Removes some of what a user wrote, in the open transaction: at most `limit` things.
 * @returns whether there may be more
 */
type RemoveContent = (ctx: Context, userId: number, limit: number) => Promise<boolean>;

const removals: RemoveContent[] = [];

/** Has what users write in a higher domain go with them when they are removed hard. Called where its registry is made. */
export function removeWithAuthor(remove: RemoveContent): void {
  removals.push(remove);
}

/** One step of emptying all domains of a user's own words. @returns whether there may be more */
export async function removeAuthoredContent(ctx: Context, userId: number, limit: number): Promise<boolean> {
  for (const remove of removals) if (await remove(ctx, userId, limit)) return true;
  return false;
}
