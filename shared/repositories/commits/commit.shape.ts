import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context/context.js';
import type { Commit, CommitStats } from '../../git/index.js';
import { commitStats, GitTooCostly, readCommitStats } from '../../git/index.js';
import { load } from '../../core/context/loads.js';
import type { Load } from '../../core/context/loads.js';
import { inView, out, shape, shownIf } from '../../core/operations/shape.js';
import { commitShape } from '../branches-and-tags/branch.shape.js';
import { openRepository } from '../repositories/write-refs.js';

/** A commit in its project; what is more than git's own is loaded by the shapes that show it. */
export interface CommitRecord extends Commit {
  project: ProjectRecord;
}

const statsShape = shape<CommitStats>('CommitStats', {
  additions: out.integer((stats) => stats.additions),
  deletions: out.integer((stats) => stats.deletions),
  total: out.integer((stats) => stats.total),
});

const NO_LINES: CommitStats = { additions: 0, deletions: 0, total: 0 };

/** Where a commit is: of one project for a whole page. */
const repositoryOf = (ctx: Context, { project }: Readonly<CommitRecord>) => openRepository(ctx, project);
const shaOf = ({ sha }: Readonly<CommitRecord>) => sha;

/** Commits of a page that may turn out to be more than can be compared, before the others are not looked at. */
const MOST_TOO_COSTLY = 2;

/** Lines of one commit; null where its files are more than can be compared. */
async function linesOf(ctx: Context, commit: Readonly<CommitRecord>): Promise<CommitStats | null> {
  try {
    return (await commitStats(repositoryOf(ctx, commit), commit.sha)) ?? NO_LINES;
  } catch (error) {
    if (error instanceof GitTooCostly) return null;
    throw error;
  }
}

type Counts = Map<string, CommitStats | null>;

/** Lines of the commits of a page: it costs a look at every changed file. */
const lineCounts = load(shaOf, async (ctx, commits): Promise<Counts> => {
  try {
    return await readCommitStats(repositoryOf(ctx, commits[0]!), commits.map(shaOf));
  } catch (error) {
    if (!(error instanceof GitTooCostly)) throw error;
  }
  const found: Counts = new Map();
  let tooCostly = 0;
  for (const commit of commits) {
    const lines = tooCostly < MOST_TOO_COSTLY ? await linesOf(ctx, commit) : null;
    if (lines === null) tooCostly += 1;
    found.set(commit.sha, lines);
  }
  return found;
});

/** Lines of one commit by itself. */
export const ownLineCounts = load(shaOf, async (ctx, commits) => {
  const found: Counts = new Map();
  for (const commit of commits) found.set(commit.sha, await linesOf(ctx, commit));
  return found;
});

/** Changed lines, unless the files of the commit are more than can be compared: what is not known is not 0. */
const statsBy = (counts: Load<CommitRecord, CommitStats | null>) =>
  shownIf<CommitRecord>((commit, ctx) => counts.of(commit, ctx) !== null, {
    stats: out.record(statsShape, (commit: CommitRecord, ctx) => counts.of(commit, ctx) ?? NO_LINES),
  });

/** A commit in lists, with its lines counted where that was asked for (delivery-resources.md section 6). */
export const listedCommit = shape<CommitRecord>(
  'ListedCommit',
  { ...commitShape.fields, ...inView('with_stats', statsBy(lineCounts)) },
  { views: { with_stats: { loads: [lineCounts] } } },
);

/** A commit by itself; `ci/pipelines` adds its newest pipeline. */
export const commitDetails = shape<CommitRecord>(
  'CommitDetails',
  {
    ...commitShape.fields,
    ...inView('stats', statsBy(ownLineCounts)),
    project_id: out.integer((commit) => commit.project.id),
  },
  { views: { stats: { loads: [ownLineCounts] } } },
);

/** A branch or tag that has a commit. */
export const commitRefShape = shape<{ type: 'branch' | 'tag'; name: string }>('CommitRef', {
  type: out.text((ref) => ref.type, { enum: ['branch', 'tag'] }),
  name: out.text((ref) => ref.name),
});
