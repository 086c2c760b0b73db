import { mergedBranches } from '../../git/index.js';
import type { Commit } from '../../git/index.js';
import type { Context } from '../../core/context.js';
import { out, shape } from '../../core/shape.js';
import type { ProjectRecord } from '../../tenancy/projects/project.finder.js';
import type { RefRights } from '../protected-refs/ref-rights.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { attachCommits, fullRefName } from './ref-records.js';
import { rightsOnRefs } from './ref-rules.js';
import type { RepositoryRef } from './repository-ref.entity.js';
import { findRef } from './repository-ref.finder.js';
import { openRepository } from './write-refs.js';

/** A branch or tag with what its shape needs from git. */
export interface RefRecord extends RepositoryRef {
  project: ProjectRecord;
  commit: Commit | null;
  /** Whether it is read by itself: then its annotation is told as a whole. */
  single: boolean;
  /** An annotated tag's own message and time. */
  annotation: { message: string; at: Date } | null;
  /** What its protection lets the caller do; loaded by the shapes. */
  rights?: RefRights;
  /** Whether the default branch has all of its commits; loaded by the branch's shape. */
  merged?: boolean;
}

type CommitOf = Commit & { project: ProjectRecord };

/** Commit dates keep their own offset (delivery-resources.md section 6). */
export const commitShape = shape<CommitOf>('Commit', {
  id: out.text((commit) => commit.sha),
  short_id: out.text((commit) => commit.sha.slice(0, 8)),
  created_at: out.text((commit) => commit.committed_date),
  parent_ids: out.texts((commit) => commit.parent_ids),
  title: out.text((commit) => commit.title),
  message: out.text((commit) => commit.message),
  author_name: out.text((commit) => commit.author_name),
  author_email: out.text((commit) => commit.author_email),
  authored_date: out.text((commit) => commit.authored_date),
  committer_name: out.text((commit) => commit.committer_name),
  committer_email: out.text((commit) => commit.committer_email),
  committed_date: out.text((commit) => commit.committed_date),
  trailers: out.any((commit) => commit.trailers, { type: 'object' }),
  extended_trailers: out.any((commit) => commit.extended_trailers, { type: 'object' }),
  web_url: out.text((commit, ctx) => `${ctx.config.externalUrl}/${commit.project.full_path}/-/commit/${commit.sha}`),
});

const commitOf = (ref: RefRecord) => (ref.commit ? { ...ref.commit, project: ref.project } : null);

/** Commits from git, protection from the database: both once for a page, which is of one project. */
async function loadRefs(ctx: Context, refs: readonly RefRecord[]): Promise<void> {
  const first = refs[0];
  if (!first) return;
  const names = refs.map((ref) => ref.full_name);
  const [rights] = await Promise.all([rightsOnRefs(ctx, first.project, names), attachCommits(ctx, refs)]);
  for (const [index, ref] of refs.entries()) ref.rights = rights[index] as RefRights;
}

/** Marks the branches of a page that are merged into the default one, by one git process. */
async function loadMerged(ctx: Context, branches: readonly RefRecord[]): Promise<void> {
  const project = branches[0]?.project;
  const head =
    project?.default_branch && (await findRef(ctx, project.id, fullRefName('branch', project.default_branch)));
  if (!project || !head) return;
  const names = branches.map((branch) => branch.full_name);
  const merged = new Set(await mergedBranches(openRepository(ctx, project), head.target_sha, names));
  for (const branch of branches) branch.merged = branch.full_name !== head.full_name && merged.has(branch.full_name);
}

async function loadBranches(ctx: Context, branches: readonly RefRecord[]): Promise<void> {
  await Promise.all([loadRefs(ctx, branches), loadMerged(ctx, branches)]);
}

/** `protected` of a branch or tag: some rule matches its name. */
const isProtected = (ref: RefRecord) => ref.rights?.protected === true;

/** A branch (delivery-resources.md section 4). */
export const branchShape = shape<RefRecord>(
  'Branch',
  {
    name: out.text((branch) => branch.name),
    commit: out.maybeRecord(commitShape, commitOf),
    merged: out.flag((branch) => branch.merged === true),
    protected: out.flag(isProtected),
    developers_can_push: out.flag((branch) => branch.rights?.developersPush === true),
    developers_can_merge: out.flag((branch) => branch.rights?.developersMerge === true),
    can_push: out.flag(
      (branch, ctx) => branch.rights?.push === true && projectPolicy.push_code(ctx.caller, branch.project),
    ),
    default: out.flag((branch) => branch.name === branch.project.default_branch),
    web_url: out.text((branch, ctx) => `${ctx.config.externalUrl}/${branch.project.full_path}/-/tree/${branch.name}`),
  },
  { load: loadBranches },
);

/** A tag (delivery-resources.md section 5). */
export const tagShape = shape<RefRecord>(
  'Tag',
  {
    name: out.text((tag) => tag.name),
    message: out.text((tag) => tag.annotation?.message ?? ''),
    target: out.text((tag) => tag.object_sha),
    commit: out.maybeRecord(commitShape, commitOf),
    release: out.any(() => null, { type: ['object', 'null'] }),
    protected: out.flag(isProtected),
    created_at: out.maybeInstant((tag) => tag.annotation?.at ?? null),
  },
  { load: loadRefs },
);
