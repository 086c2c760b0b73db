import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { noteHtml } from '../../../shared/notes/notes/note.serializer.js';
import { notePolicy } from '../../../shared/notes/notes/note.policy.js';
import type { NoteRecord } from '../../../shared/notes/notes/note.entity.js';
import { isResolvable } from '../../../shared/notes/notes/note.rules.js';
import { usersById } from '../../../shared/tenancy/users/user.finder.js';
import { connectionType } from '../../core/graphql/connections.js';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import { Time } from '../../core/graphql/scalars.js';
import { RecordField, recordType } from '../../core/graphql/records.js';
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
  description: 'Filter of notes by type.',
  valuesConfig: {
    ALL_NOTES: { description: 'Notes of all types.' },
    ONLY_COMMENTS: { description: 'Comments of users.' },
    ONLY_ACTIVITY: { description: 'System notes, created by the service.' },
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

@ObjectType('SystemNoteMetadata', { description: 'Metadata of a system note.', simpleResolvers: true })
class SystemNoteMetadataType {
  @Field(() => String, { nullable: true, description: 'Action of the system note, as in the name of its icon.' })
  action!: string | null;
}

const HASHES: Readonly<Record<string, string>> = {
  issue: 'issues',
  merge_request: 'merge_requests',
  commit: 'commit',
  epic: 'epics',
  snippet: 'snippets',
};

/** A note for callers with read access (graphql.md section 5.5). */
@ObjectType('Note', { description: 'Note by a user, or by the service itself.' })
export class NoteObject extends recordType<NoteRecord>('note', ({ type }) => type ?? 'Note', { idType: NoteID }) {
  async #html() {
    return loadField(this.request, noteHtml, this.record);
  }

  @RecordField(() => String, { description: 'Body of the note, as Markdown.', column: 'note' })
  declare readonly body: string;

  @Field(() => String, { nullable: true, description: 'Body of the note, as HTML.' })
  async bodyHtml(): Promise<string> {
    return (await this.#html())?.body ?? '';
  }

  @Field(() => String, { description: 'First line of the note, as HTML.' })
  async bodyFirstLineHtml(): Promise<string> {
    return (await this.#html())?.first_line ?? '';
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Author of the note.' })
  get author(): UserCoreType | null {
    return UserCoreType.of(this.record.author, this.request);
  }

  @RecordField(() => Boolean, { description: 'Indicates the note was created by the service.' })
  declare readonly system: boolean;

  @RecordField(() => String, { nullable: true, description: 'Name of the icon of the system note.', column: 'action' })
  declare readonly systemNoteIconName: string | null;

  @Field(() => SystemNoteMetadataType, { nullable: true, description: 'Metadata of the system note.' })
  get systemNoteMetadata(): SystemNoteMetadataType | null {
    return this.record.system ? { action: this.record.action ?? null } : null;
  }

  @RecordField(() => Boolean, {
    nullable: true,
    description: 'Indicates the note is internal: for Planners and above.',
  })
  declare readonly internal: boolean;

  @RecordField(() => Boolean, {
    nullable: true,
    deprecationReason: 'Use `internal`. Deprecated in Service 15.5.',
    description: 'Indicates the note is internal.',
    column: 'internal',
  })
  declare readonly confidential: boolean;

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the body of the note was last edited.' })
  declare readonly lastEditedAt: Date | null;

  @Field(() => UserCoreType, { nullable: true, description: 'User who last edited the body of the note.' })
  async lastEditedBy(): Promise<UserCoreType | null> {
    const id = this.record.last_edited_by_id;
    return id ? UserCoreType.of(await this.request.load(usersById, id), this.request) : null;
  }

  @Field(() => String, {
    nullable: true,
    description: 'URL of the note, on the page of the record that it belongs to.',
  })
  get url(): string | null {
    const { container, type, id, iid, sha } = this.record.noteable;
    const prefix = container.kind === 'group' ? 'groups/' : '';
    const page = `${this.request.ctx.config.externalUrl}/${prefix}${container.record.full_path}/-/${HASHES[type.kind]}`;
    return `${page}/${iid ?? sha ?? id}#note_${this.record.id}`;
  }

  @Field(() => ProjectType, { nullable: true, description: 'Project of the note.' })
  get project(): ProjectType | null {
    const { container } = this.record.noteable;
    return container.kind === 'project' ? new ProjectType(container.record, this.request) : null;
  }

  @Field(() => DiffPositionObject, { nullable: true, description: 'Position of the note in a diff.' })
  get position(): DiffPositionObject | null {
    return this.record.position ? new DiffPositionObject(this.record.position) : null;
  }

  @Field(() => Boolean, { description: 'Indicates the note can be resolved.' })
  get resolvable(): boolean {
    return isResolvable(this.record);
  }

  @Field(() => Boolean, { description: 'Indicates the note is resolved.' })
  get resolved(): boolean {
    return Boolean(this.record.resolved_at);
  }

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the note was resolved.' })
  declare readonly resolvedAt: Date | null;

  @Field(() => UserCoreType, { nullable: true, description: 'User who resolved the note.' })
  get resolvedBy(): UserCoreType | null {
    return UserCoreType.of(this.record.resolved_by, this.request);
  }

  @Field(() => NotePermissions, { description: 'Permissions of the caller on the note.' })
  get userPermissions(): unknown {
    return new NotePermissions(this.request.ctx.caller, this.record);
  }
}

export const NoteConnection = connectionType(NoteObject, 'Note');
