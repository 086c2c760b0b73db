import { distance } from 'fastest-levenshtein';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { shortRef } from './repository-ref.finder.js';

/** Names that are compared letter by letter: those that share most with the one that was sent. */
const COMPARED = 200;

/** The name that was meant: at most a third of its letters differ. */
function getNearest(name: string, names: readonly string[]): string | null {
  const most = Math.max(2, Math.floor(name.length / 3));
  const [nearest] = names
    .map((candidate) => ({ candidate, letters: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ letters }) => letters <= most)
    .sort((one, other) => one.letters - other.letters);
  return nearest?.candidate ?? null;
}

/**
 * A hint for a missing or ambiguous ref: the nearest name, for callers who may read the code.
 * @param ref as submitted by the caller
 */
export async function refHint(ctx: Context, projectId: number, ref: string): Promise<string> {
  const name = shortRef(ref);
  const rows = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('repository_refs as r')
    .select('r.name')
    .where('r.project_id', '=', projectId)
    .where('r.kind', '<>', constant('other'))
    .orderBy((eb) => eb('r.name', '=', name), 'desc')
    .orderBy((eb) => eb.fn('similarity', ['r.name', eb.val(name)]), 'desc')
    .orderBy((eb) => eb.fn('abs', [eb(eb.fn<number>('length', ['r.name']), '-', name.length)]))
    .orderBy('r.name')
    .limit(constant(COMPARED))
    .execute();
  const names = rows.map((row) => row.name);
  if (names.length === 0) return 'The repository has no branch and no tag yet.';
  const same = names.filter((candidate) => candidate === name);
  if (same.length > 1) return `It is a branch and a tag: name one as refs/heads/${name} or refs/tags/${name}.`;
  const nearest = same.length === 0 ? getNearest(name, names) : null;
  return `There is no branch or tag "${name}".${nearest === null ? '' : ` The nearest is "${nearest}".`}`;
}
