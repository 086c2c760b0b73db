import { Field, InputType, ObjectType } from 'type-graphql';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { MutationInput } from '../../core/graphql/mutations.js';
import {
  DiffImagePositionInput,
  DiffPositionInput,
  UpdateDiffImagePositionInput,
} from '../positions/positions.graphql.js';
import { DiscussionID } from '../discussions/discussions.graphql.js';
import { NoteID } from './notes.graphql.js';

const NoteableID = globalIdScalar('Noteable', 'Issue', 'WorkItem', 'MergeRequest', 'Epic', 'ProjectSnippet');

@InputType({ description: 'Comment on a record.' })
abstract class NoteBodyInput extends MutationInput {
  @Field(() => NoteableID, { description: 'Global ID of the record to comment on.' })
  noteableId!: GlobalId;

  @Field(() => String, { description: 'Body of the note, as Markdown.' })
  body!: string;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, the note is internal: for Planners and above.' })
  internal?: boolean | null;
}

@InputType('CreateNoteInput', { description: 'Comment or reply to create.' })
export class CreateNoteInput extends NoteBodyInput {
  @Field(() => DiscussionID, { nullable: true, description: 'Global ID of the thread to reply to.' })
  discussionId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'SHA of the head of the merge request that the comment refers to.',
  })
  mergeRequestDiffHeadSha?: string | null;
}

@InputType('CreateDiscussionInput', { description: 'Thread to start on a record.' })
export class CreateDiscussionInput extends NoteBodyInput {}

@InputType('CreateDiffNoteInput', { description: 'Thread to start on a line of a diff.' })
export class CreateDiffNoteInput extends NoteBodyInput {
  @Field(() => DiffPositionInput, { description: 'Position of the line in the diff.' })
  position!: DiffPositionInput;
}

@InputType('CreateImageDiffNoteInput', { description: 'Thread to start on an image of a diff.' })
export class CreateImageDiffNoteInput extends NoteBodyInput {
  @Field(() => DiffImagePositionInput, { description: 'Position of the point on the image.' })
  position!: DiffImagePositionInput;
}

/** What identifies a note. */
@InputType()
abstract class NamesNote extends MutationInput {
  @Field(() => NoteID, { description: 'Global ID of the note.' })
  id!: GlobalId;
}

@InputType('RepositionImageDiffNoteInput', { description: 'Note to reposition, and its new position on the image.' })
export class RepositionImageDiffNoteInput extends NamesNote {
  @Field(() => UpdateDiffImagePositionInput, { description: 'Position of the point on the image.' })
  position!: UpdateDiffImagePositionInput;
}

@InputType('UpdateNoteInput', { description: 'Note to update, with its new body.' })
export class UpdateNoteInput extends NamesNote {
  @Field(() => String, { nullable: true, description: 'New body of the note.' })
  body?: string | null;
}

@InputType('UpdateImageDiffNoteInput', { description: 'Note on an image to update, with its new body and position.' })
export class UpdateImageDiffNoteInput extends UpdateNoteInput {
  @Field(() => UpdateDiffImagePositionInput, { nullable: true, description: 'Position of the point on the image.' })
  position?: UpdateDiffImagePositionInput | null;
}

@InputType('DestroyNoteInput', { description: 'Note to delete.' })
export class DestroyNoteInput extends NamesNote {}

@InputType('NoteConvertToThreadInput', { description: 'Comment to convert to a thread.' })
export class ConvertNoteInput extends MutationInput {
  @Field(() => NoteID, { description: 'Global ID of the comment.' })
  id!: GlobalId;
}

@InputType('DiscussionToggleResolveInput', { description: 'Thread to resolve or unresolve.' })
export class ToggleResolveInput extends MutationInput {
  @Field(() => DiscussionID, { description: 'Global ID of the thread.' })
  id!: string;

  @Field(() => Boolean, { description: 'If `true`, resolves the thread; if `false`, unresolves it.' })
  resolve!: boolean;
}

@ObjectType('QuickActionsStatus', { description: 'Status of the quick actions of a comment.', simpleResolvers: true })
export class QuickActionsStatusType {
  @Field(() => [String], { nullable: true, description: 'Names of the quick actions in the comment.' })
  commandNames!: readonly string[];

  @Field(() => Boolean, { description: 'Indicates the comment contains only quick actions.' })
  commandsOnly!: boolean;

  @Field(() => [String], { nullable: true, description: 'Messages about quick actions that were applied.' })
  messages!: readonly string[];

  @Field(() => [String], { nullable: true, description: 'Messages about quick actions that were not applied.' })
  errorMessages!: readonly string[];
}
