import type { JobAction } from '../pg-boss/act-on-jobs.js';
import type { JobFilter } from '../pg-boss/find-jobs.js';

interface QueueJobRef {
  readonly queue: string;
  readonly id: string;
}

interface BulkCounts {
  readonly matched: number;
  readonly affected: number;
  readonly skipped: number;
}

/** What administrators do to queues and jobs. */
export interface QueueJobEvents {
  'queue_jobs.acted': { readonly action: JobAction; readonly job: QueueJobRef };
  /** Queued jobs were cancelled or deleted: unless resumed, they never run. */
  'queue_jobs.dropped': { readonly jobs: readonly QueueJobRef[] };
  /** For jobs given by id, or a small number found by a filter. */
  'queue_jobs.bulk_done': BulkCounts & { readonly action: JobAction; readonly filter: JobFilter | null };
  /** Left to a job. */
  'queue_jobs.bulk_asked': {
    readonly bulk_id: number;
    readonly action: JobAction;
    readonly filter: JobFilter;
    readonly expected: number;
  };
  'queue_jobs.bulk_finished': BulkCounts & { readonly id: number; readonly action: JobAction };
  /** Ended before its end: what was done by then stays done. */
  'queue_jobs.bulk_cancelled': BulkCounts & { readonly id: number; readonly action: JobAction };
  'queue_jobs.queue_controlled': {
    readonly queue: string;
    readonly paused: boolean;
    readonly reason: string | null;
  };
  'queue_jobs.schedule_run': { readonly name: string; readonly key: string; readonly job_id: string };
  'queue_jobs.deleted_by_context': {
    readonly queue: string;
    readonly filters: Readonly<Record<string, string>>;
    readonly deleted: number;
  };
}
