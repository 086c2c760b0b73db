import type { Kysely } from 'kysely';
import { isActive } from '../../ci/job-states/status-predicates.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeRequest } from '../merge-requests/merge-request.entity.js';
import type { MergeSettings } from './merge-settings.js';

const findHeadPipeline = prepareQuery(
  (
    db: Kysely<MergeRequestsDatabase>,
    { sha, project_ids }: Placeholders<{ sha: string | null; project_ids: readonly number[] }>,
  ) =>
    db
      .selectFrom('pipelines as x')
      .select('x.status')
      .where('x.sha', '=', sha)
      .where('x.project_id', '=', anyOf(project_ids, 'bigint'))
      .orderBy('x.id', 'desc')
      .limit(constant(1)),
);

/** The state of the newest pipeline of a merge request's head, in the project of its source or here; null for none. */
export async function headPipelineStatus(ctx: Context, request: MergeRequest): Promise<string | null> {
  const { head_sha: sha = null, project_id: id, source_project_id: sourceId = null } = request;
  const [found] = await findHeadPipeline(ctx, { sha, project_ids: [...new Set([id, sourceId ?? id])] });
  return found?.status ?? null;
}

/** Whether a merge that waits for a pipeline goes on waiting. */
export const isWaitedFor = (status: string | null): boolean =>
  status !== null && (isActive(status) || status === 'created');

/** Whether this is the pipeline status that a merge waits for. */
export function hasSucceeded(status: string | null, settings: MergeSettings): boolean {
  return status === 'success' || (status === 'skipped' && settings.allow_merge_on_skipped_pipeline);
}
