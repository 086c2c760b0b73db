import type { Context } from '../../core/context/context.js';
import { BadParams, Forbidden } from '../../core/values/errors.js';
import { boolean, object, list, optional, oneOf, text, withDefault } from '../../core/operations/fields.js';
import type { CommitAction } from '../../git/index.js';
import { authorize, can, operation } from '../../core/operations/operation.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { areRelated } from '../project-forks/fork-network.js';
import { commitPolicy, commitTarget } from '../repositories/collaboration.js';
import { contentBytes, encoding } from '../repositories/commit-to-branch.js';
import { commitParams, pushCommit } from '../repositories/push-commit.js';
import { findCommit } from './commit.operations.js';
import { ownLineCounts } from './commit.serializer.js';
import type { CommitRecord } from './commit.serializer.js';

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

/** @throws BadParams for missing fields of an action, other than its path */
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

/**
 * The start project of a new branch, if it is a different one.
 * @throws NotFound if hidden from the caller, Forbidden if its code is not accessible or it is not in the same fork
 * network
 */
async function getStartProject(ctx: Context, found: ProjectRecord, reference: string | undefined) {
  if (reference === undefined) return undefined;
  const start = await findProject(ctx, reference);
  if (start.id === found.id) return undefined;
  authorize(ctx, projectPolicy, 'read_code', start);
  if (!(await areRelated(ctx, found.id, start.id)))
    throw new Forbidden(`Project is not included in the fork network for ${start.full_name}`);
  return start;
}

/** Commit changes of several files at once. All of them happen, or none. */
export const createCommit = operation({
  name: 'createCommit',
  summary: 'Create a commit',
  example: { actions: [{ action: 'create', file_path: 'docs/guide.md', content: 'Hello\n' }] },
  resource: commitTarget,
  can: can(commitPolicy, 'push_code'),
  kind: 'write',
  statements: 28,
  params: {
    ...commitParams,
    actions: list(
      object({
        action: oneOf(KINDS).describe('Action to perform on the file.'),
        file_path: text().describe('Path of the file.'),
        previous_path: optional(text()).describe('Previous path of a moved file.'),
        content: text().optional().describe('Content of the whole file.'),
        encoding,
        last_commit_id: optional(text()).describe('ID of the last commit of the file that is known to the caller.'),
        execute_filemode: optional(boolean()).describe('If `true`, the file is executable.'),
      }),
    ).describe('Actions to perform, in order.'),
    start_sha: optional(text()).describe('Commit that a new branch starts from.'),
    start_project: optional(text()).describe(
      'ID or full path of the project that a new branch starts from: a project of the same fork network.',
    ),
    force: withDefault(boolean(), false).describe(
      'If `true`, an existing branch is reset to `start_branch` or `start_sha`, and loses its commits.',
    ),
    stats: withDefault(boolean(), true).describe('If `true`, includes line counts of the new commit.'),
  },
  async run(ctx, found, input) {
    if (input.start_branch !== undefined && input.start_sha !== undefined)
      throw new BadParams(['start_branch, start_sha are mutually exclusive']);
    requireComplete(input.actions);
    const startProject = await getStartProject(ctx, found, input.start_project);
    let commit: CommitRecord | undefined;
    const beforeMove = async (sha: string) => {
      commit = await findCommit(ctx, found, sha);
      if (input.stats) await ownLineCounts.fill(ctx, [commit]);
    };
    await pushCommit(ctx, found, input, input.actions.map(toAction), {
      denial: 'forbidden',
      beforeMove,
      ...(startProject && { startProject }),
    });
    return commit as CommitRecord;
  },
});
