import type { Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested, nestedOrNull } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { Commit } from '../../git/index.js';
import { projectsOfIds } from '../../tenancy/projects/project.finder.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { CiDatabase } from '../ci.entities.js';
import { readCommitOnce } from '../configuration/commit-reads.js';
import { JobDefinition } from '../pipelines/job-definition.entity.js';
import { Job } from '../pipelines/job.entity.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { openDefinition } from '../processing/job-definition.js';
import type { StoredDefinition } from '../processing/job-definition.js';
import { Runner } from '../runners/runner.entity.js';

/** Characters of a commit's message: a longer one could not be passed to a program. */
const MAX_MESSAGE = 100_000;

const SETTINGS = [
  'id',
  'build_git_strategy',
  'build_timeout',
  'ci_config_path',
  'ci_default_git_depth',
  'ci_separated_caches',
] as const;
const USER = ['id', 'username', 'name', 'email', 'state'] as const;

/** What is read of a job in the hands of a runner, in one statement. */
interface HandedRow extends Job {
  pipeline: Pipeline;
  definition: JobDefinition | null;
  settings: Pick<ProjectSettings, (typeof SETTINGS)[number]>;
  user: Pick<User, (typeof USER)[number]> | null;
  runner: Runner | null;
  schedule_description: string | null;
  queue_size: number;
}

/** A job that a runner gets, with everything that it is told of it. */
export interface HandedJob extends Omit<HandedRow, 'definition'> {
  definition: StoredDefinition;
  project: ProjectRecord;
  /** Null where it has been removed since. */
  commit: Commit | null;
}

const findHanded = prepareQuery((db: Kysely<CiDatabase>, { id }: Placeholders<{ id: number }>) =>
  db
    .selectFrom('jobs as j')
    .innerJoin('pipelines as pl', 'pl.id', 'j.pipeline_id')
    .innerJoin('project_settings as s', 's.project_id', 'j.project_id')
    .leftJoin('job_definitions as d', 'd.id', 'j.definition_id')
    .leftJoin('users as u', 'u.id', 'j.user_id')
    .leftJoin('runners as r', 'r.id', 'j.runner_id')
    .leftJoin('pipeline_schedules as ps', 'ps.id', 'pl.pipeline_schedule_id')
    .select([
      ...columns(Job, 'j'),
      ...nested('pipeline', Pipeline, 'pl'),
      ...nestedOrNull('definition', JobDefinition, 'd'),
      ...nested('settings', ProjectSettings, 's', { only: SETTINGS }),
      ...nestedOrNull('user', User, 'u', { only: USER }),
      ...nestedOrNull('runner', Runner, 'r'),
      'ps.description as schedule_description',
    ])
    .select((eb) =>
      eb
        .selectFrom('ci_queue as q')
        .select((of) => of.fn.countAll<number>().as('waiting'))
        .whereRef('q.project_id', '=', 'j.project_id')
        .$asScalar()
        .as('queue_size'),
    )
    .where('j.id', '=', id),
);

async function loadCommit(ctx: Context<Caller>, project: ProjectRecord, sha: string): Promise<Commit | null> {
  if (!project.repository_created) return null;
  const commit = await readCommitOnce(ctx, project, sha);
  return commit && { ...commit, message: commit.message.slice(0, MAX_MESSAGE) };
}

/** Why a job cannot be given to a runner although it was handed out. */
class NotHandedOut extends Error {}

/**
 * Loads a job that was handed to a runner.
 * @throws NotHandedOut if it, or what it consists of, is gone
 */
export async function loadHandedJob(ctx: Context<Caller>, jobId: number): Promise<HandedJob> {
  const [row] = (await findHanded(ctx, { id: jobId })) as unknown as HandedRow[];
  if (!row?.definition) throw new NotHandedOut('The job has no definition.');
  const [project] = await projectsOfIds(ctx, [row.project_id]);
  if (!project) throw new NotHandedOut('The project is gone.');
  const commit = await loadCommit(ctx, project, row.pipeline.sha);
  return { ...row, definition: openDefinition(ctx, row.pipeline_id, row.definition.definition), project, commit };
}
