import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound, TooLarge } from '../../core/values/errors.js';
import {
  boolean,
  integer,
  list,
  oneOf,
  optional,
  presentText,
  text,
  withDefault,
} from '../../core/operations/fields.js';
import { mergeBase, MOST_DIFF_FILES, readContributors, readRange } from '../../git/index.js';
import type { Contributor, Repository } from '../../git/index.js';
import { authorize, can, operation } from '../../core/operations/operation.js';
import { findProject, project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { findCommit } from './commit.operations.js';
import type { CommitRecord } from './commit.serializer.js';
import { asUnidiff, readFileDiffs } from './file-diffs.js';
import { areRelated } from '../project-forks/fork-network.js';
import { loadCommitSha, loadCommitShas } from '../repositories/commit-of.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { openRepository, getRepositoryPath } from '../repositories/write-refs.js';
import type { Comparison } from './comparison.serializer.js';

const reads = {
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
} as const;

/** Limits of a comparison: the newest commits and the first files, as many as fit into a response. */
const COMMITS = { most: 10_000, mostBytes: 8 * 1024 * 1024 };
const FILES = { skip: 0, limit: MOST_DIFF_FILES, mostBytes: 4 * 1024 * 1024 };

/**
 * The project that contains `from` as a branch, tag or commit.
 * @throws NotFound if hidden from the caller, Forbidden if its code is not accessible, Invalid if it is not in the same
 * fork network
 */
async function getFromProject(ctx: Context, found: ProjectRecord, id: number | undefined): Promise<ProjectRecord> {
  if (id === undefined || id === found.id) return found;
  const from = await findProject(ctx, id);
  authorize(ctx, projectPolicy, 'read_code', from);
  if (!(await areRelated(ctx, found.id, from.id)))
    throw new Invalid(`Target project id:${id} is not a fork of project id:${found.id}`);
  return from;
}

/** The project's repository as one that has the other project's commits too. */
function repositoryWith(ctx: Context, found: ProjectRecord, other: ProjectRecord): Repository {
  const repository = openRepository(ctx, found);
  if (other.id === found.id || typeof repository === 'string') return repository;
  return { ...repository, alternate: getRepositoryPath(ctx, other) };
}

/** @throws NotFound "404 Ref Not Found" */
function requireRef(sha: string | null | undefined): string {
  if (typeof sha !== 'string') throw new NotFound('Ref');
  return sha;
}

/** Files that cannot be compared are reported like too many files: by `compare_timeout`. */
function withoutDiffs(error: unknown): Awaited<ReturnType<typeof readFileDiffs>> {
  if (error instanceof TooLarge) return { files: [], total: MOST_DIFF_FILES, overflow: true };
  throw error;
}

/** Compare a branch, tag or commit with another one: its additional commits, and the differences in files. */
export const compareRefs = operation({
  name: 'compareRefs',
  summary: 'Compare branches, tags or commits',
  ...reads,
  statements: 9,
  params: {
    from: presentText()
      .describe('Branch, tag or commit to compare with.')
      .meta({ examples: ['main'] }),
    to: presentText()
      .describe('Branch, tag or commit to compare.')
      .meta({ examples: ['main'] }),
    from_project_id: optional(integer()).describe(
      'ID of the project that `from` belongs to, which is in the same fork network.',
    ),
    straight: withDefault(boolean(), false).describe(
      'If `true`, compares files with `from` itself instead of the merge base.',
    ),
    unidiff: withDefault(boolean(), false).describe(
      'If `true`, includes the header that names the files of each diff.',
    ),
  },
  async run(ctx, found, input): Promise<Comparison> {
    const { from, to, straight } = input;
    const fromProject = await getFromProject(ctx, found, input.from_project_id);
    const head = requireRef(await loadCommitSha(ctx, found, to));
    const start = requireRef(await loadCommitSha(ctx, fromProject, from));
    const repository = repositoryWith(ctx, found, fromProject);
    return withGitAnswers(async () => {
      // Histories that never meet differ in all of their files.
      const base = straight || start === head ? start : ((await mergeBase(repository, start, head)) ?? start);
      const [range, page] = await Promise.all([
        readRange(repository, { from: start, to: head }, COMMITS),
        readFileDiffs(repository, { from: base, to: head }, FILES).catch(withoutDiffs),
      ]);
      return {
        project: found,
        from,
        to,
        straight,
        commits: range.commits.reverse().map((commit) => ({ ...commit, project: found })),
        diffs: input.unidiff ? page.files.map(asUnidiff) : page.files,
        cut:
          range.more ||
          page.overflow ||
          page.total > page.files.length ||
          page.files.some(({ collapsed }) => collapsed),
        same: start === head,
      };
    });
  },
});

/** Branches, tags and commits that one question may name. */
const MOST_REFS = 20;

/** Read the commit that branches, tags or commits come from. */
export const getMergeBase = operation({
  name: 'getMergeBase',
  summary: 'Read the merge base of branches, tags or commits',
  ...reads,
  statements: 5,
  params: {
    refs: list(text(), { commas: true, max: MOST_REFS })
      .describe('Branches, tags or commits, at least two.')
      .meta({ examples: [['main', 'main']] }),
  },
  async run(ctx, found, input): Promise<CommitRecord> {
    if (input.refs.length < 2) throw new Invalid('Provide at least 2 refs');
    const shas = await loadCommitShas(ctx, found, input.refs);
    const unknown = [...shas].filter(([, sha]) => sha === null).map(([name]) => name);
    if (unknown.length > 0)
      throw new Invalid(`Could not find ${unknown.length === 1 ? 'ref' : 'refs'}: ${unknown.join(', ')}`);
    const [one, other, ...others] = input.refs.map((name) => shas.get(name) as string);
    const base = await withGitAnswers(() => mergeBase(openRepository(ctx, found), one!, other!, ...others));
    if (base === null) throw new NotFound('Merge Base');
    return findCommit(ctx, found, base);
  },
});

/** By the number of commits, or by text whatever its case. */
function compareBy(key: 'name' | 'email' | 'commits', one: Contributor, other: Contributor): number {
  if (key === 'commits') return one.commits - other.commits;
  const [a, b] = [one[key].toLowerCase(), other[key].toLowerCase()];
  return a < b ? -1 : Number(a > b);
}

/** List who wrote the commits of a branch, by their addresses, with their numbers of commits. Merges do not count. */
export const listContributors = operation({
  name: 'listContributors',
  summary: 'List the contributors of a repository',
  ...reads,
  statements: 5,
  params: {
    ref: optional(text()).describe('Branch, tag or commit; the default branch if omitted.'),
    order_by: withDefault(oneOf(['name', 'email', 'commits']), 'commits').describe(
      'Field to sort the contributors by.',
    ),
    sort: withDefault(oneOf(['asc', 'desc']), 'asc').describe('Direction of the sort order.'),
  },
  async run(ctx, found, input): Promise<Contributor[]> {
    if (input.ref === undefined && found.default_branch === null) return [];
    const head = requireRef(await loadCommitSha(ctx, found, input.ref ?? 'HEAD'));
    const contributors = await withGitAnswers(() => readContributors(openRepository(ctx, found), head));
    const sign = input.sort === 'asc' ? 1 : -1;
    return contributors.sort((one, other) => sign * compareBy(input.order_by, one, other));
  },
});
