import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import type { Commit, CommitStats, SignatureType } from '../../git/index.js';
import { commitStats, GitTooCostly, readCommitStats } from '../../git/index.js';
import { load } from '../../core/context/loads.js';
import type { Load } from '../../core/context/loads.js';
import { inView, out, serializer, visibleIf } from '../../core/operations/serializer.js';
import { commitSerializer } from '../branches-and-tags/branch.serializer.js';
import { openRepository } from '../repositories/write-refs.js';
import type { AttributedDiff } from './file-diffs.js';

/** A commit in its project; data that git does not have is loaded by the serializers that show it. */
export interface CommitRecord extends Commit {
  project: ProjectRecord;
}

const statsSerializer = serializer<CommitStats>('CommitStats', {
  additions: out.integer((stats) => stats.additions),
  deletions: out.integer((stats) => stats.deletions),
  total: out.integer((stats) => stats.total),
});

const NO_LINES: CommitStats = { additions: 0, deletions: 0, total: 0 };

/** The repository of a commit; all commits of a page are of one project. */
const getRepository = (ctx: Context, { project }: Readonly<CommitRecord>) => openRepository(ctx, project);
const getSha = ({ sha }: Readonly<CommitRecord>) => sha;

/** After this many commits that are too large to compare, the remaining ones of a page are skipped. */
const MAX_TOO_COSTLY = 2;

/** Changed lines of one commit; null if it has too many files to compare. */
async function getLines(ctx: Context, commit: Readonly<CommitRecord>): Promise<CommitStats | null> {
  try {
    return (await commitStats(getRepository(ctx, commit), commit.sha)) ?? NO_LINES;
  } catch (error) {
    if (error instanceof GitTooCostly) return null;
    throw error;
  }
}

type Counts = Map<string, CommitStats | null>;

/** Changed lines of the commits of a page; costly, as every changed file has to be read. */
const lineCounts = load(getSha, async (ctx, commits): Promise<Counts> => {
  try {
    return await readCommitStats(getRepository(ctx, commits[0]!), commits.map(getSha));
  } catch (error) {
    if (!(error instanceof GitTooCostly)) throw error;
  }
  const found: Counts = new Map();
  let tooCostly = 0;
  for (const commit of commits) {
    const lines = tooCostly < MAX_TOO_COSTLY ? await getLines(ctx, commit) : null;
    if (lines === null) tooCostly += 1;
    found.set(commit.sha, lines);
  }
  return found;
});

/** Changed lines of a single commit. */
export const ownLineCounts = load(getSha, async (ctx, commits) => {
  const found: Counts = new Map();
  for (const commit of commits) found.set(commit.sha, await getLines(ctx, commit));
  return found;
});

/** Changed lines, unless the commit has too many files to compare: unknown counts are not shown as 0. */
const statsBy = (counts: Load<CommitRecord, CommitStats | null>) =>
  visibleIf<CommitRecord>((commit, ctx) => counts.of(commit, ctx) !== null, {
    stats: out.record(statsSerializer, (commit: CommitRecord, ctx) => counts.of(commit, ctx) ?? NO_LINES),
  });

/** A commit in lists, with line counts on request (delivery-resources.md section 6). */
export const listedCommit = serializer<CommitRecord>(
  'ListedCommit',
  { ...commitSerializer.fields, ...inView('with_stats', statsBy(lineCounts)) },
  { views: { with_stats: { loads: [lineCounts] } } },
);

/** A single commit; `ci/pipelines` adds its newest pipeline. */
export const commitDetails = serializer<CommitRecord>(
  'CommitDetails',
  {
    ...commitSerializer.fields,
    ...inView('stats', statsBy(ownLineCounts)),
    project_id: out.integer((commit) => commit.project.id),
  },
  { views: { stats: { loads: [ownLineCounts] } } },
);

/** A branch or tag that contains a commit. */
export const commitRefSerializer = serializer<{ type: 'branch' | 'tag'; name: string }>('CommitRef', {
  type: out.text((ref) => ref.type, { enum: ['branch', 'tag'] }),
  name: out.text((ref) => ref.name),
});

/** Position of a commit in its history. */
export const commitSequence = serializer<{ count: number }>('CommitSequence', {
  count: out.integer((sequence) => sequence.count),
});

const unknownKeyField = () => null;

/** A signature, in the form that the public API uses for an unknown key. */
export const commitSignature = serializer<{ type: SignatureType }>('CommitSignature', {
  signature_type: out.text(({ type }) => type, { enum: ['PGP', 'SSH', 'X509'] }),
  verification_status: out.text(({ type }) => (type === 'X509' ? 'unverified' : 'unknown_key')),
  gpg_key_id: out.nullableInteger(unknownKeyField),
  gpg_key_primary_keyid: out.nullableText(unknownKeyField),
  gpg_key_user_name: out.nullableText(unknownKeyField),
  gpg_key_user_email: out.nullableText(unknownKeyField),
  gpg_key_subkey_id: out.nullableInteger(unknownKeyField),
});

/** Result of a dry run: the commit could be picked, but was not. */
export interface DryRun {
  dry_run: 'success';
}

export const dryRunSerializer = serializer<DryRun>('DryRun', {
  dry_run: out.text((result) => result.dry_run, { enum: ['success'] }),
});

/** A file mode as the public API writes it: 0 if there is no file. */
const getMode = (mode: string): string => (/^0+$/.test(mode) ? '0' : mode);

/** The changes to one file (delivery-resources.md section 6). */
export const fileDiffSerializer = serializer<AttributedDiff>('FileDiff', {
  old_path: out.text((file) => file.oldPath),
  new_path: out.text((file) => file.newPath),
  a_mode: out.text((file) => getMode(file.oldMode)),
  b_mode: out.text((file) => getMode(file.newMode)),
  diff: out.text((file) => file.text),
  new_file: out.boolean((file) => file.kind === 'added'),
  renamed_file: out.boolean((file) => file.kind === 'renamed'),
  deleted_file: out.boolean((file) => file.kind === 'deleted'),
  generated_file: out.boolean((file) => file.generated),
  collapsed: out.boolean((file) => file.collapsed),
  too_large: out.boolean((file) => file.tooLarge),
});
