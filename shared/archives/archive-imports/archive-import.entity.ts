import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** The making of a group, or of a project, out of an archive. */
export const ArchiveImport = defineEntity({
  name: 'ArchiveImport',
  tableName: 'archive_imports',
  properties: {
    id: id(),
    /** The group that is made, or that the project lies in. */
    namespace_id: relation(Namespace),
    project_id: relation(Project).nullable(),
    /** Who requested it; null once they are gone. */
    user_id: relation(User).nullable(),
    /** The archive; null once it is not needed any more. */
    object_id: relation(StoredObject).nullable(),
    /** `created`, `started`, `finished` or `failed`. */
    status: p.string(),
    /** `waiting`, `reading`, `restoring` or `done`. */
    phase: p.string(),
    /** Tries so far. */
    attempts: p.integer(),
    last_error: p.string().nullable(),
    /** Settings of a project that go before the archive's; null for none. */
    overrides: p.json<Record<string, unknown>>().nullable(),
    created_at: timestamp(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
  },
});
export type ArchiveImport = InferEntity<typeof ArchiveImport>;

/** An item that an import left out, and the reason. */
export const ArchiveImportFailure = defineEntity({
  name: 'ArchiveImportFailure',
  tableName: 'archive_import_failures',
  properties: {
    id: id(),
    import_id: relation(ArchiveImport),
    namespace_id: reference(),
    file: p.string().nullable(),
    line: p.integer().nullable(),
    relation: p.string().nullable(),
    reason: p.string(),
    created_at: timestamp(),
  },
});

/** A group of an archive that is imported. */
export const ArchiveImportGroup = defineEntity({
  name: 'ArchiveImportGroup',
  tableName: 'archive_import_groups',
  properties: {
    import_id: relation(ArchiveImport).primary(),
    namespace_id: reference(),
    source_id: reference().primary(),
    position: p.integer().nullable(),
    parent_source_id: reference().nullable(),
    attributes: p.json<unknown>().nullable(),
    group_id: reference().nullable(),
    status: p.string().default('waiting'),
  },
});

/** How far the import of one relation is. */
export const ArchiveImportRelation = defineEntity({
  name: 'ArchiveImportRelation',
  tableName: 'archive_import_relations',
  properties: {
    import_id: relation(ArchiveImport).primary(),
    namespace_id: reference(),
    relation: p.string().primary(),
    total: p.integer().default(0),
    imported: p.integer().default(0),
    skipped: p.integer().default(0),
    restored: p.boolean().default(false),
    prepared: p.boolean().default(false),
    restored_through: p.integer().default(0),
  },
});

/** A row of an archive, staged for its import. */
export const ArchiveImportRow = defineEntity({
  name: 'ArchiveImportRow',
  tableName: 'archive_import_rows',
  properties: {
    import_id: relation(ArchiveImport).primary(),
    namespace_id: reference(),
    source_group: p.bigint('number').primary(),
    relation: p.string().primary(),
    line: p.integer().primary(),
    source_id: reference().nullable(),
    data: p.json<Record<string, unknown>>(),
    made_id: reference().nullable(),
    number: p.integer().nullable(),
    problem: p.string().nullable(),
    reused: p.boolean().default(false),
  },
});

/** The user that a user of an archive is matched to. */
export const ArchiveImportUser = defineEntity({
  name: 'ArchiveImportUser',
  tableName: 'archive_import_users',
  properties: {
    import_id: relation(ArchiveImport).primary(),
    namespace_id: reference(),
    source_id: reference().primary(),
    user_id: relation(User).nullable(),
    problem: p.string().nullable(),
  },
});
