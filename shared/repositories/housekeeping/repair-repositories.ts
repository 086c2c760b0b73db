import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { projectCondition } from '../../tenancy/projects/project.finder.js';
import { repositoryExists } from '../../git/index.js';
import type { RefChange } from '../repositories/write-refs.js';
import { getRepositoryPath } from '../repositories/write-refs.js';
import { repairContents } from './repair-contents.js';
import { contentLabel } from '../repositories/content-ref.js';
import { reindexRepository } from './reindex-repository.js';
import type { Reindexed } from './reindex-repository.js';

/** Number of projects loaded by one statement. */
const AT_ONCE = 1000;
/** Maximum number of differences of one repository to list. */
const MAX_LISTED = 100;

export interface RepairRequest {
  /** An id or a full path; all projects with a repository where left out. */
  project?: string;
  'dry-run'?: boolean;
}

/** Numbers of checked, differing and unreadable repositories. */
export interface RepairCounts {
  looked: number;
  differed: number;
  failed: number;
}

const said = (sha: string | undefined | null) => sha ?? 'nothing';

const getLine = ({ fullName, from, to }: RefChange) =>
  `  ${fullName}: ${said(from)} in the index, ${said(to?.object_sha)} in git`;

function getLines({ project, changes, unfit, record }: Reindexed): string[] {
  const lines = changes.slice(0, MAX_LISTED).map(getLine);
  if (changes.length > MAX_LISTED) lines.push(`  and ${changes.length - MAX_LISTED} more`);
  if (record) lines.push('  HEAD and default branch, or whether there is a repository, differ');
  const hiddenLines = unfit
    .slice(0, MAX_LISTED)
    .map((name) => `  ${name}: not shown, for its name or what it points at`);
  const head = `project ${project.id} (${project.full_path}): ${changes.length} branches and tags differ`;
  return lines.length + hiddenLines.length === 0 ? [] : [head, ...lines, ...hiddenLines];
}

/** @throws NotFound */
async function getId(ctx: Context, reference: string): Promise<number> {
  const condition = projectCondition(reference);
  const row =
    condition &&
    (await ctx.em
      .getKysely<RepositoriesDatabase>()
      .selectFrom('projects as p')
      .innerJoin('routes as r', 'r.project_id', 'p.id')
      .select('p.id')
      .where(condition)
      .executeTakeFirst());
  if (!row) throw new NotFound('Project');
  return row.id;
}

/** Ids of projects that have a repository, on disk or by their record: all or the one, in order. */
async function* idsFor(ctx: Context, reference: string | undefined): AsyncGenerator<number> {
  if (reference !== undefined) return yield getId(ctx, reference);
  for (let last = 0; ;) {
    const rows = await ctx.em
      .getKysely<RepositoriesDatabase>()
      .selectFrom('projects as p')
      .select(['p.id', 'p.repository_created as created'])
      .where('p.id', '>', last)
      .orderBy('p.id')
      .limit(constant(AT_ONCE))
      .execute();
    for (const { id, created } of rows)
      if (created || (await repositoryExists(getRepositoryPath(ctx, { id })))) yield id;
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1)!.id;
  }
}

/**
 * Rebuilds the index of refs, of one repository or of all, one after the other, and reports the differences. An
 * unreadable one does not stop the others.
 * @param report receives lines to show
 * @throws NotFound for a missing project
 */
export async function repairRepositories(
  ctx: Context,
  request: RepairRequest,
  report: (line: string) => void,
): Promise<RepairCounts> {
  const counts = { looked: 0, differed: 0, failed: 0 };
  for await (const id of idsFor(ctx, request.project)) {
    try {
      const found = await reindexRepository(ctx, id, { dryRun: request['dry-run'] ?? false });
      if (!found) continue;
      counts.looked += 1;
      if (found.changes.length > 0 || found.record) counts.differed += 1;
      getLines(found).forEach(report);
    } catch (error) {
      counts.failed += 1;
      report(`project ${id}: could not be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (request.project !== undefined) return counts;
  const others = await repairContents(ctx, request['dry-run'] ?? false, (content, found) => {
    const name = contentLabel(content);
    if (found instanceof Error) report(`${name}: could not be read: ${found.message}`);
    else report(`${name}: ${said(found.from)} in the index, ${said(found.to)} in git`);
  });
  for (const key of ['looked', 'differed', 'failed'] as const) counts[key] += others[key];
  return counts;
}
