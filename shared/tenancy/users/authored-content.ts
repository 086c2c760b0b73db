import type { Context } from '../../core/context/context.js';

/**
 * Deletes content that a user wrote, in the open transaction: at most `limit` records.
 * @returns whether there may be more
 */
type RemoveContent = (ctx: Context, userId: number, limit: number) => Promise<boolean>;

const removals: RemoveContent[] = [];

/** Has what users write in a higher domain go with them when they are removed hard. Called where its registry is made. */
export function removeWithAuthor(remove: RemoveContent): void {
  removals.push(remove);
}

/** One batch of deleting a user's own content from all domains. @returns whether there may be more */
export async function removeAuthoredContent(ctx: Context, userId: number, limit: number): Promise<boolean> {
  for (const remove of removals) if (await remove(ctx, userId, limit)) return true;
  return false;
}
