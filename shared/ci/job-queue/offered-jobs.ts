import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Runner } from '../runners/runner.entity.js';

/** The channel on which API processes hear of jobs for runners, and of changed runners: triggers send the latter. */
export const RUNNERS_CHANNEL = 'capstan_runners';

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const PAYLOAD_BYTES = 7_900;

/** Queued jobs of one project that the same runners may take. */
export interface OfferedJobs {
  readonly project_id: number;
  /** The groups above the project. */
  readonly namespace_ids: readonly number[];
  /** Whether the project uses instance runners, and group runners. */
  readonly instance: boolean;
  readonly group: boolean;
  readonly protected: boolean;
  /** Null for any: there are more than a notification holds. */
  readonly tags: readonly string[] | null;
  readonly count: number;
}

/** What is heard: jobs, under a name that each process hears in the same order; or a runner that changed. */
export interface RunnersNotification {
  readonly jobs?: readonly OfferedJobs[];
  readonly version?: string;
  readonly runner?: number;
}

const writePayload = (version: string, jobs: readonly OfferedJobs[]): string =>
  JSON.stringify({ version, jobs } satisfies RunnersNotification);

const isShort = (payload: string): boolean => Buffer.byteLength(payload) <= PAYLOAD_BYTES;

/** Notifications of these jobs: as few as can hold them. */
function writePayloads(version: string, jobs: readonly OfferedJobs[]): string[] {
  const payload = writePayload(version, jobs);
  if (isShort(payload)) return [payload];
  const [only] = jobs;
  if (jobs.length === 1 && only) return [writePayload(version, [{ ...only, tags: null }])];
  const half = Math.ceil(jobs.length / 2);
  return [...writePayloads(version, jobs.slice(0, half)), ...writePayloads(version, jobs.slice(half))];
}

/**
 * Offers queued jobs to the runners that wait in any process, once the transaction is committed.
 * @param version differs from that of every other offer
 */
export async function offerJobs(ctx: Context<Caller>, version: string, jobs: readonly OfferedJobs[]): Promise<void> {
  const db = ctx.em.getKysely<CiDatabase>();
  for (const payload of writePayloads(version, jobs))
    await db
      .selectNoFrom((eb) => eb.fn<void>('pg_notify', [eb.val(RUNNERS_CHANNEL), eb.val(payload)]).as('notified'))
      .execute();
}

/** What decides which jobs a runner may take. */
export type MatchedRunner = Pick<
  Runner,
  'id' | 'runner_type' | 'namespace_id' | 'tag_list' | 'run_untagged' | 'access_level'
>;

/** Whether a runner could take such jobs: that a project's own runner is assigned to the project is asked elsewhere. */
export function couldTake(runner: MatchedRunner, jobs: OfferedJobs): boolean {
  const { runner_type: type, namespace_id: groupId } = runner;
  if (type === 'instance_type' && !jobs.instance) return false;
  if (type === 'group_type' && !(jobs.group && jobs.namespace_ids.includes(groupId ?? 0))) return false;
  if (runner.access_level === 'ref_protected' && !jobs.protected) return false;
  if (jobs.tags === null) return true;
  return jobs.tags.length === 0 ? runner.run_untagged : jobs.tags.every((tag) => runner.tag_list.includes(tag));
}
