import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { getCaller } from '../../core/context/callers.js';
import type { CallerUser } from '../../core/context/callers.js';
import { nested, nestedOrNull } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Context } from '../../core/context/context.js';
import type { CiDatabase } from '../ci.entities.js';
import { projectAccess, today } from '../../tenancy/namespaces/access.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { isArchived, writable } from '../../tenancy/projects/project.policy.js';
import { isTagRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { describeConfiguration, storedPath } from '../pipeline-creation/find-configurations.js';
import type { FoundConfiguration, StoredConfiguration } from '../pipeline-creation/find-configurations.js';
import { PipelineSchedule } from '../pipeline-schedules/pipeline-schedule.entity.js';
import type { RunCause } from '../pipeline-schedules/pipeline-schedule.entity.js';
import { pipelineRights } from '../pipelines/pipeline-rights.js';
import type { PipelineRight } from '../pipelines/pipeline-rights.js';

/** A run that is to start, with everything that decides about it. */
export interface PendingRun {
  id: number;
  trigger: 'cron' | 'play';
  reason: string | null;
  project_id: number;
  schedule: { id: number; ref: string; active: boolean };
  project: ProjectRecord;
  /** The owner, or who pressed play. */
  user: Omit<CallerUser, 'namespace_id'> | null;
  target_sha: string | null;
  /** That of `target_sha`. */
  configuration: FoundConfiguration;
}

type PendingRow = Omit<PendingRun, 'configuration'> & StoredConfiguration;

export type Outcome =
  | { state: 'fired'; sha: string }
  | { state: 'filtered' | 'config_error'; reason: string }
  | { state: 'failed' | 'skipped'; cause: RunCause; reason: string };

const USER = ['id', 'username', 'name', 'state', 'admin', 'auditor', 'external', 'bot'] as const;

const selectPending = prepareQuery<CiDatabase, { run_ids: readonly number[]; day: string }, PendingRow>(
  (db, { run_ids: runIds, day }) =>
    db
      .selectFrom('pipeline_schedule_runs as x')
      .innerJoin('pipeline_schedules as s', 's.id', 'x.pipeline_schedule_id')
      .innerJoin('projects as p', 'p.id', 's.project_id')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .innerJoin('routes as r', 'r.project_id', 'p.id')
      .leftJoin('users as u', (join) =>
        join.on((eb) =>
          eb(
            'u.id',
            '=',
            eb.case('x.trigger').when(constant('play')).then(eb.ref('x.user_id')).else(eb.ref('s.owner_id')).end(),
          ),
        ),
      )
      .leftJoin('repository_refs as ref', (join) =>
        join.onRef('ref.project_id', '=', 'p.id').onRef('ref.full_name', '=', 's.ref'),
      )
      .leftJoin('project_settings as ps', 'ps.project_id', 'p.id')
      .leftJoin('ci_config_files as f', (join) =>
        join
          .onRef('f.project_id', '=', 'p.id')
          .onRef('f.sha', '=', 'ref.target_sha')
          .on((eb) => eb('f.path', '=', storedPath(eb.ref('ps.ci_config_path')))),
      )
      .select((eb) => [
        'x.id',
        'x.trigger',
        'x.reason',
        'x.project_id',
        ...nested('schedule', PipelineSchedule, 's', { only: ['id', 'ref', 'active'] }),
        ...nested('project', Project, 'p', {
          more: {
            full_path: eb.ref('r.path'),
            full_name: eb.ref('r.name'),
            access: projectAccess(eb.fn.coalesce('u.id', eb.lit(0)), day),
          },
        }),
        ...nested('project.namespace', Namespace, 'n'),
        ...nestedOrNull('user', User, 'u', { only: USER }),
        'ref.target_sha',
        'ps.ci_execution',
        'ps.ci_config_path',
        'f.id as config_file_id',
        'f.blob_id',
      ])
      .where('x.id', '=', anyOf(runIds, 'bigint'))
      .where('x.state', '=', constant('pending'))
      .orderBy('p.id')
      .orderBy('s.id')
      .orderBy('x.id')
      .forKeyShare('p')
      .forKeyShare('s')
      .forUpdate('x')
      .$castTo<PendingRow>(),
);

/**
 * Runs that are still pending, locked, with everything that decides about them, by one statement. Projects are
 * locked before schedules and those before runs, as deleting does it.
 */
export async function loadPending(ctx: Context, runIds: readonly number[]): Promise<PendingRun[]> {
  const rows = await selectPending(ctx, { run_ids: runIds, day: today(ctx) });
  return rows.map(({ ci_execution, ci_config_path, config_file_id, blob_id, ...run }) => ({
    ...run,
    configuration: describeConfiguration({ ci_execution, ci_config_path, config_file_id, blob_id }),
  }));
}

function describeRef(ref: string): string {
  return `${isTagRef(ref) ? 'tag' : 'branch'} ${shortRef(ref)}`;
}

const failed = (cause: RunCause, reason: string): Outcome => ({ state: 'failed', cause, reason });
const skipped = (cause: RunCause, reason: string): Outcome => ({ state: 'skipped', cause, reason });

function whyNotWritable(project: ProjectRecord): Outcome {
  if (isArchived(project)) return skipped('project_archived', 'The project is archived.');
  if (project.marked_for_deletion_at || project.namespace.frozen)
    return skipped('project_marked', 'The project is marked for deletion.');
  return skipped('project_importing', 'The repository is still being imported.');
}

/** Whether a run may fire, by its user's current permissions (pipeline-schedules.md section 7). */
function decide(run: PendingRun, right: PipelineRight): Outcome {
  const { project, schedule, user } = run;
  if (!writable(project)) return whyNotWritable(project);
  if (run.trigger === 'cron' && !schedule.active) return skipped('inactive', 'The schedule was deactivated.');
  if (!user)
    return failed(
      'owner_missing',
      run.trigger === 'play'
        ? 'The user who pressed play is gone.'
        : 'The schedule has no owner: somebody must take ownership of it.',
    );
  const who = `The ${run.trigger === 'play' ? 'user' : 'owner'} ${user.username}`;
  if (user.state !== 'active') return failed('owner_blocked', `${who} is ${user.state.replaceAll('_', ' ')}.`);
  if (project.builds_access_level === 'disabled')
    return failed('pipelines_disabled', 'Pipelines are switched off in this project.');
  if (right === 'role')
    return failed(
      'owner_without_rights',
      `${who} may not create pipelines in this project: that needs at least the Developer role.`,
    );
  if (right === 'ref')
    return failed('ref_protected', `${who} may not run pipelines on the protected ${describeRef(schedule.ref)}.`);
  if (run.target_sha === null) return failed('ref_missing', `The ${describeRef(schedule.ref)} does not exist.`);
  return { state: 'fired', sha: run.target_sha };
}

/** Decides about many runs, each with its own user's rights, by one statement. In their order. */
export async function decideAll(ctx: Context, runs: readonly PendingRun[]): Promise<Outcome[]> {
  const rights = await pipelineRights(
    ctx,
    runs.map(({ user, project, schedule }) => ({
      caller: getCaller(user && { ...user, namespace_id: null }),
      project,
      ref: schedule.ref,
    })),
  );
  return runs.map((run, index) => decide(run, rights[index] as PipelineRight));
}
