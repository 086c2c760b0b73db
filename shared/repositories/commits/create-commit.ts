import { BadParams } from '../../core/errors.js';
import { boolean, object, list, optional, oneOf, text, withDefault } from '../../core/fields.js';
import type { CommitAction } from '../../git/index.js';
import { can, operation } from '../../core/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { contentBytes, encoding } from '../repositories/file-content.js';
import { commitParams, pushCommit } from '../repositories/push-commit.js';
import { findCommit } from './commit.operations.js';
import { ownLineCounts } from './commit.shape.js';
import type { CommitRecord } from './commit.shape.js';

const KINDS = ['create', 'update', 'delete', 'move', 'chmod'] as const;

interface ActionInput {
  action: (typeof KINDS)[number];
  file_path: string;
  previous_path?: string | undefined;
  content?: string | undefined;
  encoding: 'text' | 'base64';
  last_commit_id?: string | undefined;
  execute_filemode?: boolean | undefined;
}

const NEEDED = {
  create: ['content'],
  update: ['content'],
  delete: [],
  move: ['previous_path'],
  chmod: ['execute_filemode'],
} as const;

/** @throws BadParams for what an action needs besides its path */
function requireComplete(actions: readonly ActionInput[]): void {
  if (actions.length === 0) throw new BadParams(['actions is empty']);
  const problems = actions.flatMap((action, index) =>
    NEEDED[action.action]
      .filter((name) => action[name] === undefined)
      .map((name) => `actions[${index}][${name}] is missing`),
  );
  if (problems.length > 0) throw new BadParams(problems);
}

function toAction(input: ActionInput, index: number): CommitAction {
  const { content, encoding: encoded, ...action } = input;
  if (content === undefined) return action;
  return { ...action, content: contentBytes(content, encoded, `actions[${index}][content]`) };
}

/** Commit changes of several files at once. All of them happen, or none. */
export const createCommit = operation({
  name: 'createCommit',
  summary: 'Create a commit',
  example: { actions: [{ action: 'create', file_path: 'docs/guide.md', content: 'Hello\n' }] },
  subject: project,
  can: can(projectPolicy, 'push_code'),
  kind: 'write',
  statements: 24,
  params: {
    ...commitParams,
    actions: list(
      object({
        action: oneOf(KINDS).describe('What happens to the file.'),
        file_path: text().describe('Path of the file.'),
        previous_path: optional(text()).describe('Where a moved file was.'),
        content: text().optional().describe('Content of the whole file.'),
        encoding,
        last_commit_id: optional(text()).describe("The file's last commit that the caller has seen."),
        execute_filemode: optional(boolean()).describe('Whether the file is executable.'),
      }),
    ).describe('Changes, done in order.'),
    start_sha: optional(text()).describe('Commit that a new branch starts from.'),
    stats: withDefault(boolean(), true).describe('Count the lines of the new commit.'),
  },
  async run(ctx, found, input) {
    if (input.start_branch !== undefined && input.start_sha !== undefined)
      throw new BadParams(['start_branch, start_sha are mutually exclusive']);
    requireComplete(input.actions);
    let made: CommitRecord | undefined;
    const look = async (sha: string) => {
      made = await findCommit(ctx, found, sha);
      if (input.stats) await ownLineCounts.fill(ctx, [made]);
    };
    await pushCommit(ctx, found, input, input.actions.map(toAction), { refusal: 'forbidden', look });
    return made as CommitRecord;
  },
});
