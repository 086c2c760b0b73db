import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
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
import { mutate } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import {
  ConvertNoteInput,
  CreateDiffNoteInput,
  CreateDiscussionInput,
  CreateImageDiffNoteInput,
  CreateNoteInput,
  DestroyNoteInput,
  notePayload,
  RepositionImageDiffNoteInput,
  ToggleResolveInput,
  ToggleResolvePayload,
  UpdateImageDiffNoteInput,
  UpdateNoteInput,
} from './note-inputs.graphql.js';
import { imagePosition, linePosition, pointOf } from '../positions/positions.graphql.js';
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
const kindOf = ({ type }: GlobalId): Kind => OTHERS[type] ?? ISSUES;

/** The record of a global id, locked for its change. @throws NotFound */
const noteableOf =
  (id: GlobalId) =>
  (ctx: GraphqlRequest['ctx']): Promise<Noteable> => {
    const { type, column } = kindOf(id);
    if (id.type === 'Noteable') throw new NotFound();
    return type.findOf(ctx, { [column]: id.id });
  };

const statusOf = ({ names, messages, errors }: CommandsOutcome, commandsOnly: boolean) => ({
  commandNames: names,
  commandsOnly,
  messages,
  errorMessages: errors,
});

/**
 * The payload of a comment: if it contains only commands, no note is stored, and their effects are reported as errors.
 */
function written(result: NoteRecord | CommandsOnly, request: GraphqlRequest) {
  const { commands } = result;
  if ('discussion_id' in result)
    return {
      note: new NoteObject(result, request),
      quickActionsStatus: commands ? statusOf(commands, false) : null,
    };
  const outcome = commands as CommandsOutcome;
  return {
    note: null,
    quickActionsStatus: statusOf(outcome, true),
    errors: [...outcome.messages, ...outcome.errors],
  };
}

/** Runs an action that writes a comment, with its own messages for validation errors. */
async function writing(request: GraphqlRequest, work: () => Promise<NoteRecord | CommandsOnly>) {
  try {
    return written(await work(), request);
  } catch (error) {
    if (error instanceof FailedCommands)
      return { note: null, quickActionsStatus: statusOf(error.outcome, true), errors: [...error.outcome.errors] };
    throw error instanceof InvalidNote ? new Invalid({ [error.field]: [...error.problems] }) : error;
  }
}

const NO_DISCUSSION = "The discussion does not exist or you don't have permission to perform this action";

/** A thread of the noteable. @throws GraphqlProblem */
async function threadOf(ctx: GraphqlRequest['ctx'], id: string, noteable: GlobalId): Promise<DiscussionRecord> {
  const found = await findAnyDiscussion(ctx, id).catch((error: unknown) => {
    throw error instanceof NotFound ? new GraphqlProblem(NO_DISCUSSION) : error;
  });
  if (found.noteable.id !== noteable.id || found.noteable.type !== kindOf(noteable).type)
    throw new GraphqlProblem(NO_DISCUSSION);
  return found;
}

async function reply(request: GraphqlRequest, { noteableId, body }: CreateNoteInput, discussionId: string) {
  const { ctx } = request;
  await countAction(ctx, 'notes_create');
  const find = async (on: typeof ctx) => (await threadOf(on, discussionId, noteableId)).noteable;
  return invoke(ctx, kindOf(noteableId).discussions.reply, { discussion_id: discussionId, body }, find);
}

/** Starts a thread, and answers its note. */
async function start(
  request: GraphqlRequest,
  { noteableId, body, internal }: CreateDiscussionInput,
  position?: PositionInput,
) {
  const { ctx } = request;
  await countAction(ctx, 'notes_create');
  if (position && kindOf(noteableId).type.diffs !== true) throw new NotFound();
  const params = { body, internal: internal ?? false, ...(position ? { position } : {}) };
  const result = await invoke(ctx, kindOf(noteableId).discussions.create, params, noteableOf(noteableId));
  return 'discussion_id' in result ? findNote(ctx, result.noteable, result.id) : result;
}

const CreatePayload = notePayload('CreateNotePayload');
const CreateDiscussionPayload = notePayload('CreateDiscussionPayload');
const CreateDiffPayload = notePayload('CreateDiffNotePayload');
const CreateImageDiffPayload = notePayload('CreateImageDiffNotePayload');
const RepositionPayload = notePayload('RepositionImageDiffNotePayload');
const UpdateImageDiffPayload = notePayload('UpdateImageDiffNotePayload');
const UpdatePayload = notePayload('UpdateNotePayload');
const DestroyPayload = notePayload('DestroyNotePayload');
const ConvertPayload = notePayload('NoteConvertToThreadPayload');

@Resolver()
export class NoteMutations {
  @Mutation(() => CreatePayload, { nullable: true, description: 'Creates a comment or a reply.' })
  createNote(
    @Arg('input', () => CreateNoteInput, { description: 'Parameters for the mutation.' }) input: CreateNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { noteableId, body, internal, discussionId, mergeRequestDiffHeadSha } = input;
    const head = kindOf(noteableId).type.versioned ? mergeRequestDiffHeadSha : null;
    const params = { body, internal: internal ?? false, ...(head ? { merge_request_diff_head_sha: head } : {}) };
    return mutate(input, () =>
      writing(request, () =>
        discussionId
          ? reply(request, input, discussionId)
          : invoke(request.ctx, kindOf(noteableId).notes.create, params, noteableOf(noteableId)),
      ),
    );
  }

  @Mutation(() => CreateDiscussionPayload, { nullable: true, description: 'Starts a thread on a record.' })
  createDiscussion(
    @Arg('input', () => CreateDiscussionInput, { description: 'Parameters for the mutation.' })
    input: CreateDiscussionInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, () => writing(request, () => start(request, input)));
  }

  @Mutation(() => UpdatePayload, { nullable: true, description: 'Updates the body of a note.' })
  updateNote(
    @Arg('input', () => UpdateNoteInput, { description: 'Parameters for the mutation.' }) input: UpdateNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { id } = input.id;
    const params = { id, ...(typeof input.body === 'string' ? { body: input.body } : {}) };
    return mutate(input, () => writing(request, () => invoke(request.ctx, updateAnyNote, params)));
  }

  @Mutation(() => DestroyPayload, { nullable: true, description: 'Deletes a note.' })
  destroyNote(
    @Arg('input', () => DestroyNoteInput, { description: 'Parameters for the mutation.' }) input: DestroyNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => {
      await invoke(request.ctx, destroyAnyNote, { id: input.id.id });
      return { note: null };
    });
  }

  @Mutation(() => ConvertPayload, { nullable: true, description: 'Converts a comment to a thread.' })
  noteConvertToThread(
    @Arg('input', () => ConvertNoteInput, { description: 'Parameters for the mutation.' }) input: ConvertNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, () => writing(request, () => invoke(request.ctx, convertAnyNote, { id: input.id.id })));
  }

  @Mutation(() => ToggleResolvePayload, { nullable: true, description: 'Resolves or unresolves a thread.' })
  discussionToggleResolve(
    @Arg('input', () => ToggleResolveInput, { description: 'Parameters for the mutation.' }) input: ToggleResolveInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const params = { discussion_id: input.id, resolved: input.resolve };
    return mutate(input, async () => ({
      discussion: new DiscussionObject(await invoke(request.ctx, resolveAnyDiscussion, params), request),
    }));
  }
}

/** Updates the text of a note on an image, its position, or both, as far as they are present. */
async function updateOnPicture({ ctx }: GraphqlRequest, { id: { id }, body, position }: UpdateImageDiffNoteInput) {
  const moved = position ? await invoke(ctx, repositionNote, { id, ...pointOf(position) }) : null;
  if (moved && typeof body !== 'string') return moved;
  return invoke(ctx, updateAnyNote, { id, ...(typeof body === 'string' ? { body } : {}) });
}

@Resolver()
export class DiffNoteMutations {
  @Mutation(() => CreateDiffPayload, { nullable: true, description: 'Starts a thread on a line of a diff.' })
  createDiffNote(
    @Arg('input', () => CreateDiffNoteInput, { description: 'Parameters for the mutation.' })
    input: CreateDiffNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, () => writing(request, () => start(request, input, linePosition(input.position))));
  }

  @Mutation(() => CreateImageDiffPayload, { nullable: true, description: 'Starts a thread on an image of a diff.' })
  createImageDiffNote(
    @Arg('input', () => CreateImageDiffNoteInput, { description: 'Parameters for the mutation.' })
    input: CreateImageDiffNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, () => writing(request, () => start(request, input, imagePosition(input.position))));
  }

  @Mutation(() => RepositionPayload, { nullable: true, description: 'Moves a note to another point of its image.' })
  repositionImageDiffNote(
    @Arg('input', () => RepositionImageDiffNoteInput, { description: 'Parameters for the mutation.' })
    input: RepositionImageDiffNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const params = { id: input.id.id, ...pointOf(input.position) };
    return mutate(input, () => writing(request, () => invoke(request.ctx, repositionNote, params)));
  }

  @Mutation(() => UpdateImageDiffPayload, { nullable: true, description: 'Updates a note on an image.' })
  updateImageDiffNote(
    @Arg('input', () => UpdateImageDiffNoteInput, { description: 'Parameters for the mutation.' })
    input: UpdateImageDiffNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, () => writing(request, () => updateOnPicture(request, input)));
  }
}
