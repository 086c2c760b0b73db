import { Args, createUnionType, Extensions, Field, ObjectType, registerEnumType } from 'type-graphql';
import { notesOfDiscussions } from '../../../shared/notes/discussions/discussion.finder.js';
import { isResolved } from '../../../shared/notes/discussions/thread.js';
import { noteHtml } from '../../../shared/notes/notes/note-html.js';
import { noteablePolicy, notePolicy } from '../../../shared/notes/notes/note.policy.js';
import type { DiscussionRecord, NoteRecord } from '../../../shared/notes/notes/note.record.js';
import { isResolvable } from '../../../shared/notes/notes/note.rules.js';
import type { MergeRequestRecord } from '../../../shared/merge-requests/merge-requests/merge-request.record.js';
import type { EpicRecord } from '../../../shared/planning/epics/epic.record.js';
import type { IssueRecord } from '../../../shared/planning/issues/issue.record.js';
import type { SnippetRecord } from '../../../shared/planning/snippets/snippet.record.js';
import { usersById } from '../../../shared/tenancy/users/user.finder.js';
import { connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { digestIdScalar, globalId, globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { MergeRequestObject } from '../../merge-requests/merge-requests/merge-requests.graphql.js';
import { IssueObject } from '../../planning/issues/issues.graphql.js';
import { EpicObject } from '../../planning/epics/epics.graphql.js';
import { SnippetObject } from '../../planning/snippets/snippets.graphql.js';
import { DiffPositionObject } from '../positions/positions.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';

export const NoteID = globalIdScalar('Note', 'DiscussionNote', 'DiffNote', 'LegacyDiffNote');
export const DiscussionID = digestIdScalar(
  'Discussion',
  'IndividualNoteDiscussion',
  'DiffDiscussion',
  'OutOfContextDiscussion',
);

export const NotesFilterType = {
  ALL_NOTES: 'all_notes',
  ONLY_COMMENTS: 'only_comments',
  ONLY_ACTIVITY: 'only_activity',
} as const;
registerEnumType(NotesFilterType, {
  name: 'NotesFilterType',
  description: 'Which notes.',
  valuesConfig: {
    ALL_NOTES: { description: 'All.' },
    ONLY_COMMENTS: { description: 'What people said.' },
    ONLY_ACTIVITY: { description: 'What the service told.' },
  },
});

const NotePermissions = permissionsType('NotePermissions', notePolicy, {
  adminNote: 'admin_note',
  awardEmoji: 'award_emoji',
  createNote: 'create_note',
  readNote: 'read_note',
  repositionNote: 'reposition_note',
  resolveNote: 'resolve_note',
});

const DiscussionPermissions = permissionsType('DiscussionPermissions', noteablePolicy, {
  resolveNote: 'resolve_discussion',
});

@ObjectType('SystemNoteMetadata', { description: 'What a note of the service tells of.', simpleResolvers: true })
class SystemNoteMetadataType {
  @Field(() => String, { nullable: true, description: 'As its icon is named.' })
  action!: string | null;
}

const NoteableUnion = createUnionType({
  name: 'NoteableType',
  description: 'What can be commented on.',
  types: () => [EpicObject, IssueObject, MergeRequestObject, SnippetObject] as const,
});

const HASHES: Readonly<Record<string, string>> = {
  issue: 'issues',
  merge_request: 'merge_requests',
  commit: 'commit',
  epic: 'epics',
  snippet: 'snippets',
};

/** A note as a caller who may read it sees it (graphql.md section 5.5). */
@ObjectType('Note', { description: 'What somebody, or the service itself, says.' })
export class NoteObject {
  constructor(
    readonly record: NoteRecord,
    readonly request: GraphqlRequest,
  ) {}

  async #html() {
    return loadedOf(this.request, noteHtml, this.record);
  }

  @Field(() => NoteID, { description: 'Global id.' })
  get id(): string {
    return globalId(this.record.type ?? 'Note', this.record.id);
  }

  @Field(() => String, { description: 'What is said, as Markdown.' })
  get body(): string {
    return this.record.note;
  }

  @Field(() => String, { nullable: true, description: 'What is said, as HTML.' })
  async bodyHtml(): Promise<string> {
    return (await this.#html())?.body ?? '';
  }

  @Field(() => String, { description: 'The first line of it, as HTML.' })
  async bodyFirstLineHtml(): Promise<string> {
    return (await this.#html())?.first_line ?? '';
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who says it.' })
  get author(): UserCoreType | null {
    return UserCoreType.of(this.record.author, this.request);
  }

  @Field(() => Boolean, { description: 'Whether the service tells it.' })
  get system(): boolean {
    return this.record.system;
  }

  @Field(() => String, { nullable: true, description: 'Name of the icon of what the service tells.' })
  get systemNoteIconName(): string | null {
    return this.record.action ?? null;
  }

  @Field(() => SystemNoteMetadataType, { nullable: true, description: 'What the service tells of.' })
  get systemNoteMetadata(): SystemNoteMetadataType | null {
    return this.record.system ? { action: this.record.action ?? null } : null;
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether it is for Planners and above.' })
  get internal(): boolean {
    return this.record.internal;
  }

  @Field(() => Boolean, {
    nullable: true,
    deprecationReason: 'Use `internal`. Deprecated in Service 15.5.',
    description: 'Whether it is internal.',
  })
  get confidential(): boolean {
    return this.record.internal;
  }

  @Field(() => Time, { description: 'When it was written.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { description: 'When it last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }

  @Field(() => Time, { nullable: true, description: 'When its words were last changed.' })
  get lastEditedAt(): Date | null {
    return this.record.last_edited_at ?? null;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who last changed its words.' })
  async lastEditedBy(): Promise<UserCoreType | null> {
    const id = this.record.last_edited_by_id;
    return id ? UserCoreType.of(await this.request.load(usersById, id), this.request) : null;
  }

  @Field(() => String, { nullable: true, description: 'Address of it on the page of what it is about.' })
  get url(): string | null {
    const { container, type, id, iid, sha } = this.record.noteable;
    const prefix = container.kind === 'group' ? 'groups/' : '';
    const place = `${this.request.ctx.config.externalUrl}/${prefix}${container.record.full_path}/-/${HASHES[type.kind]}`;
    return `${place}/${iid ?? sha ?? id}#note_${this.record.id}`;
  }

  @Field(() => ProjectType, { nullable: true, description: 'The project that it is in.' })
  get project(): ProjectType | null {
    const { container } = this.record.noteable;
    return container.kind === 'project' ? new ProjectType(container.record, this.request) : null;
  }

  @Field(() => DiffPositionObject, { nullable: true, description: 'Where in a diff it stands.' })
  get position(): DiffPositionObject | null {
    return this.record.position ? new DiffPositionObject(this.record.position) : null;
  }

  @Field(() => DiscussionObject, { nullable: true, description: 'The thread that it is part of.' })
  get discussion(): unknown {
    const { discussion_id, id, created_at, noteable, type = null } = this.record;
    return new DiscussionObject({ discussion_id, id, type, created_at, noteable }, this.request);
  }

  @Field(() => Boolean, { description: 'Whether it can be resolved.' })
  get resolvable(): boolean {
    return isResolvable(this.record);
  }

  @Field(() => Boolean, { description: 'Whether it is resolved.' })
  get resolved(): boolean {
    return Boolean(this.record.resolved_at);
  }

  @Field(() => Time, { nullable: true, description: 'When it was resolved.' })
  get resolvedAt(): Date | null {
    return this.record.resolved_at ?? null;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who resolved it.' })
  get resolvedBy(): UserCoreType | null {
    return UserCoreType.of(this.record.resolved_by, this.request);
  }

  @Field(() => NotePermissions, { description: 'What the caller may do with the note.' })
  get userPermissions(): unknown {
    return new NotePermissions(this.request.ctx.caller, this.record);
  }
}

export const NoteConnection = connectionType(NoteObject, 'Note');

const DISCUSSIONS: Readonly<Record<string, string>> = { DiscussionNote: 'Discussion', DiffNote: 'DiffDiscussion' };

/** A thread as a caller who may read it sees it. */
@ObjectType('Discussion', { description: 'A thread; a single comment is one too.' })
export class DiscussionObject {
  constructor(
    readonly record: DiscussionRecord,
    readonly request: GraphqlRequest,
  ) {}

  async #notes(): Promise<readonly NoteRecord[]> {
    return (await loadedOf(this.request, notesOfDiscussions, this.record)) ?? [];
  }

  /** The note by which all of it was resolved: the last one that was. */
  async #resolvedLast(): Promise<NoteRecord | null> {
    const notes = await this.#notes();
    if (!isResolved(notes)) return null;
    const at = (note: NoteRecord) => note.resolved_at?.getTime() ?? 0;
    return notes.filter(isResolvable).reduce((last, note) => (at(note) > at(last) ? note : last));
  }

  @Field(() => DiscussionID, { description: 'Global id.' })
  get id(): string {
    return globalId(DISCUSSIONS[this.record.type ?? ''] ?? 'IndividualNoteDiscussion', this.record.discussion_id);
  }

  @Field(() => DiscussionID, { description: 'The id by which a reply names it.' })
  get replyId(): string {
    return this.id;
  }

  @Field(() => Time, { description: 'When its first note was written.' })
  async createdAt(): Promise<Date> {
    return (await this.#notes())[0]?.created_at ?? this.record.created_at;
  }

  @Field(() => NoteableUnion, { nullable: true, description: 'What it is about.' })
  get noteable(): unknown {
    const { type, record } = this.record.noteable;
    if (type.kind === 'issue') return new IssueObject(record as IssueRecord, this.request);
    if (type.kind === 'snippet') return new SnippetObject(record as SnippetRecord, this.request);
    if (type.kind === 'epic') return new EpicObject(record as EpicRecord, this.request);
    return type.kind === 'merge_request' ? new MergeRequestObject(record as MergeRequestRecord, this.request) : null;
  }

  @Field(() => NoteConnection, { description: 'Its notes.' })
  @Extensions(SHORT)
  async notes(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const notes = await this.#notes();
    return connectionOfRecords(
      this.request,
      notes,
      args,
      ({ id }) => id,
      (note) => new NoteObject(note, this.request),
    );
  }

  @Field(() => Boolean, { description: 'Whether it can be resolved.' })
  async resolvable(): Promise<boolean> {
    return (await this.#notes()).some(isResolvable);
  }

  @Field(() => Boolean, { description: 'Whether all of it is resolved.' })
  async resolved(): Promise<boolean> {
    return isResolved(await this.#notes());
  }

  @Field(() => Time, { nullable: true, description: 'When the last of it was resolved.' })
  async resolvedAt(): Promise<Date | null> {
    return (await this.#resolvedLast())?.resolved_at ?? null;
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who resolved the last of it.' })
  async resolvedBy(): Promise<UserCoreType | null> {
    return UserCoreType.of((await this.#resolvedLast())?.resolved_by ?? null, this.request);
  }

  @Field(() => DiscussionPermissions, { description: 'What the caller may do with the thread.' })
  get userPermissions(): unknown {
    return new DiscussionPermissions(this.request.ctx.caller, this.record.noteable);
  }
}

export const DiscussionConnection = connectionType(DiscussionObject, 'Discussion');
