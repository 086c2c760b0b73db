import type { CallerToken, Principal } from '../../core/context/callers.js';
import { pipelineRefName } from '../pipelines/pipeline-refs.js';
import type { FoundRun } from './find-run.js';

declare module '../../core/context/callers.js' {
  interface TokenKinds {
    job: true;
  }
  interface Principals {
    job: JobTokenCaller;
  }
}

/** What the token of a job may do with the job's own project. */
const RIGHTS: ReadonlySet<string> = new Set(['read_project', 'read_code']);

/** Policies receive records of many kinds; tokens of jobs have abilities only on their project. */
function isProject(record: unknown): record is { id: number; removal_started_at: Date | null } {
  const { id, namespace } = (record ?? {}) as { id?: unknown; namespace?: { traversal_ids?: unknown } };
  return typeof id === 'number' && Array.isArray(namespace?.traversal_ids);
}

/**
 * A job as a separate kind of caller (decision 36): it reads the code of its own project, and the ref of its pipeline,
 * as long as the user that it runs for may read the code.
 */
export class JobTokenCaller implements Principal {
  readonly kind = 'job';
  readonly id: number;
  readonly name: string;
  readonly token: CallerToken;
  readonly hiddenRefs: readonly string[];
  readonly #projectId: number;

  constructor({ id, job }: FoundRun) {
    this.id = job.id;
    this.name = `Job ${job.id}`;
    this.token = { kind: 'job', id, scopes: ['read_repository'] };
    this.hiddenRefs = [pipelineRefName(job.pipeline_id)];
    this.#projectId = job.project_id;
  }

  may(ability: string, record: unknown): boolean {
    if (!RIGHTS.has(ability) || !isProject(record)) return false;
    return record.id === this.#projectId && record.removal_started_at === null;
  }
}
