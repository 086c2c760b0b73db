import path from 'node:path';
import { countKey } from '../../core/context/callers.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import {
  createPackedRefs,
  createRepository,
  InvalidGitInput,
  mayCreateRef,
  objectDates,
  repositoryPath,
  updateRefs,
} from '../../git/index.js';
import type { PackedRef, Repository } from '../../git/index.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import { anyOf, unnestedRows } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { noteContribution } from '../../tenancy/projects/project-contribution.finder.js';
import { ACTIVITY_INTERVAL_MS } from '../../tenancy/projects/project.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { noteMove } from './ref-moves.js';
import type { MovePurpose } from './ref-moves.js';
import { kindOfRef, shortRef } from './repository-ref.finder.js';

type ProjectRow = Pick<Project, 'id' | 'repository_created' | 'default_branch'>;

/** Where a project's bare repository lies. */
export function getRepositoryPath(ctx: Context<Caller>, project: { id: number }): string {
  return repositoryPath(path.join(ctx.config.dataDir, 'repositories'), project.id);
}

/**
 * A project's repository as the caller of a request works on it: what git does there takes slots of the caller's share
 * and ends with the request. For a job it is the path, which means slots and time limits of jobs.
 */
export function openRepository(ctx: Context<Caller>, project: { id: number }): Repository {
  const path = getRepositoryPath(ctx, project);
  const { ip } = ctx.origin;
  // Only a request comes from an address.
  if (ip === null) return path;
  const caller = countKey(ctx.caller, ip);
  // As with the database, work in a transaction is completed or rolled back as a whole, even if the client disconnects.
  return { path, caller, pools: ctx.services.git, ...(ctx.inTransaction ? {} : { signal: ctx.signal }) };
}

/** Makes the bare repository unless it exists. Before this a project costs no disk. */
export async function ensureRepository(ctx: Context, project: ProjectRow, branch: string): Promise<string> {
  const location = getRepositoryPath(ctx, project);
  if (!project.repository_created) {
    await ctx.em.nativeUpdate(Project, { id: project.id }, { repository_created: true });
    await noteMove(ctx, project)(() => createRepository(location, branch));
    project.repository_created = true;
  }
  return location;
}

export interface RefChange {
  /** `refs/heads/main`. */
  fullName: string;
  /** What it must point at now: null for "must not exist". */
  from: string | null;
  /** What it shall point at; null deletes it. */
  to: RefTarget | null;
}

/** Why refs are moved. */
interface RefWrite {
  /** Other work in the same transaction, for recovering a git move without it. */
  purpose?: MovePurpose;
  /** Whether pipelines may be made for the new commits; so it is unless said otherwise. */
  startsPipelines?: boolean;
  /** Of the client of a push. */
  pushOptions?: readonly string[];
}

/** Git's time format: whole seconds since 1970. */
export const toSeconds = (at: Date | null): number => Math.max(0, Math.floor((at?.getTime() ?? 0) / 1000) || 0);

interface RefTarget {
  object_sha: string;
  target_sha: string;
  /** When the object was created, in seconds since 1970; looked up if omitted. */
  date?: number;
}

/**
 * Changes refs in the index and in git. The project's row is locked first, as it is when the two are compared; then the
 * index is written and notifications are sent. Git compares the old value and moves last, so that a refusal by git
 * rolls the index back. If the process dies between git's move and the commit, git is authoritative, and the note of
 * the move causes the index to be rebuilt (decision 46).
 * @param write why the refs are moved
 * @throws RefConflict if a ref does not have the value of `from`, InvalidGitInput for the name of a new one, Overloaded
 * while an earlier move is pending recovery
 */
export async function writeRefs(
  ctx: Context,
  project: ProjectRow,
  changes: readonly RefChange[],
  { purpose, startsPipelines = true, pushOptions = [] }: RefWrite = {},
): Promise<void> {
  const now = ctx.clock.now();
  await touchProject(ctx, project, now);
  const moving = noteMove(ctx, project, purpose);
  await indexRefs(ctx, project, changes, now);
  await noteContribution(ctx, project);
  ctx.record({
    type: 'refs.updated',
    project_id: project.id,
    changes,
    starts_pipelines: startsPipelines,
    push_options: pushOptions,
  });
  await ctx.publishRecorded();
  await moving(() => moveInGit(ctx, project, changes));
}

/** Moves the refs in git. @throws RefConflict, InvalidGitInput */
async function moveInGit(ctx: Context, project: ProjectRow, changes: readonly RefChange[]): Promise<void> {
  if (changes.length >= MANY && (await createRefs(ctx, project, changes))) return;
  await updateRefs(
    openRepository(ctx, project),
    changes.map(({ fullName, from, to }) => ({ ref: fullName, old: from, new: to?.object_sha ?? null })),
  );
}

/** Records a write to a project's repository, counts it for housekeeping, and notifies pages. */
async function touchProject(ctx: Context, project: ProjectRow, now: Date): Promise<void> {
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .updateTable('projects')
    .set((eb) => ({
      writes_since_upkeep: eb('writes_since_upkeep', '+', eb.lit(1)),
      last_activity_at: eb
        .case()
        .when('last_activity_at', '<=', new Date(now.getTime() - ACTIVITY_INTERVAL_MS))
        .then(eb.cast<Date>(eb.val(now), 'timestamptz'))
        .else(eb.ref('last_activity_at'))
        .end(),
    }))
    .where('id', '=', project.id)
    .returning((eb) => rowPageNotification('repositories', eb.ref('projects.id')).as('notified'))
    .execute();
}

/** New refs from which on one file for all of them is written sooner than one for each. */
const MANY = 200;

/** Makes refs together, where all of them are new. @returns whether they are made @throws RefConflict */
async function createRefs(ctx: Context, project: ProjectRow, changes: readonly RefChange[]): Promise<boolean> {
  const news = changes.flatMap(({ fullName, from, to }): PackedRef[] =>
    from === null && to ? [{ name: fullName, sha: to.object_sha, peeled: to.target_sha }] : [],
  );
  return news.length === changes.length && createPackedRefs(getRepositoryPath(ctx, project), news);
}

type WrittenRef = RefChange & { to: RefTarget };
type Dated = RefChange & { to: Required<RefTarget> };

/** Rows of one statement: the process has other things to do between two. */
const ROWS_AT_ONCE = 1000;

/** Whatever door it comes by: a new ref has a name that may come in. @throws InvalidGitInput */
function requireNames(changes: readonly RefChange[]): void {
  const bad = changes.find(({ fullName, from, to }) => from === null && to !== null && !mayCreateRef(fullName));
  if (bad) throw new InvalidGitInput(`not a name for a ref: ${JSON.stringify(bad.fullName)}`);
}

/**
 * Writes the index of refs, with the dates that lists are ordered by. In order of name, so that two changes of the same refs wait for each other instead of standing still.
 * @throws InvalidGitInput for the name of a new ref that may not come in
 */
export async function indexRefs(
  ctx: Context,
  project: ProjectRow,
  changes: readonly RefChange[],
  now: Date,
): Promise<void> {
  requireNames(changes);
  const ordered = [...changes].sort((one, other) => (one.fullName < other.fullName ? -1 : 1));
  const gone = ordered.filter(({ to }) => to === null).map(({ fullName }) => fullName);
  if (gone.length > 0)
    await ctx.em
      .getKysely<RepositoriesDatabase>()
      .deleteFrom('repository_refs')
      .where('project_id', '=', project.id)
      .where('full_name', '=', anyOf(gone, 'text'))
      .execute();
  const refs = ordered.filter((change): change is WrittenRef => change.to !== null);
  for (let at = 0; at < refs.length; at += ROWS_AT_ONCE)
    await storeRefs(ctx, project, await withDates(ctx, project, refs.slice(at, at + ROWS_AT_ONCE)), now);
}

/** Refs with the dates of what they point at, which the repository has already: one git process where any is unknown. */
async function withDates(ctx: Context, project: ProjectRow, refs: readonly WrittenRef[]): Promise<Dated[]> {
  const unknown = refs.flatMap(({ to }) => (to.date === undefined ? [to.object_sha] : []));
  const dates = unknown.length > 0 ? await objectDates(openRepository(ctx, project), unknown) : null;
  return refs.map((change) => ({
    ...change,
    to: { ...change.to, date: change.to.date ?? dates?.get(change.to.object_sha) ?? 0 },
  }));
}

async function storeRefs(ctx: Context, project: ProjectRow, refs: readonly Dated[], now: Date): Promise<void> {
  const rows = refs.map(({ fullName, to }) => ({
    kind: kindOfRef(fullName),
    full_name: fullName,
    name: shortRef(fullName),
    ...to,
  }));
  const types = { kind: 'text', full_name: 'text', name: 'text', object_sha: 'text', target_sha: 'text' } as const;
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .insertInto('repository_refs')
    .columns([
      ...(['project_id', 'kind', 'full_name', 'name', 'object_sha', 'target_sha'] as const),
      ...(['git_date', 'dated_sha', 'created_at', 'updated_at'] as const),
    ])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(rows, { ...types, date: 'bigint' }).as('u'))
        .select([
          eb.val(project.id).as('project_id'),
          ...(['u.kind', 'u.full_name', 'u.name', 'u.object_sha', 'u.target_sha', 'u.date as git_date'] as const),
          'u.object_sha as dated_sha',
          eb.val(now).as('created_at'),
          eb.val(now).as('updated_at'),
        ]),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'full_name']).doUpdateSet((eb) => ({
        object_sha: eb.ref('excluded.object_sha'),
        target_sha: eb.ref('excluded.target_sha'),
        git_date: eb.ref('excluded.git_date'),
        dated_sha: eb.ref('excluded.dated_sha'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();
}
