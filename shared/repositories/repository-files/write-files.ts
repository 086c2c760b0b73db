import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { SignedInContext } from '../../core/context/context.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import type { CommitAction } from '../../git/index.js';
import { can, operation } from '../../core/operations/operation.js';
import { commitPolicy, commitTarget } from '../repositories/collaboration.js';
import { contentBytes, encoding } from '../repositories/commit-to-branch.js';
import { commitParams, pushCommit } from '../repositories/push-commit.js';
import { filePath } from './read-files.js';

const writes = {
  resource: commitTarget,
  can: can(commitPolicy, 'push_code'),
  kind: 'write',
  scopes: ['api', 'write_repository'],
  statements: 20,
} as const;

const content = {
  content: text()
    .describe('Content of the whole file.')
    .meta({ examples: ['Hello\n'] }),
  encoding,
  execute_filemode: optional(boolean()).describe('If `true`, the file is executable.'),
};

const lastCommit = optional(text()).describe('ID of the last commit of the file that is known to the caller.');

interface WriteInput extends Record<string, unknown> {
  branch: string;
  commit_message: string;
  file_path: string;
}

async function write(
  ctx: SignedInContext,
  found: ProjectRecord,
  input: WriteInput,
  action: Omit<CommitAction, 'file_path'>,
) {
  const { file_path, branch } = input;
  await pushCommit(ctx, found, input, [{ ...action, file_path }]);
  return { file_path, branch };
}

/** Add a file by a commit of its own. The first one of an empty repository makes the branch. */
export const createFile = operation({
  name: 'createFile',
  summary: 'Create a file',
  ...writes,
  params: { file_path: filePath, ...commitParams, ...content },
  run: (ctx, found, input) =>
    write(ctx, found, input, {
      action: 'create',
      content: contentBytes(input.content, input.encoding, 'content'),
      execute_filemode: input.execute_filemode,
    }),
});

/** Replace a file's content by a commit of its own. */
export const updateFile = operation({
  name: 'updateFile',
  summary: 'Update a file',
  ...writes,
  params: { file_path: filePath, ...commitParams, ...content, last_commit_id: lastCommit },
  run: (ctx, found, input) =>
    write(ctx, found, input, {
      action: 'update',
      content: contentBytes(input.content, input.encoding, 'content'),
      execute_filemode: input.execute_filemode,
      last_commit_id: input.last_commit_id,
    }),
});

/** Delete a file by a commit of its own. */
export const deleteFile = operation({
  name: 'deleteFile',
  summary: 'Delete a file',
  ...writes,
  params: { file_path: filePath, ...commitParams, last_commit_id: lastCommit },
  run: (ctx, found, input) => write(ctx, found, input, { action: 'delete', last_commit_id: input.last_commit_id }),
});
