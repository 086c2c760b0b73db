import { sql } from 'kysely';
import type { NotNull } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import { readObjects } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { describeVersions } from '../../merge-requests/merge-request-versions/describe-versions.js';
import { keepVersions } from '../../merge-requests/merge-request-versions/read-version.js';
import { refreshVersion } from '../../merge-requests/merge-request-versions/refresh-version.js';
import { storeVersions } from '../../merge-requests/merge-request-versions/store-version.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import {
  appendProblem,
  attribute,
  copiedRows,
  selectElements,
  elementTime,
  flagAt,
  restoredRows,
  recordset,
  tables,
  textAt,
  timeAt,
} from '../archive-imports/restoring.js';
import type { RestoringProject } from '../archive-imports/restoring.js';

const RELATION = 'merge_requests';
/** Bytes read of a commit: enough to identify it as one. */
const HEAD_BYTES = 1;
/** Versions that git reads together. */
const VERSIONS_AT_ONCE = 100;

interface Version {
  request_id: number;
  iid: number;
  line: number;
  prepared_at: Date | null;
  head_sha: string;
  base_sha: string | null;
  start_sha: string;
  created_at: Date;
}

const getVersions = (restoring: RestoringProject): Promise<Version[]> =>
  selectElements(restoring, RELATION, 'merge_request_versions')
    .select([
      'r.made_id as request_id',
      'r.number as iid',
      'r.line',
      timeAt('r.data', 'prepared_at').as('prepared_at'),
      textAt('e.data', 'head_sha').as('head_sha'),
      textAt('e.data', 'base_sha').as('base_sha'),
      textAt('e.data', 'start_sha').as('start_sha'),
      elementTime(restoring).as('created_at'),
    ])
    .orderBy('r.line')
    .orderBy('e.at')
    .$narrowType<{ request_id: NotNull; iid: NotNull; head_sha: NotNull; start_sha: NotNull }>()
    .execute();

/** Commits that notes on diffs name. */
async function notedShas(restoring: RestoringProject): Promise<string[]> {
  const positions = ['position', 'original_position'];
  const shaTexts = [
    textAt('e.data', 'commit_id'),
    ...positions.flatMap((position) =>
      ['head_sha', 'start_sha', 'base_sha'].map((sha) => textAt('e.data', position, sha)),
    ),
  ];
  const noted = selectElements(restoring, RELATION, 'notes')
    .select(sql<string>`unnest(array[${sql.join(shaTexts)}])`.as('sha'))
    .where(textAt('e.data', 'type'), '=', constant('DiffNote'));
  const rows = await tables(restoring)
    .selectFrom(noted.as('x'))
    .select('x.sha')
    .distinct()
    .where('x.sha', 'is not', null)
    .execute();
  return rows.map(({ sha }) => sha);
}

/** Those that are commits of the repository. One process. */
async function commitsAmong(repository: Repository, shas: readonly string[]): Promise<Set<string>> {
  const requested = [...new Set(shas)];
  const found = await readObjects(repository, requested, HEAD_BYTES);
  return new Set(requested.filter((_sha, index) => found[index]?.type === 'commit'));
}

/** Stores the versions whose commits exist. @returns the others */
async function storeAll(
  { ctx, container: { record: project } }: RestoringProject,
  repository: Repository,
  versions: readonly Version[],
): Promise<Version[]> {
  const lost: Version[] = [];
  for (let at = 0; at < versions.length; at += VERSIONS_AT_ONCE) {
    ctx.signal.throwIfAborted();
    const some = versions.slice(at, at + VERSIONS_AT_ONCE);
    const described = await describeVersions(repository, some);
    const found = some.flatMap(({ request_id: id, prepared_at, created_at }, index) => {
      const read = described[index];
      return read ? [{ request: { id, prepared_at }, read, created_at }] : [];
    });
    await storeVersions(ctx, project.id, found);
    lost.push(...some.filter((_version, index) => !described[index]));
  }
  return lost;
}

async function reportLost(restoring: RestoringProject, lost: readonly Version[]): Promise<void> {
  const lines = Map.groupBy(lost, ({ line }) => line);
  const problems = [...lines].map(([line, { length }]) => ({
    line,
    problem: `${length === 1 ? 'one version' : `${length} versions`} cannot be restored, since the repository of the archive lacks their commits`,
  }));
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .from(recordset(problems, 'x', { line: 'int', problem: 'text' }))
    .set((eb) => ({ problem: appendProblem(eb.ref('x.problem')) }))
    .where(copiedRows(restoring, RELATION))
    .whereRef('r.line', '=', 'x.line')
    .execute();
}

/** Creates a new version for open merge requests whose branches moved after their last version, or that have none. */
async function refreshOpen(restoring: RestoringProject): Promise<void> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const open = await restoredRows(restoring, RELATION)
    .select('r.made_id as id')
    .where(attribute('state'), '=', constant('opened'))
    .where(flagAt('r.data', 'source_is_target').$castTo<boolean>())
    .$narrowType<{ id: NotNull }>()
    .execute();
  for (const { id } of open) {
    ctx.signal.throwIfAborted();
    await refreshVersion(ctx, id);
  }
  if (open.length > 0)
    ctx.record({ type: 'merge_requests.unchecked', project_id: project.id, ids: open.map(({ id }) => id) });
}

/**
 * Versions of merge requests with their commits, as far as the repository has those; others are reported.
 * @returns ids of commits that the repository has, of those that notes on diffs name
 */
export async function restoreVersions(restoring: RestoringProject): Promise<string[]> {
  const {
    ctx,
    container: { record: project },
  } = restoring;
  const versions = await getVersions(restoring);
  if (!project.repository_created) {
    await reportLost(restoring, versions);
    return [];
  }
  const repository = openRepository(ctx, project);
  const noted = await notedShas(restoring);
  const shas = versions.flatMap(({ head_sha, base_sha, start_sha }) => [
    head_sha,
    start_sha,
    ...(base_sha ? [base_sha] : []),
  ]);
  const foundShas = await commitsAmong(repository, [...shas, ...noted]);
  const isThere = ({ head_sha, base_sha, start_sha }: Version) =>
    foundShas.has(head_sha) && foundShas.has(start_sha) && (base_sha === null || foundShas.has(base_sha));
  const there = versions.filter(isThere);
  await keepVersions(repository, there);
  const lost = await storeAll(restoring, repository, there);
  await reportLost(restoring, [...versions.filter((version) => !isThere(version)), ...lost]);
  await refreshOpen(restoring);
  await tables(restoring)
    .updateTable('merge_requests as i')
    .from('archive_import_rows as r')
    .set({ merge_status: 'can_be_merged' })
    .where(copiedRows(restoring, RELATION))
    .whereRef('i.id', '=', 'r.made_id')
    .where('i.state', '=', constant('merged'))
    .execute();
  return noted.filter((sha) => foundShas.has(sha));
}
