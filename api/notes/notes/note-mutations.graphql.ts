import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Invalid, NotFound } from '../../../shared/core/errors.js';
import { invoke } from '../../../shared/core/operation.js';
import { countAction } from '../../../shared/core/rate-limits/limit-actions.js';
import {
  convertAnyNote,
  destroyAnyNote,
  findAnyDiscussion,
  resolveAnyDiscussion,
  updateAnyNote,
} from '../../../shared/notes/discussions/any-note.operations.js';
import {
  issueDiscussionOperations,
  mergeRequestDiscussionOperations,
} from '../../../shared/notes/discussions/discussion.operations.js';
import { issueNoteableType } from '../../../shared/notes/noteables/issue-noteable.js';
import { mergeRequestNoteableType } from '../../../shared/notes/noteables/merge-request-noteable.js';
import type { Noteable } from '../../../shared/notes/noteables/noteable.js';
import { FailedCommands } from '../../../shared/notes/notes/create-note.js';
import { findNote } from '../../../shared/notes/notes/note.finder.js';
import { issueNoteOperations, mergeRequestNoteOperations } from '../../../shared/notes/notes/note.operations.js';
import { InvalidNote } from '../../../shared/notes/notes/note.rules.js';
import type { CommandsOnly, DiscussionRecord, NoteRecord } from '../../../shared/notes/notes/note.record.js';
import type { CommandsOutcome } from '../../../shared/notes/quick-actions/quick-action.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { mutate } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import {
  ConvertNoteInput,
  CreateDiscussionInput,
  CreateNoteInput,
  DestroyNoteInput,
  notePayload,
  ToggleResolveInput,
  ToggleResolvePayload,
  UpdateNoteInput,
} from './note-inputs.graphql.js';
import { DiscussionObject, NoteObject } from './notes.graphql.js';

/** The operations of what a global id names. */
const kindOf = ({ type }: GlobalId) =>
  type === 'MergeRequest'
    ? {
        type: mergeRequestNoteableType,
        column: 'merge_request_id',
        notes: mergeRequestNoteOperations,
        discussions: mergeRequestDiscussionOperations,
      }
    : {
        type: issueNoteableType,
        column: 'issue_id',
        notes: issueNoteOperations,
        discussions: issueDiscussionOperations,
      };

/** What a global id names, locked for its change. @throws NotFound */
const noteableOf =
  (given: GlobalId) =>
  (ctx: GraphqlRequest['ctx']): Promise<Noteable> => {
    const { type, column } = kindOf(given);
    if (given.type === 'Noteable') throw new NotFound();
    return type.findOf(ctx, { [column]: given.id });
  };

const statusOf = ({ names, messages, errors }: CommandsOutcome, commandsOnly: boolean) => ({
  commandNames: names,
  commandsOnly,
  messages,
  errorMessages: errors,
});

/** The payload of a comment: of commands alone no note is kept, and what they did is told among the errors. */
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

/** Runs what writes a comment, with what is wrong about it in words of its own. */
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

/** A thread of what is commented on. @throws GraphqlProblem */
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
async function start(request: GraphqlRequest, { noteableId, body, internal }: CreateDiscussionInput) {
  const { ctx } = request;
  await countAction(ctx, 'notes_create');
  const params = { body, internal: internal ?? false };
  const made = await invoke(ctx, kindOf(noteableId).discussions.create, params, noteableOf(noteableId));
  return 'discussion_id' in made ? findNote(ctx, made.noteable, made.id) : made;
}

const CreatePayload = notePayload('CreateNotePayload');
const CreateDiscussionPayload = notePayload('CreateDiscussionPayload');
const UpdatePayload = notePayload('UpdateNotePayload');
const DestroyPayload = notePayload('DestroyNotePayload');
const ConvertPayload = notePayload('NoteConvertToThreadPayload');

@Resolver()
export class NoteMutations {
  @Mutation(() => CreatePayload, { nullable: true, description: 'Comments, or replies.' })
  createNote(
    @Arg('input', () => CreateNoteInput, { description: 'What is said.' }) input: CreateNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { noteableId, body, internal, discussionId } = input;
    const params = { body, internal: internal ?? false };
    return mutate(input, () =>
      writing(request, () =>
        discussionId
          ? reply(request, input, discussionId)
          : invoke(request.ctx, kindOf(noteableId).notes.create, params, noteableOf(noteableId)),
      ),
    );
  }

  @Mutation(() => CreateDiscussionPayload, { nullable: true, description: 'Starts a thread.' })
  createDiscussion(
    @Arg('input', () => CreateDiscussionInput, { description: 'What is said.' }) input: CreateDiscussionInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, () => writing(request, () => start(request, input)));
  }

  @Mutation(() => UpdatePayload, { nullable: true, description: 'Changes what a note says.' })
  updateNote(
    @Arg('input', () => UpdateNoteInput, { description: 'The note.' }) input: UpdateNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { id } = input.id;
    const params = { id, ...(typeof input.body === 'string' ? { body: input.body } : {}) };
    return mutate(input, () => writing(request, () => invoke(request.ctx, updateAnyNote, params)));
  }

  @Mutation(() => DestroyPayload, { nullable: true, description: 'Deletes a note.' })
  destroyNote(
    @Arg('input', () => DestroyNoteInput, { description: 'The note.' }) input: DestroyNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => {
      await invoke(request.ctx, destroyAnyNote, { id: input.id.id });
      return { note: null };
    });
  }

  @Mutation(() => ConvertPayload, { nullable: true, description: 'Makes a comment a thread.' })
  noteConvertToThread(
    @Arg('input', () => ConvertNoteInput, { description: 'The comment.' }) input: ConvertNoteInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, () => writing(request, () => invoke(request.ctx, convertAnyNote, { id: input.id.id })));
  }

  @Mutation(() => ToggleResolvePayload, { nullable: true, description: 'Resolves a thread, or takes that back.' })
  discussionToggleResolve(
    @Arg('input', () => ToggleResolveInput, { description: 'The thread.' }) input: ToggleResolveInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const params = { discussion_id: input.id, resolved: input.resolve };
    return mutate(input, async () => ({
      discussion: new DiscussionObject(await invoke(request.ctx, resolveAnyDiscussion, params), request),
    }));
  }
}
