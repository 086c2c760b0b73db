import { BadParams } from '../../core/values/errors.js';
import type { Context } from '../../core/context/context.js';
import { integer, oneOf, optional, text } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { emptyTree } from '../../git/index.js';
import { findCommit } from '../../repositories/commits/commit.operations.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { commitNoteableType } from '../noteables/commit-noteable.js';
import type { Noteable } from '../noteables/noteable.js';
import { writeNote } from '../notes/create-note.js';
import { textOfNewNote } from '../notes/note-spam.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';
import { findNotes } from '../notes/note.finder.js';
import { canOn } from '../notes/note.policy.js';
import type { NoteRecord } from '../notes/note.entity.js';
import { linesOfFile } from '../notes/check-position.js';
import { noLine } from '../notes/compared-commits.js';
import type { PositionInput } from '../notes/position-params.js';

/** The line that a comment is attached to, with its side of the diff. */
function getLine({ position }: NoteRecord): { line: number; line_type: 'new' | 'old' } | null {
  if (position?.position_type !== 'text') return null;
  const { new_line: after, old_line: before } = position;
  return after === null ? { line: before as number, line_type: 'old' } : { line: after, line_type: 'new' };
}

/** A note on a commit as the older API shows it. */
export const commitComment = serializer<NoteRecord>('CommitComment', {
  note: out.text((comment) => comment.note),
  path: out.nullableText(({ position }) => position?.new_path ?? null),
  line: out.nullableInteger((comment) => getLine(comment)?.line ?? null),
  line_type: out.nullableText((comment) => getLine(comment)?.line_type ?? null),
  author: out.nullableRecord(userSummary, (comment) => comment.author),
  created_at: out.instant((comment) => comment.created_at),
});

const { resource } = commitNoteableType;

/** List the comments on a commit, oldest first; replies are regular comments. */
export const listCommitComments = operation({
  name: 'listCommitComments',
  summary: 'List the comments of a commit',
  resource,
  can: canOn(commitNoteableType, 'read_note'),
  kind: 'read',
  statements: 8,
  run: (ctx, noteable) => findNotes(ctx, noteable),
});

interface LineInput {
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly line_type?: 'new' | 'old' | undefined;
}

/** The line as a position: all three parameters, or none. @throws BadParams, InvalidNote outside the diff */
async function getPosition(
  ctx: Context,
  { container, sha }: Noteable,
  { path, line, line_type: side }: LineInput,
): Promise<PositionInput | undefined> {
  if (path === undefined) return undefined;
  if (line === undefined || side === undefined)
    throw new BadParams([line === undefined ? 'line is missing' : 'line_type is missing']);
  const commit = await findCommit(ctx, container.record as ProjectRecord, sha as string);
  const base_sha = commit.parent_ids[0] ?? emptyTree;
  const position = { base_sha, start_sha: base_sha, head_sha: sha as string, old_path: path, new_path: path };
  const lines = await linesOfFile(ctx, container.id, { ...position, position_type: 'text' });
  const found = lines.find((one) => one[side] === line && one.type !== (side === 'new' ? 'old' : 'new'));
  if (!found) throw noLine();
  return {
    ...position,
    position_type: 'text',
    ...(found.type === 'new' ? {} : { old_line: found.old }),
    ...(found.type === 'old' ? {} : { new_line: found.new }),
  };
}

/** Comment on a commit, or on a line of what it changes. */
export const createCommitComment = operation({
  name: 'createCommitComment',
  summary: 'Comment on a commit',
  resource,
  can: canOn(commitNoteableType, 'create_note'),
  authentication: 'signed_in_resource',
  kind: 'write',
  precheck: againstSpam((ctx, noteable: Noteable, { note: body }: { note: string }) =>
    textOfNewNote(ctx, noteable, { body }),
  ),
  statements: 26,
  params: {
    note: text()
      .describe('Content of the comment, in Markdown.')
      .meta({ examples: ['Looks good'] }),
    path: optional(text()).describe('Path of the file that the comment is about.'),
    line: optional(integer()).describe('Number of the line in the diff of the file.'),
    line_type: optional(oneOf(['new', 'old'])).describe(
      'Side of the diff that the line number refers to: after (`new`) or before (`old`) the change.',
    ),
  },
  async run(ctx, noteable, { note: body, ...location }) {
    const position = await getPosition(ctx, noteable, location);
    const { note } = await writeNote(ctx, noteable, { body, position }, null);
    // Commits know no quick actions that could leave none.
    return note as NoteRecord;
  },
});
