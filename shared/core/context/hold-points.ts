/**
 * Points at which a test can hold a run, so that races are reproduced and not hoped for. The service installs nothing,
 * and a point then costs a comparison; a test puts a {@link HoldPoints} into the services of its app.
 */
export interface HoldPoints {
  /** Called whenever a run comes to a point; the run goes on once the result is settled. */
  reach(point: HoldPoint, id: number): Promise<void>;
}

/**
 * The points, each with the id that it comes with. `pipeline.loaded`: the jobs of a pipeline were read, nothing is
 * written yet. `jobs.canceling`: its pipeline is locked, its jobs are not. `job.claimed`: a runner's request has a job's
 * row, and nothing is committed yet. `jobs.ending`: jobs of a pipeline are about to end. `pipelines.pruning`: old
 * pipelines were found, and are about to be locked.
 */
export type HoldPoint = 'pipeline.loaded' | 'jobs.canceling' | 'job.claimed' | 'jobs.ending' | 'pipelines.pruning';

/** What a context has of them. */
interface Held {
  readonly services: { readonly holdPoints?: HoldPoints };
}

/** Waits at a point as long as a test holds it. */
export async function reachHoldPoint({ services }: Held, point: HoldPoint, id: number): Promise<void> {
  await services.holdPoints?.reach(point, id);
}
