import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../core/context/callers.js';
import type { Context, Services } from '../../core/context/context.js';
import { columns, nested, nestedOrNull } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { readCommit } from '../../git/index.js';
import type { Commit } from '../../git/index.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { projectsOfIds } from '../../tenancy/projects/project.finder.js';
import { ProjectSettings } from '../../tenancy/projects/project-settings.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { CiDatabase } from '../ci.entities.js';
import { JobDefinition } from '../pipelines/job-definition.entity.js';
import { Job } from '../pipelines/job.entity.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import { openDefinition } from '../processing/job-definition.js';
import type { StoredDefinition } from '../processing/job-definition.js';
import { Runner } from '../runners/runner.entity.js';

/** Commits that are remembered, and the characters of them all. */
const REMEMBERED = { max: 500, maxSize: 16 * 1024 * 1024 };
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

/** Commits that jobs were handed out for lately: those of one pipeline have the same one, and none ever changes. */
const commits = new WeakMap<Services['db'], LRUCache<string, Commit>>();

async function loadCommit(ctx: Context<Caller>, project: ProjectRecord, sha: string): Promise<Commit | null> {
  const { db } = ctx.services;
  const remembered = commits.get(db) ?? new LRUCache<string, Commit>(REMEMBERED);
  commits.set(db, remembered);
  const key = `${project.id} ${sha}`;
  const known = remembered.get(key);
  if (known || !project.repository_created) return known ?? null;
  const found = await readCommit(openRepository(ctx, project), sha);
  if (!found) return null;
  // Texts of its own: a part of a longer one would keep all of that in memory.
  const text = JSON.stringify({ ...found, message: found.message.slice(0, MAX_MESSAGE) });
  const commit = JSON.parse(text) as Commit;
  remembered.set(key, commit, { size: text.length });
  return commit;
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
