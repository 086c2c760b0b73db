import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { mergedBranches } from '../../git/index.js';
import type { Commit } from '../../git/index.js';
import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { RefRights } from '../protected-refs/ref-rights.js';
import { projectPolicy, writable } from '../../tenancy/projects/project.policy.js';
import { annotations, refCommits, wholeAnnotations } from './ref-loads.js';
import { fullRefName } from '../repositories/ref-records.js';
import type { RefRecord } from '../repositories/ref-records.js';
import { rightsOnRefs } from '../repositories/ref-rules.js';
import { collaborationBranches } from '../repositories/collaboration.js';
import { findRef } from '../repositories/repository-ref.finder.js';
import { openRepository } from '../repositories/write-refs.js';

type CommitOf = Commit & { project: ProjectRecord };

/** Commit dates keep their own offset (delivery-resources.md section 6). */
export const commitSerializer = serializer<CommitOf>('Commit', {
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

const getName = ({ full_name: name }: Readonly<RefRecord>) => name;

const getCommit = (ref: RefRecord, ctx: Context) => {
  const commit = refCommits.of(ref, ctx);
  return commit ? { ...commit, project: ref.project } : null;
};

/** What protection lets the caller do with the refs of a page, which is of one project. */
const rights = load(getName, async (ctx, refs) => {
  const names = refs.map(getName);
  const found = await rightsOnRefs(ctx, refs[0]!.project, names);
  return new Map<string, RefRights>(names.map((name, index) => [name, found[index]!]));
});

/** Which branches of a page are offered to a caller who has no right to push to the project. */
const offered = load(getName, async (ctx, branches) => {
  const { project } = branches[0]!;
  const names = projectPolicy.push_code(ctx.caller, project) ? [] : await collaborationBranches(ctx, project);
  return new Map([...names].map((name) => [fullRefName('branch', name), true] as const));
});

const canPush = (branch: RefRecord, ctx: Context): boolean =>
  projectPolicy.push_code(ctx.caller, branch.project)
    ? rights.of(branch, ctx)?.push === true
    : writable(branch.project) && offered.of(branch, ctx) === true;

/** Whether the default branch has all commits of the branches of a page: by one git process. */
const merged = load(getName, async (ctx, branches) => {
  const { project } = branches[0]!;
  const head =
    project.default_branch && (await findRef(ctx, project.id, fullRefName('branch', project.default_branch)));
  if (!head) return new Map<string, true>();
  const names = await mergedBranches(openRepository(ctx, project), head.target_sha, branches.map(getName));
  return new Map(names.filter((name) => name !== head.full_name).map((name) => [name, true] as const));
});

/** `protected` of a branch or tag: some rule matches its name. */
const isProtected = (ref: RefRecord, ctx: Context) => rights.of(ref, ctx)?.protected === true;

/** A branch (delivery-resources.md section 4). */
export const branchSerializer = serializer<RefRecord>(
  'Branch',
  {
    name: out.text((branch) => branch.name),
    commit: out.nullableRecord(commitSerializer, getCommit),
    merged: out.boolean((branch, ctx) => merged.of(branch, ctx) === true),
    protected: out.boolean(isProtected),
    developers_can_push: out.boolean((branch, ctx) => rights.of(branch, ctx)?.developersPush === true),
    developers_can_merge: out.boolean((branch, ctx) => rights.of(branch, ctx)?.developersMerge === true),
    can_push: out.boolean(canPush),
    default: out.boolean((branch) => branch.name === branch.project.default_branch),
    web_url: out.text((branch, ctx) => `${ctx.config.externalUrl}/${branch.project.full_path}/-/tree/${branch.name}`),
  },
  { loads: [rights, refCommits, merged, offered] },
);

/** An annotated tag's own message and tagger. */
const getAnnotation = (tag: RefRecord, ctx: Context) => wholeAnnotations.of(tag, ctx) ?? annotations.of(tag, ctx);

function taggedAt(tag: RefRecord, ctx: Context): Date | null {
  const annotation = getAnnotation(tag, ctx);
  return annotation ? new Date(annotation.tagger?.date ?? tag.created_at) : null;
}

/** A tag (delivery-resources.md section 5). Lists show the beginning of its annotation, a single tag all of it. */
export const tagSerializer = serializer<RefRecord>(
  'Tag',
  {
    name: out.text((tag) => tag.name),
    message: out.text((tag, ctx) => getAnnotation(tag, ctx)?.message ?? ''),
    target: out.text((tag) => tag.object_sha),
    commit: out.nullableRecord(commitSerializer, getCommit),
    release: out.any(() => null, { type: ['object', 'null'] }),
    protected: out.boolean(isProtected),
    created_at: out.nullableInstant(taggedAt),
  },
  {
    loads: [rights, refCommits],
    views: { excerpt: { byDefault: true, loads: [annotations] }, whole: { loads: [wholeAnnotations] } },
  },
);
