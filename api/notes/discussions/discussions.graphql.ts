import { Args, createUnionType, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { escapeText } from '../../../shared/core/markdown/escape-text.js';
import type { MergeRequestRecord } from '../../../shared/merge-requests/merge-requests/merge-request.entity.js';
import { notesOfDiscussions } from '../../../shared/notes/discussions/discussion.finder.js';
import { isResolved } from '../../../shared/notes/discussions/thread.js';
import { diffLinesOfDiscussions } from '../../../shared/notes/notes/diff-lines.js';
import type { NoteDiffLine } from '../../../shared/notes/notes/note-diff-lines.entity.js';
import { noteablePolicy } from '../../../shared/notes/notes/note.policy.js';
import type { DiscussionRecord, NoteRecord } from '../../../shared/notes/notes/note.entity.js';
import { isResolvable } from '../../../shared/notes/notes/note.rules.js';
import type { EpicRecord } from '../../../shared/planning/epics/epic.entity.js';
import type { IssueRecord } from '../../../shared/planning/issues/issue.entity.js';
import type { SnippetRecord } from '../../../shared/planning/snippets/snippet.entity.js';
import { connectionType, PageArgs } from '../../core/graphql/connections.js';
import { digestIdScalar, globalId } from '../../core/graphql/global-ids.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import { Time } from '../../core/graphql/scalars.js';
import { pageOfRecords, RecordObject } from '../../core/graphql/records.js';
import { MergeRequestObject } from '../../merge-requests/merge-requests/merge-requests.graphql.js';
import { EpicObject } from '../../planning/epics/epics.graphql.js';
import { IssueObject } from '../../planning/issues/issues.graphql.js';
import { SnippetObject } from '../../planning/snippets/snippets.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { NoteConnection, NoteObject } from '../notes/notes.graphql.js';

export const DiscussionID = digestIdScalar(
  'Discussion',
  'IndividualNoteDiscussion',
  'DiffDiscussion',
  'OutOfContextDiscussion',
);

const DiscussionPermissions = permissionsType('DiscussionPermissions', noteablePolicy, {
  resolveNote: 'resolve_discussion',
});

const NoteableUnion = createUnionType({
  name: 'NoteableType',
  description: 'Records that can be commented on.',
  types: () => [EpicObject, IssueObject, MergeRequestObject, SnippetObject] as const,
});

@ObjectType('DiffLine', { description: 'Line of a diff.', simpleResolvers: true })
class DiffLineType {
  @Field(() => String, {
    nullable: true,
    description: 'Type of the line: `new` for an added line, `old` for a removed one.',
  })
  type!: string | null;

  @Field(() => Int, { nullable: true, description: 'Line number before the change; null for an added line.' })
  oldLine!: number | null;

  @Field(() => Int, { nullable: true, description: 'Line number after the change; null for a removed line.' })
  newLine!: number | null;

  @Field(() => String, { nullable: true, description: 'Text of the line.' })
  text!: string;

  @Field(() => String, { nullable: true, description: 'Text of the line, as HTML.' })
  richText!: string;
}

const presentLine = ({ type, old_line, new_line, text }: NoteDiffLine): DiffLineType => ({
  type,
  oldLine: old_line,
  newLine: new_line,
  text,
  richText: escapeText(text),
});

const DISCUSSIONS: Readonly<Record<string, string>> = { DiscussionNote: 'Discussion', DiffNote: 'DiffDiscussion' };

/** A thread for callers with read access. */
@ObjectType('Discussion', { description: 'Thread of notes; a single comment is also a thread.' })
export class DiscussionObject extends RecordObject<DiscussionRecord> {
  async #notes(): Promise<readonly NoteRecord[]> {
    return (await loadField(this.request, notesOfDiscussions, this.record)) ?? [];
  }

  /** The note by which all of it was resolved: the last one that was. */
  async #resolvedLast(): Promise<NoteRecord | null> {
    const notes = await this.#notes();
    if (!isResolved(notes)) return null;
    const at = (note: NoteRecord) => note.resolved_at?.getTime() ?? 0;
    return notes.filter(isResolvable).reduce((last, note) => (at(note) > at(last) ? note : last));
  }

  @Field(() => DiscussionID, { description: 'Global ID of the thread.' })
  get id(): string {
    return globalId(DISCUSSIONS[this.record.type ?? ''] ?? 'IndividualNoteDiscussion', this.record.discussion_id);
  }

  @Field(() => DiscussionID, { description: 'ID for use in replies to the thread.' })
  get replyId(): string {
    return this.id;
  }

  @Field(() => Time, { description: 'Timestamp of when the first note of the thread was created.' })
  async createdAt(): Promise<Date> {
    return (await this.#notes())[0]?.created_at ?? this.record.created_at;
  }

  @Field(() => NoteableUnion, { nullable: true, description: 'Record that the thread belongs to.' })
  get noteable(): unknown {
    const { type, record } = this.record.noteable;
    if (type.kind === 'issue') return new IssueObject(record as IssueRecord, this.request);
    if (type.kind === 'snippet') return new SnippetObject(record as SnippetRecord, this.request);
    if (type.kind === 'epic') return new EpicObject(record as EpicRecord, this.request);
    return type.kind === 'merge_request' ? new MergeRequestObject(record as MergeRequestRecord, this.request) : null;
  }

  @Field(() => NoteConnection, { description: 'Notes of the thread.' })
  @Extensions(SHORT)
  async notes(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    return pageOfRecords(this.request, await this.#notes(), args, NoteObject);
  }

  @Field(() => Boolean, { description: 'Indicates the thread can be resolved.' })
  async resolvable(): Promise<boolean> {
    return (await this.#notes()).some(isResolvable);
  }

  @Field(() => Boolean, { description: 'Indicates the whole thread is resolved.' })
  async resolved(): Promise<boolean> {
    return isResolved(await this.#notes());
  }

  @Field(() => Time, { nullable: true, description: 'Timestamp of when the last note of the thread was resolved.' })
  async resolvedAt(): Promise<Date | null> {
    return (await this.#resolvedLast())?.resolved_at ?? null;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'User who resolved the last note of the thread.' })
  async resolvedBy(): Promise<UserCoreType | null> {
    return UserCoreType.of((await this.#resolvedLast())?.resolved_by ?? null, this.request);
  }

  @Field(() => [DiffLineType], {
    nullable: true,
    description:
      'Lines of the diff above and including the line on which the thread started, as they were then; null for other threads.',
  })
  @Extensions({ most: 16 })
  async truncatedDiffLines(): Promise<DiffLineType[] | null> {
    return (await loadField(this.request, diffLinesOfDiscussions, this.record))?.map(presentLine) ?? null;
  }

  @Field(() => DiscussionPermissions, { description: 'Permissions of the caller on the thread.' })
  get userPermissions(): unknown {
    return new DiscussionPermissions(this.request.ctx.caller, this.record.noteable);
  }
}

export const DiscussionConnection = connectionType(DiscussionObject, 'Discussion');

/** `Note.discussion` (graphql.md section 5.5), defined with threads because notes do not depend on threads. */
@Resolver(() => NoteObject)
export class DiscussionOfNoteResolver {
  @FieldResolver(() => DiscussionObject, { nullable: true, description: 'Thread that the note is part of.' })
  discussion(@Root() { record, request }: NoteObject): unknown {
    const { discussion_id, id, created_at, noteable, type = null } = record;
    return new DiscussionObject({ discussion_id, id, type, created_at, noteable }, request);
  }
}
