import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { createAnnotatedTag, isValidBranchName, isValidTagName, RefConflict } from '../../git/index.js';
import type { CommitAction } from '../../git/index.js';
import { unbornBranch } from '../repositories/default-branch.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { commitToBranch, loadSignature } from '../repositories/commit-to-branch.js';
import { refHint } from '../repositories/ref-hint.js';
import { findRefRecord, fullRefName } from '../repositories/ref-records.js';
import { loadCommitSha } from '../repositories/commit-of.js';
import { findRef } from '../repositories/repository-ref.finder.js';
import { mayCreateTag, mayPushToBranch } from '../repositories/ref-rules.js';
import { openRepository, writeRefs } from '../repositories/write-refs.js';

/** Read one branch. */
export const getBranch = operation({
  name: 'getBranch',
  summary: 'Read a branch',
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  statements: 6,
  params: {
    branch: text()
      .describe('Name of the branch.')
      .meta({ examples: ['main'] }),
  },
  run: (ctx, found, input) => findRefRecord(ctx, found, 'branch', input.branch),
});

/** Read one tag. */
export const getTag = operation({
  name: 'getTag',
  summary: 'Read a tag',
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  statements: 5,
  params: {
    tag_name: text()
      .describe('Name of the tag.')
      .meta({ examples: ['v1.0.0'] }),
  },
  run: (ctx, found, input) => findRefRecord(ctx, found, 'tag', input.tag_name),
});

async function insertRef(
  ctx: Context,
  found: ProjectRecord,
  fullName: string,
  object: string,
  target: string,
  message: string,
) {
  try {
    await writeRefs(ctx, found, [{ fullName, from: null, to: { object_sha: object, target_sha: target } }]);
  } catch (error) {
    // A concurrent request created it first, or `a` exists where `a/b` should be created.
    if (error instanceof RefConflict) throw new Invalid(message);
    throw error;
  }
}

/**
 * The start commit of a new branch. In an empty repository, creates the default branch with an empty README first, if
 * the new branch starts from it.
 */
async function getStart(ctx: SignedInContext, found: ProjectRecord, ref: string): Promise<string | null> {
  if (found.default_branch !== null || ref !== (await unbornBranch(ctx, found))) return loadCommitSha(ctx, found, ref);
  if (!(await mayPushToBranch(ctx, found, ref)))
    throw new Invalid('You are not allowed to create protected branches on this project.');
  const actions: CommitAction[] = [{ action: 'create', file_path: 'README.md', content: Buffer.from('') }];
  return commitToBranch(ctx, found, { branch: ref, message: 'Add README.md', actions });
}

/** Create a branch from a branch, tag or commit. */
export const createBranch = operation({
  name: 'createBranch',
  summary: 'Create a branch',
  resource: project,
  can: can(projectPolicy, 'push_code'),
  kind: 'write',
  statements: 17,
  params: {
    branch: text()
      .describe('Name of the new branch.')
      .meta({ examples: ['feature'] }),
    ref: text()
      .describe('Branch, tag or commit to start from.')
      .meta({ examples: ['main'] }),
  },
  async run(ctx, found, { branch, ref }) {
    if (!isValidBranchName(branch)) throw new Invalid('Branch name is invalid');
    if (!(await mayPushToBranch(ctx, found, branch)))
      throw new Invalid('You are not allowed to create protected branches on this project.');
    const first = found.default_branch === null;
    const target = await getStart(ctx, found, ref);
    if (!target) throw new Invalid(`Invalid reference name: ${ref}`).hinting(await refHint(ctx, found.id, ref));
    const fullName = fullRefName('branch', branch);
    if (first && branch === ref) return findRefRecord(ctx, found, 'branch', branch);
    if (await findRef(ctx, found.id, fullName)) throw new Invalid('Branch already exists');
    await insertRef(ctx, found, fullName, target, target, 'Branch already exists');
    return findRefRecord(ctx, found, 'branch', branch);
  },
});

/** Create a tag, annotated when it has a message. */
export const createTag = operation({
  name: 'createTag',
  summary: 'Create a tag',
  resource: project,
  can: can(projectPolicy, 'push_code'),
  kind: 'write',
  params: {
    tag_name: text()
      .describe('Name of the new tag.')
      .meta({ examples: ['v1.0.0'] }),
    ref: text()
      .describe('Branch, tag or commit that the tag points to.')
      .meta({ examples: ['main'] }),
    message: optional(text()).describe('Message of the tag, which makes it an annotated tag.'),
  },
  async run(ctx, found, { tag_name: name, ref, message }) {
    if (!found.repository_created) throw NotFound.unspecified();
    if (!isValidTagName(name)) throw new Invalid('Tag name invalid');
    if (!(await mayCreateTag(ctx, found, name)))
      throw new Invalid('You are not allowed to create this tag as it is protected.');
    const target = await loadCommitSha(ctx, found, ref);
    if (!target) throw new Invalid(`Target ${ref} is invalid`).hinting(await refHint(ctx, found.id, ref));
    const fullName = fullRefName('tag', name);
    if (await findRef(ctx, found.id, fullName)) throw new Invalid(`Tag ${name} already exists`);
    const object = message
      ? await createAnnotatedTag(openRepository(ctx, found), {
          name,
          target,
          message,
          tagger: await loadSignature(ctx),
          at: ctx.clock.now(),
        })
      : target;
    await insertRef(ctx, found, fullName, object, target, `Tag ${name} already exists`);
    return findRefRecord(ctx, found, 'tag', name);
  },
});
