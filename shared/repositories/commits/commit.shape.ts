import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context.js';
import type { Commit, CommitStats } from '../../git/index.js';
import { commitStats, readCommitStats } from '../../git/index.js';
import { load } from '../../core/loads.js';
import type { Load } from '../../core/loads.js';
import { inView, out, shape } from '../../core/shape.js';
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

/** Lines of the commits of a page: it costs a look at every changed file. */
const lineCounts = load(shaOf, (ctx, commits) => readCommitStats(repositoryOf(ctx, commits[0]!), commits.map(shaOf)));

/** Lines of one commit by itself. */
export const ownLineCounts = load(shaOf, async (ctx, commits) => {
  const found = new Map<string, CommitStats>();
  for (const commit of commits)
    found.set(commit.sha, (await commitStats(repositoryOf(ctx, commit), commit.sha)) ?? NO_LINES);
  return found;
});

const statsBy = (counts: Load<CommitRecord, CommitStats>) =>
  out.record(statsShape, (commit: CommitRecord, ctx) => counts.of(commit, ctx) ?? NO_LINES);

/** A commit in lists, with its lines counted where that was asked for (delivery-resources.md section 6). */
export const listedCommit = shape<CommitRecord>(
  'ListedCommit',
  { ...commitShape.fields, ...inView('with_stats', { stats: statsBy(lineCounts) }) },
  { views: { with_stats: { loads: [lineCounts] } } },
);

/** A commit by itself; `ci/pipelines` adds its newest pipeline. */
export const commitDetails = shape<CommitRecord>(
  'CommitDetails',
  {
    ...commitShape.fields,
    ...inView('stats', { stats: statsBy(ownLineCounts) }),
    project_id: out.integer((commit) => commit.project.id),
  },
  { views: { stats: { loads: [ownLineCounts] } } },
);

/** A branch or tag that has a commit. */
export const commitRefShape = shape<{ type: 'branch' | 'tag'; name: string }>('CommitRef', {
  type: out.text((ref) => ref.type, { enum: ['branch', 'tag'] }),
  name: out.text((ref) => ref.name),
});
