import { Field, InputType, ObjectType } from 'type-graphql';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { MutationInput, MutationPayload } from '../../core/graphql/mutations.js';
import {
  DiffImagePositionInput,
  DiffPositionInput,
  UpdateDiffImagePositionInput,
} from '../positions/positions.graphql.js';
import { DiscussionID, DiscussionObject } from '../discussions/discussions.graphql.js';
import { NoteID, NoteObject } from './notes.graphql.js';

const NoteableID = globalIdScalar('Noteable', 'Issue', 'WorkItem', 'MergeRequest', 'Epic', 'ProjectSnippet');

@InputType({ description: 'What is said about something.' })
abstract class NoteBodyInput extends MutationInput {
  @Field(() => NoteableID, { description: 'What it is about.' })
  noteableId!: GlobalId;

  @Field(() => String, { description: 'What is said, as Markdown.' })
  body!: string;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is for Planners and above.' })
  internal?: boolean | null;
}

@InputType('CreateNoteInput', { description: 'A comment, or a reply.' })
export class CreateNoteInput extends NoteBodyInput {
  @Field(() => DiscussionID, { nullable: true, description: 'The thread that it replies to.' })
  discussionId?: string | null;

  @Field(() => String, { nullable: true, description: 'The head of the merge request that it speaks of.' })
  mergeRequestDiffHeadSha?: string | null;
}

@InputType('CreateDiscussionInput', { description: 'A thread to start.' })
export class CreateDiscussionInput extends NoteBodyInput {}

@InputType('CreateDiffNoteInput', { description: 'A thread to start on a line of a diff.' })
export class CreateDiffNoteInput extends NoteBodyInput {
  @Field(() => DiffPositionInput, { description: 'The line.' })
  position!: DiffPositionInput;
}

@InputType('CreateImageDiffNoteInput', { description: 'A thread to start on a picture of a diff.' })
export class CreateImageDiffNoteInput extends NoteBodyInput {
  @Field(() => DiffImagePositionInput, { description: 'The point of the picture.' })
  position!: DiffImagePositionInput;
}

@InputType('RepositionImageDiffNoteInput', { description: 'A note, and where on its picture it is to stand.' })
export class RepositionImageDiffNoteInput extends MutationInput {
  @Field(() => NoteID, { description: 'The note.' })
  id!: GlobalId;

  @Field(() => UpdateDiffImagePositionInput, { description: 'The point of the picture.' })
  position!: UpdateDiffImagePositionInput;
}

@InputType('UpdateImageDiffNoteInput', { description: 'A note on a picture, what it is to say and where to stand.' })
export class UpdateImageDiffNoteInput extends MutationInput {
  @Field(() => NoteID, { description: 'The note.' })
  id!: GlobalId;

  @Field(() => String, { nullable: true, description: 'What it is to say.' })
  body?: string | null;

  @Field(() => UpdateDiffImagePositionInput, { nullable: true, description: 'The point of the picture.' })
  position?: UpdateDiffImagePositionInput | null;
}

@InputType('UpdateNoteInput', { description: 'A note, and what it is to say.' })
export class UpdateNoteInput extends MutationInput {
  @Field(() => NoteID, { description: 'The note.' })
  id!: GlobalId;

  @Field(() => String, { nullable: true, description: 'What it is to say.' })
  body?: string | null;
}

@InputType('DestroyNoteInput', { description: 'A note to delete.' })
export class DestroyNoteInput extends MutationInput {
  @Field(() => NoteID, { description: 'The note.' })
  id!: GlobalId;
}

@InputType('NoteConvertToThreadInput', { description: 'A comment that is to be a thread.' })
export class ConvertNoteInput extends MutationInput {
  @Field(() => NoteID, { description: 'The comment.' })
  id!: GlobalId;
}

@InputType('DiscussionToggleResolveInput', { description: 'A thread, and whether it is resolved.' })
export class ToggleResolveInput extends MutationInput {
  @Field(() => DiscussionID, { description: 'The thread.' })
  id!: string;

  @Field(() => Boolean, { description: 'Whether it is resolved.' })
  resolve!: boolean;
}

@ObjectType('QuickActionsStatus', { description: 'What the commands of a comment did.', simpleResolvers: true })
export class QuickActionsStatusType {
  @Field(() => [String], { nullable: true, description: 'Those that were there.' })
  commandNames!: readonly string[];

  @Field(() => Boolean, { description: 'Whether there was nothing else.' })
  commandsOnly!: boolean;

  @Field(() => [String], { nullable: true, description: 'What was done.' })
  messages!: readonly string[];

  @Field(() => [String], { nullable: true, description: 'What was not.' })
  errorMessages!: readonly string[];
}

/** The payload of a mutation of a note. */
export function notePayload(name: string) {
  @ObjectType(name, { description: 'What became of the note.', simpleResolvers: true })
  class NotePayload extends MutationPayload {
    @Field(() => NoteObject, { nullable: true, description: 'The note as it is now.' })
    note?: NoteObject | null;

    @Field(() => QuickActionsStatusType, { nullable: true, description: 'What its commands did.' })
    quickActionsStatus?: QuickActionsStatusType | null;
  }
  return NotePayload;
}

@ObjectType('DiscussionToggleResolvePayload', { description: 'What became of the thread.', simpleResolvers: true })
export class ToggleResolvePayload extends MutationPayload {
  @Field(() => DiscussionObject, { nullable: true, description: 'The thread as it is now.' })
  discussion?: DiscussionObject | null;
}
