import type { Context } from '../../core/context/context.js';
import { pageNotification } from '../../core/page-changes/page-changes.js';
import { unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Outcome, PendingRun } from './run-decision.js';

/** What became of a run. */
export interface FinishedRun {
  run: PendingRun;
  outcome: Outcome;
  pipeline_id: number | null;
}

/** A fired run keeps the reason that it was claimed with: why it was the last one. */
const getReason = ({ run, outcome }: FinishedRun) => ('reason' in outcome ? outcome.reason : run.reason);

/** Records what became of runs, by one statement, in the transaction that holds their locks. */
export async function finishRuns(ctx: Context, runs: readonly FinishedRun[]): Promise<void> {
  if (runs.length === 0) return;
  const finished = unnestedColumns({
    id: [runs.map(({ run }) => run.id), 'bigint'],
    state: [runs.map(({ outcome }) => outcome.state), 'text'],
    reason: [runs.map(getReason), 'text'],
    cause: [runs.map(({ outcome }) => ('cause' in outcome ? outcome.cause : null)), 'text'],
    pipeline_id: [runs.map((run) => run.pipeline_id), 'bigint'],
    user_id: [runs.map(({ run }) => run.user?.id ?? null), 'bigint'],
  });
  const projectIds = runs.map(({ run }) => run.project_id);
  await ctx.em
    .getKysely<CiDatabase>()
    .with('finished', (db) =>
      db
        .updateTable('pipeline_schedule_runs as x')
        .from(finished.as('u'))
        .set((eb) => ({
          state: eb.ref('u.state'),
          reason: eb.ref('u.reason'),
          cause: eb.ref('u.cause'),
          pipeline_id: eb.ref('u.pipeline_id'),
          user_id: eb.ref('u.user_id'),
          started_at: ctx.clock.now(),
        }))
        .whereRef('x.id', '=', 'u.id'),
    )
    .selectNoFrom(pageNotification('pipeline_schedules', projectIds).as('notified'))
    .execute();
}
