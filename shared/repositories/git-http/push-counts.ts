import { countNewCommits } from '../../git/index.js';
import type { PushedObject, QuarantinedRepository } from '../../git/index.js';
import { MOST_EACH } from '../push-events/pushed-ref.js';
import type { PushedRef } from '../push-events/pushed-ref.js';
import { shortRef } from '../repositories/repository-ref.finder.js';
import { isBranch } from './pending-refs.js';
import type { PendingRef } from './pending-refs.js';

const actionOf = ({ old, new: next }: PendingRef): PushedRef['action'] =>
  next === null ? 'removed' : old === null ? 'created' : 'pushed';

const groupOf = (ref: PendingRef) => `${isBranch(ref)} ${actionOf(ref)}`;

/** Refs of which each is told by an event of its own. */
function toldEach(refs: readonly PendingRef[]): PendingRef[] {
  const groups = Map.groupBy(refs, groupOf);
  return [...groups.values()].filter((group) => group.length <= MOST_EACH).flat();
}

/**
 * How many commits each of these branches gets, of those that are told one by one: what is on the default branch a new
 * one does not count.
 * @param base the head of the default branch, null without one
 */
export async function countCommits(
  repository: QuarantinedRepository,
  refs: readonly PendingRef[],
  base: string | null,
): Promise<Map<string, number>> {
  const counted = await Promise.all(
    toldEach(refs).map(async (ref): Promise<[string, number]> => {
      if (ref.new === null) return [ref.ref, 0];
      return [ref.ref, isBranch(ref) ? await countNewCommits(repository, ref.new, ref.old ?? base) : 1];
    }),
  );
  return new Map(counted);
}

/** What a push did with refs, as events tell it. */
export function pushedRefs(
  refs: readonly PendingRef[],
  objects: ReadonlyMap<string, PushedObject>,
  counts: ReadonlyMap<string, number>,
): PushedRef[] {
  return refs.map((ref) => ({
    ref_type: isBranch(ref) ? 'branch' : 'tag',
    action: actionOf(ref),
    ref: shortRef(ref.ref),
    commit_from: ref.old,
    commit_to: ref.new,
    commit_count: counts.get(ref.ref) ?? null,
    commit_title: ref.new === null ? null : (objects.get(ref.new)?.title ?? null),
  }));
}
