import { countNewCommits } from '../../git/index.js';
import type { PushedObject, QuarantinedRepository } from '../../git/index.js';
import { eachHasEvent } from '../repositories/pushed-ref.js';
import type { PushedRef } from '../repositories/pushed-ref.js';
import { shortRef } from '../repositories/repository-ref.finder.js';
import { isBranch, isOther } from './pending-refs.js';
import type { PendingRef } from './pending-refs.js';

const getAction = ({ old, new: next }: PendingRef): PushedRef['action'] =>
  next === null ? 'removed' : old === null ? 'created' : 'pushed';

const getGroup = (ref: PendingRef) => `${isBranch(ref)} ${getAction(ref)}`;

/** Refs other than branches and tags trigger no event. */
const hasEvent = (ref: PendingRef): boolean => !isOther(ref);

/** Refs that get an individual event each. */
function selectCounted(refs: readonly PendingRef[]): PendingRef[] {
  const groups = Map.groupBy(refs.filter(hasEvent), getGroup);
  return [...groups.values()].filter(eachHasEvent).flat();
}

/** Counts the commits that branches get, each once. */
export class CommitCounts {
  readonly #counts = new Map<string, Promise<number>>();

  /**
   * @param repository contains the commits; null if no ref is created or moved
   * @param base the head of the default branch: its commits are not counted for a new branch; null without one
   */
  constructor(
    private readonly repository: QuarantinedRepository | null,
    private readonly base: string | null,
  ) {}

  /** Counts for those of these refs with individual events, by their full names. */
  async of(refs: readonly PendingRef[]): Promise<Map<string, number>> {
    const counted = selectCounted(refs).map(async (ref): Promise<[string, number]> => [ref.ref, await this.#of(ref)]);
    return new Map(await Promise.all(counted));
  }

  #of(ref: PendingRef): number | Promise<number> {
    if (ref.new === null) return 0;
    if (!isBranch(ref) || !this.repository) return 1;
    const counting = this.#counts.get(ref.ref);
    if (counting) return counting;
    const count = countNewCommits(this.repository, ref.new, ref.old ?? this.base);
    this.#counts.set(ref.ref, count);
    return count;
  }
}

/** The ref changes of a push, for events. */
export function pushedRefs(
  refs: readonly PendingRef[],
  objects: ReadonlyMap<string, PushedObject>,
  counts: ReadonlyMap<string, number>,
): PushedRef[] {
  return refs.filter(hasEvent).map((ref) => ({
    ref_type: isBranch(ref) ? 'branch' : 'tag',
    action: getAction(ref),
    ref: shortRef(ref.ref),
    commit_from: ref.old,
    commit_to: ref.new,
    commit_count: counts.get(ref.ref) ?? null,
    commit_title: ref.new === null ? null : (objects.get(ref.new)?.title ?? null),
  }));
}
