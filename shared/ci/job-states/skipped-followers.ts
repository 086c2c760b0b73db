import type { PlannedJob } from './plan-transitions.js';

type Follower = Pick<PlannedJob, 'id' | 'name' | 'stage_index' | 'status' | 'needs_jobs'>;

/**
 * The skipped jobs that follow, directly or not, from jobs that begin again: whether they are skipped is open again.
 * @param jobs of the pipeline's configuration, without those that newer ones replaced
 * @param needs names of the jobs that a job needs, by its id
 * @param startedNames of the jobs that begin
 */
export function findSkippedFollowers(
  jobs: readonly Follower[],
  needs: ReadonlyMap<number, readonly string[]>,
  startedNames: readonly string[],
): number[] {
  const names = new Set(startedNames);
  const stageOf = (job: Follower) => job.stage_index ?? 0;
  let earliest = Math.min(...jobs.filter((job) => names.has(job.name)).map(stageOf));
  const follows = (job: Follower) =>
    job.needs_jobs ? (needs.get(job.id) ?? []).some((name) => names.has(name)) : stageOf(job) > earliest;
  let open = jobs.filter((job) => job.status === 'skipped');
  const found: number[] = [];
  for (let size = -1; size !== found.length;) {
    size = found.length;
    const remaining: Follower[] = [];
    for (const job of open) {
      if (!follows(job)) {
        remaining.push(job);
        continue;
      }
      found.push(job.id);
      names.add(job.name);
      earliest = Math.min(earliest, stageOf(job));
    }
    open = remaining;
  }
  return found;
}
