import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { boolean, instant, optional, oneOf, text, withDefault } from '../../core/operations/fields.js';
import { commitRefs, readCommit, readLog } from '../../git/index.js';
import { can, operation } from '../../core/operations/operation.js';
import type { OffsetSource } from '../../core/values/offset-source.js';
import { offsetSourceOf } from '../../core/values/offset-source.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { requireCommit } from '../repositories/commit-of.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { isTagRef, shortRef } from '../repositories/repository-ref.finder.js';
import { openRepository } from '../repositories/write-refs.js';
import type { CommitRecord } from './commit.serializer.js';

/** A path parameter. */
export const sha = text()
  .describe('Commit, branch or tag.')
  .meta({ examples: ['main'] });

/** One commit by its full id. @throws NotFound */
export async function findCommit(ctx: Context, found: ProjectRecord, id: string): Promise<CommitRecord> {
  const commit = await withGitAnswers(() => readCommit(openRepository(ctx, found), id));
  if (!commit) throw new NotFound('Commit');
  return { ...commit, project: found };
}

/** Where a log starts and what it leaves out: `a..b` is what b has beyond a. */
async function getRange(ctx: Context, found: ProjectRecord, name: string) {
  const [, from, to] = /^(.+?)\.\.([^.].*)$/.exec(name) ?? [];
  if (from === undefined || to === undefined) return { revisions: [await requireCommit(ctx, found, name)] };
  return { exclude: [await requireCommit(ctx, found, from)], revisions: [await requireCommit(ctx, found, to)] };
}

/** List commits, newest first. They are not counted: that would read the whole history. */
export const listCommits = operation({
  name: 'listCommits',
  summary: "List a project's commits",
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  statements: 5,
  params: {
    ref_name: optional(text()).describe('Branch, tag, commit or range `a..b`; the default branch if omitted.'),
    since: optional(instant()).describe('Returns commits committed at or after this time.'),
    until: optional(instant()).describe('Returns commits committed at or before this time.'),
    path: optional(text()).describe('Path of a file or folder that the commits change.'),
    author: optional(text()).describe('Returns commits whose author has this text in their name or email address.'),
    all: withDefault(boolean(), false).describe('If `true`, returns commits of every branch and tag.'),
    with_stats: withDefault(boolean(), false).describe('If `true`, includes line counts of each commit.'),
    first_parent: withDefault(boolean(), false).describe('If `true`, follows only the first parent of merge commits.'),
    order: withDefault(oneOf(['default', 'topo']), 'default').describe(
      'Order of the commits; `topo` keeps lines of development together.',
    ),
  },
  async run(ctx, found, input): Promise<OffsetSource<CommitRecord>> {
    if (!found.repository_created || (!found.default_branch && input.ref_name === undefined)) return offsetSourceOf([]);
    const name = input.ref_name ?? found.default_branch ?? 'HEAD';
    const range = input.all ? { all: true } : await getRange(ctx, found, name);
    const { since, until, path, author, first_parent: firstParent, order } = input;
    const filter = { ...range, since, until, path, author, firstParent, order };
    return {
      async slice(skip, limit) {
        const commits = await withGitAnswers(() => readLog(openRepository(ctx, found), { ...filter, skip, limit }));
        return commits.map((commit) => ({ ...commit, project: found }));
      },
    };
  },
});

/** Read one commit. */
export const getCommit = operation({
  name: 'getCommit',
  summary: 'Read a commit',
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  statements: 6,
  params: { sha, stats: withDefault(boolean(), true).describe('If `true`, includes line counts of the commit.') },
  async run(ctx, found, input) {
    return findCommit(ctx, found, await requireCommit(ctx, found, input.sha));
  },
});

/** List the branches and tags that have a commit. */
export const listRefsOfCommit = operation({
  name: 'listRefsOfCommit',
  summary: 'List the refs of a commit',
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  statements: 5,
  params: {
    sha,
    type: withDefault(oneOf(['branch', 'tag', 'all']), 'all').describe('Filter by type: `branch`, `tag` or `all`.'),
  },
  async run(ctx, found, input) {
    const commit = await requireCommit(ctx, found, input.sha);
    const names = await commitRefs(openRepository(ctx, found), commit, input.type);
    return names.map((name) => ({
      type: isTagRef(name) ? ('tag' as const) : ('branch' as const),
      name: shortRef(name),
    }));
  },
});
