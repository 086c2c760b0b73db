import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { noteHtml } from '../../../shared/notes/notes/note.serializer.js';
import { notePolicy } from '../../../shared/notes/notes/note.policy.js';
import type { NoteRecord } from '../../../shared/notes/notes/note.entity.js';
import { isResolvable } from '../../../shared/notes/notes/note.rules.js';
import { usersById } from '../../../shared/tenancy/users/user.finder.js';
import { connectionType } from '../../core/graphql/connections.js';
import { globalId, globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { DiffPositionObject } from '../positions/positions.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';

export const NoteID = globalIdScalar('Note', 'DiscussionNote', 'DiffNote', 'LegacyDiffNote');

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

@ObjectType('SystemNoteMetadata', { description: 'What a note of the service tells of.', simpleResolvers: true })
class SystemNoteMetadataType {
  @Field(() => String, { nullable: true, description: 'As its icon is named.' })
  action!: string | null;
}

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
    const page = `${this.request.ctx.config.externalUrl}/${prefix}${container.record.full_path}/-/${HASHES[type.kind]}`;
    return `${page}/${iid ?? sha ?? id}#note_${this.record.id}`;
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
