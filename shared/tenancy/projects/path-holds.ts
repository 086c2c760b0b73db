import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyIn, arrayFrom } from '../../core/database/expressions.js';
import { idsWithin } from '../namespaces/below.js';
import { onProjects } from './project.finder.js';

/** Error for a group whose projects prevent the move. */
export const IMAGES_STAY = 'Namespace cannot be moved, because at least one project has tags in container registry';

/** That project `p` lies in a group or below it. */
export const projectsBelow = ({ id }: { id: number }): Expression<SqlBool> =>
  onProjects('p.namespace_id', '=', anyIn(arrayFrom(idsWithin(id))));

/**
 * Whether something that others know by their full path keeps projects where they are.
 * @param projects condition on `p`
 */
type PathHold = (ctx: Context, projects: Expression<SqlBool>) => Promise<boolean>;

const holds: PathHold[] = [];

/** Registers a hold from a domain above, when that domain's registry is set up. */
export function addPathHold(hold: PathHold): void {
  if (!holds.includes(hold)) holds.push(hold);
}

/** Whether any of some projects must keep its full path, `p` being those. */
export async function mustKeepPath(ctx: Context, projects: Expression<SqlBool>): Promise<boolean> {
  for (const hold of holds) if (await hold(ctx, projects)) return true;
  return false;
}
