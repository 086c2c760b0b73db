import { Resolver } from 'type-graphql';
import { Invalid, NotFound } from '../../../shared/core/values/errors.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { countAction } from '../../../shared/core/operations/limit-actions.js';
import {
  convertAnyNote,
  destroyAnyNote,
  findAnyDiscussion,
  resolveAnyDiscussion,
  updateAnyNote,
} from '../../../shared/notes/discussions/any-note.operations.js';
import {
  epicDiscussionOperations,
  issueDiscussionOperations,
  mergeRequestDiscussionOperations,
  snippetDiscussionOperations,
} from '../../../shared/notes/discussions/discussion.operations.js';
import { epicNoteableType } from '../../../shared/notes/noteables/epic-noteable.js';
import { issueNoteableType } from '../../../shared/notes/noteables/issue-noteable.js';
import { mergeRequestNoteableType } from '../../../shared/notes/noteables/merge-request-noteable.js';
import type { Noteable, NoteableType } from '../../../shared/notes/noteables/noteable.js';
import { snippetNoteableType } from '../../../shared/notes/noteables/snippet-noteable.js';
import { FailedCommands } from '../../../shared/notes/notes/create-note.js';
import { findNote } from '../../../shared/notes/notes/note.finder.js';
import {
  epicNoteOperations,
  issueNoteOperations,
  mergeRequestNoteOperations,
  snippetNoteOperations,
} from '../../../shared/notes/notes/note.operations.js';
import type { PositionInput } from '../../../shared/notes/notes/position-params.js';
import { repositionNote } from '../../../shared/notes/positions/reposition.operations.js';
import { InvalidNote } from '../../../shared/notes/notes/note.rules.js';
import type { CommandsOnly, DiscussionRecord, NoteRecord } from '../../../shared/notes/notes/note.entity.js';
import type { CommandsOutcome } from '../../../shared/notes/quick-actions/quick-action.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { mutationsOf } from '../../core/graphql/mutations.js';
import {
  ConvertNoteInput,
  CreateDiffNoteInput,
  CreateDiscussionInput,
  CreateImageDiffNoteInput,
  CreateNoteInput,
  DestroyNoteInput,
  QuickActionsStatusType,
  RepositionImageDiffNoteInput,
  ToggleResolveInput,
  UpdateImageDiffNoteInput,
  UpdateNoteInput,
} from './note-inputs.graphql.js';
import { imagePosition, linePosition, getPoint } from '../positions/positions.graphql.js';
import { DiscussionObject } from '../discussions/discussions.graphql.js';
import { NoteObject } from './notes.graphql.js';

const ISSUES = {
  type: issueNoteableType,
  column: 'issue_id',
  notes: issueNoteOperations,
  discussions: issueDiscussionOperations,
} as const;

/** What else can be commented on, by the type that a global id names. */
const OTHERS: Readonly<Record<string, Kind>> = {
  MergeRequest: {
    type: mergeRequestNoteableType,
    column: 'merge_request_id',
    notes: mergeRequestNoteOperations,
    discussions: mergeRequestDiscussionOperations,
  },
  Epic: {
    type: epicNoteableType,
    column: 'epic_id',
    notes: epicNoteOperations,
    discussions: epicDiscussionOperations,
  },
  ProjectSnippet: {
    type: snippetNoteableType,
    column: 'snippet_id',
    notes: snippetNoteOperations,
    discussions: snippetDiscussionOperations,
  },
};

interface Kind {
  readonly type: NoteableType;
  /** Of notes, that names the record. */
  readonly column: string;
  readonly notes: typeof issueNoteOperations;
  readonly discussions: typeof issueDiscussionOperations;
}

/** The operations for the type of a global id. */
const getKind = ({ type }: GlobalId): Kind => OTHERS[type] ?? ISSUES;

/** The record of a global id, locked for its change. @throws NotFound */
const getNoteable =
  (id: GlobalId) =>
  (ctx: GraphqlRequest['ctx']): Promise<Noteable> => {
    const { type, column } = getKind(id);
    if (id.type === 'Noteable') throw new NotFound();
    return type.findOf(ctx, { [column]: id.id });
  };

const getStatus = ({ names, messages, errors }: CommandsOutcome, commandsOnly: boolean) => ({
  commandNames: names,
  commandsOnly,
  messages,
  errorMessages: errors,
});

/** What a mutation of a note answers. */
interface NotePayload {
  note: NoteObject | null;
  quickActionsStatus?: QuickActionsStatusType | null;
  errors?: string[];
}

/**
 * The payload of a comment: if it contains only commands, no note is stored, and their effects are reported as errors.
 */
function written(result: NoteRecord | CommandsOnly, request: GraphqlRequest): NotePayload {
  const { commands } = result;
  if ('discussion_id' in result)
    return {
      note: new NoteObject(result, request),
      quickActionsStatus: commands ? getStatus(commands, false) : null,
    };
  const outcome = commands as CommandsOutcome;
  return {
    note: null,
    quickActionsStatus: getStatus(outcome, true),
    errors: [...outcome.messages, ...outcome.errors],
  };
}

/** Runs an action that writes a comment, with its own messages for validation errors. */
async function writing(request: GraphqlRequest, work: () => Promise<NoteRecord | CommandsOnly>): Promise<NotePayload> {
  try {
    return written(await work(), request);
  } catch (error) {
    if (error instanceof FailedCommands)
      return { note: null, quickActionsStatus: getStatus(error.outcome, true), errors: [...error.outcome.errors] };
    throw error instanceof InvalidNote ? new Invalid({ [error.field]: [...error.problems] }) : error;
  }
}

const NO_DISCUSSION = "The discussion does not exist or you don't have permission to perform this action";

/** A thread of the noteable. @throws GraphqlProblem */
async function getThread(ctx: GraphqlRequest['ctx'], id: string, noteable: GlobalId): Promise<DiscussionRecord> {
  const found = await findAnyDiscussion(ctx, id).catch((error: unknown) => {
    throw error instanceof NotFound ? new GraphqlProblem(NO_DISCUSSION) : error;
  });
  if (found.noteable.id !== noteable.id || found.noteable.type !== getKind(noteable).type)
    throw new GraphqlProblem(NO_DISCUSSION);
  return found;
}

async function reply(request: GraphqlRequest, { noteableId, body }: CreateNoteInput, discussionId: string) {
  const { ctx } = request;
  await countAction(ctx, 'notes_create');
  const find = async (on: typeof ctx) => (await getThread(on, discussionId, noteableId)).noteable;
  return invoke(ctx, getKind(noteableId).discussions.reply, { discussion_id: discussionId, body }, find);
}

/** Starts a thread, and answers its note. */
async function start(
  request: GraphqlRequest,
  { noteableId, body, internal }: CreateDiscussionInput,
  position?: PositionInput,
) {
  const { ctx } = request;
  await countAction(ctx, 'notes_create');
  if (position && getKind(noteableId).type.diffs !== true) throw new NotFound();
  const params = { body, internal: internal ?? false, ...(position ? { position } : {}) };
  const result = await invoke(ctx, getKind(noteableId).discussions.create, params, getNoteable(noteableId));
  return 'discussion_id' in result ? findNote(ctx, result.noteable, result.id) : result;
}

const noteMutation = mutationsOf<NotePayload>({
  description: 'Payload of a mutation of a note.',
  fields: {
    note: { type: () => NoteObject, description: 'Note after the mutation.' },
    quickActionsStatus: { type: () => QuickActionsStatusType, description: 'Status of the quick actions of the note.' },
  },
});

const threadMutation = mutationsOf({
  description: 'Payload of the mutation that resolves or unresolves a thread.',
  fields: { discussion: { type: () => DiscussionObject, description: 'Thread after the mutation.' } },
  present: (record: DiscussionRecord, request) => ({ discussion: new DiscussionObject(record, request) }),
});

@Resolver()
export class NoteMutations {
  @noteMutation(CreateNoteInput, { description: 'Creates a comment or a reply.' })
  createNote(input: CreateNoteInput, request: GraphqlRequest): Promise<NotePayload> {
    const { noteableId, body, internal, discussionId, mergeRequestDiffHeadSha } = input;
    const head = getKind(noteableId).type.versioned ? mergeRequestDiffHeadSha : null;
    const params = { body, internal: internal ?? false, ...(head ? { merge_request_diff_head_sha: head } : {}) };
    return writing(request, () =>
      discussionId
        ? reply(request, input, discussionId)
        : invoke(request.ctx, getKind(noteableId).notes.create, params, getNoteable(noteableId)),
    );
  }

  @noteMutation(CreateDiscussionInput, { description: 'Starts a thread on a record.' })
  createDiscussion(input: CreateDiscussionInput, request: GraphqlRequest): Promise<NotePayload> {
    return writing(request, () => start(request, input));
  }

  @noteMutation(UpdateNoteInput, { description: 'Updates the body of a note.' })
  updateNote(input: UpdateNoteInput, request: GraphqlRequest): Promise<NotePayload> {
    return writing(request, () => updateBody(request, input));
  }

  @noteMutation(DestroyNoteInput, { description: 'Deletes a note.' })
  async destroyNote({ id: { id } }: DestroyNoteInput, { ctx }: GraphqlRequest): Promise<NotePayload> {
    await invoke(ctx, destroyAnyNote, { id });
    return { note: null };
  }

  @noteMutation(ConvertNoteInput, { description: 'Converts a comment to a thread.' })
  noteConvertToThread({ id: { id } }: ConvertNoteInput, request: GraphqlRequest): Promise<NotePayload> {
    return writing(request, () => invoke(request.ctx, convertAnyNote, { id }));
  }

  @threadMutation(ToggleResolveInput, { description: 'Resolves or unresolves a thread.' })
  discussionToggleResolve(input: ToggleResolveInput, { ctx }: GraphqlRequest): Promise<DiscussionRecord> {
    return invoke(ctx, resolveAnyDiscussion, { discussion_id: input.id, resolved: input.resolve });
  }
}

const updateBody = ({ ctx }: GraphqlRequest, { id: { id }, body }: UpdateNoteInput) =>
  invoke(ctx, updateAnyNote, { id, ...(typeof body === 'string' ? { body } : {}) });

/** Updates the text of a note on an image, its position, or both, as far as they are present. */
async function updateOnPicture(request: GraphqlRequest, input: UpdateImageDiffNoteInput) {
  const { id, body, position } = input;
  const moved = position ? await invoke(request.ctx, repositionNote, { id: id.id, ...getPoint(position) }) : null;
  return moved && typeof body !== 'string' ? moved : updateBody(request, input);
}

@Resolver()
export class DiffNoteMutations {
  @noteMutation(CreateDiffNoteInput, { description: 'Starts a thread on a line of a diff.' })
  createDiffNote(input: CreateDiffNoteInput, request: GraphqlRequest): Promise<NotePayload> {
    return writing(request, () => start(request, input, linePosition(input.position)));
  }

  @noteMutation(CreateImageDiffNoteInput, { description: 'Starts a thread on an image of a diff.' })
  createImageDiffNote(input: CreateImageDiffNoteInput, request: GraphqlRequest): Promise<NotePayload> {
    return writing(request, () => start(request, input, imagePosition(input.position)));
  }

  @noteMutation(RepositionImageDiffNoteInput, { description: 'Moves a note to another point of its image.' })
  repositionImageDiffNote(input: RepositionImageDiffNoteInput, request: GraphqlRequest): Promise<NotePayload> {
    const params = { id: input.id.id, ...getPoint(input.position) };
    return writing(request, () => invoke(request.ctx, repositionNote, params));
  }

  @noteMutation(UpdateImageDiffNoteInput, { description: 'Updates a note on an image.' })
  updateImageDiffNote(input: UpdateImageDiffNoteInput, request: GraphqlRequest): Promise<NotePayload> {
    return writing(request, () => updateOnPicture(request, input));
  }
}
