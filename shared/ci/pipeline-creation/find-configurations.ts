import { expressionBuilder } from 'kysely';
import type { Expression } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { constant, unnestedColumns } from '../../core/database/expressions.js';
import { Limiter } from '../../core/values/limiter.js';
import { readBlob, RepositoryMissing, RevisionNotFound } from '../../git/index.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { CiDatabase } from '../ci.entities.js';
import { ownConfigPath } from '../configuration/configuration-source.js';

/** Commits that are looked at in git at once. */
const AT_ONCE = 4;
/** A link to another file is no configuration. */
const LINK = '120000';
const RETENTION_MS = 30 * 86_400_000;
/** What could not be looked at, as while a disk is gone, is looked at again after this. */
const MISSING_MS = 10 * 60_000;
const BATCH = 5_000;

/** A commit of a project. */
interface ProjectCommit {
  project_id: number;
  sha: string;
}

/**
 * Whether a pipeline of a commit is made from a configuration. `maybe`: only its creation can tell, as of a file that
 * lies elsewhere; `unknown`: nobody has looked at the commit yet, see {@link detectConfigurations}.
 */
type Presence = 'absent' | 'maybe' | 'unknown';

/** The file that a pipeline of a commit would be made from. */
export interface FoundConfiguration {
  path: string;
  presence: Presence;
}

/** What the database knows of it, as a statement reads it. */
export interface StoredConfiguration {
  ci_execution: string | null;
  ci_config_path: string | null;
  /** Of the row of the commit in `ci_config_files`; null for a commit that nobody has looked at. */
  config_file_id: number | null;
  blob_id: string | null;
}

const db = expressionBuilder<CiDatabase>();

/** The path by which a statement finds the row of a commit, of the column `ci_config_path`. */
export const storedPath = (configPath: Expression<string | null>) =>
  db.fn.coalesce(db.fn<string | null>('nullif', [configPath, constant('')]), constant('.gitlab-ci.yml'));

/** What that says of a pipeline's configuration. */
export function describeConfiguration(stored: StoredConfiguration): FoundConfiguration {
  const { ci_execution: execution, ci_config_path: configPath, config_file_id: id, blob_id: blobId } = stored;
  const path = ownConfigPath(configPath ?? '');
  if (execution === 'external') return { path: path ?? '', presence: 'absent' };
  if (execution === 'required' || path === null) return { path: path ?? '', presence: 'maybe' };
  return { path, presence: id === null ? 'unknown' : blobId === null ? 'absent' : 'maybe' };
}

/** What is known of the configurations of commits, in their order, by one statement. */
export async function findConfigurations(
  ctx: Context,
  commits: readonly ProjectCommit[],
): Promise<FoundConfiguration[]> {
  if (commits.length === 0) return [];
  const values = unnestedColumns({
    project_id: [commits.map((commit) => commit.project_id), 'bigint'],
    sha: [commits.map((commit) => commit.sha), 'text'],
  });
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom(values.withPositionAs('u'))
    .leftJoin('project_settings as s', 's.project_id', 'u.project_id')
    .leftJoin('ci_config_files as f', (join) =>
      join
        .onRef('f.project_id', '=', 'u.project_id')
        .onRef('f.sha', '=', 'u.sha')
        .on((eb) => eb('f.path', '=', storedPath(eb.ref('s.ci_config_path')))),
    )
    .select(['s.ci_execution', 's.ci_config_path', 'f.id as config_file_id', 'f.blob_id'])
    .orderBy('u.position')
    .execute();
  return rows.map(describeConfiguration);
}

const limiter = new Limiter({ capacity: AT_ONCE });

interface BlobLookup {
  blob_id: string | null;
  retentionMs: number;
}

async function findBlob(ctx: Context, { project_id: id, sha }: ProjectCommit, path: string): Promise<BlobLookup> {
  try {
    const blob = await limiter.run(() => readBlob(openRepository(ctx, { id }), sha, path, 0, 'leave'));
    return { blob_id: blob && blob.mode !== LINK ? blob.blob_id : null, retentionMs: RETENTION_MS };
  } catch (error) {
    if (error instanceof RepositoryMissing || error instanceof RevisionNotFound)
      return { blob_id: null, retentionMs: MISSING_MS };
    throw error;
  }
}

/** Looks into git for the configurations of commits, each once, and remembers what it found, by one statement. */
export async function detectConfigurations(
  ctx: Context,
  commits: readonly (ProjectCommit & { path: string })[],
): Promise<void> {
  const once = [...new Map(commits.map((one) => [`${one.project_id} ${one.sha} ${one.path}`, one])).values()];
  if (once.length === 0) return;
  const found = await Promise.all(once.map((one) => findBlob(ctx, one, one.path)));
  const now = ctx.clock.now().getTime();
  const values = unnestedColumns({
    project_id: [once.map((one) => one.project_id), 'bigint'],
    sha: [once.map((one) => one.sha), 'text'],
    path: [once.map((one) => one.path), 'text'],
    blob_id: [found.map((one) => one.blob_id), 'text'],
    // Dated so that it is forgotten in time.
    created_at: [found.map(({ retentionMs }) => new Date(now + retentionMs - RETENTION_MS)), 'timestamptz'],
  });
  await ctx.transaction(() =>
    ctx.em
      .getKysely<CiDatabase>()
      .insertInto('ci_config_files')
      .columns(['project_id', 'sha', 'path', 'blob_id', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom(values.as('u'))
          // A project may have been deleted meanwhile.
          .innerJoin('projects as p', 'p.id', 'u.project_id')
          .select(['u.project_id', 'u.sha', 'u.path', 'u.blob_id', 'u.created_at'])
          .orderBy('u.project_id')
          .orderBy('u.sha'),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** Forgets what was found long ago. Answers how many. */
export async function pruneConfigurations(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION_MS);
  let removed = 0;
  await inSteps(ctx, async () => {
    const rows = await ctx.em
      .getKysely<CiDatabase>()
      .deleteFrom('ci_config_files')
      .where('id', 'in', (eb) =>
        eb.selectFrom('ci_config_files as o').select('o.id').where('o.created_at', '<', before).limit(constant(BATCH)),
      )
      .returning('id')
      .execute();
    removed += rows.length;
    return rows.length === BATCH;
  });
  return removed;
}
