import { defineEntity, id, timestamp, p, reference, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { onUniqueViolation } from '../../core/values/database-errors.js';
import { Invalid } from '../../core/values/errors.js';

/** Where projects live: a group, or a user's personal namespace. */
export const Namespace = defineEntity({
  name: 'Namespace',
  tableName: 'namespaces',
  properties: {
    id: id(),
    /** `user` or `group`. */
    kind: p.string(),
    name: p.string(),
    path: p.string(),
    description: p.string(),
    visibility: p.string(),
    parent_id: reference().nullable(),
    /** Ids from the top-level namespace down to this one. */
    traversal_ids: p.array((text) => Number(text)).columnType('bigint[]'),
    /** The user whose personal namespace it is. */
    owner_id: reference().nullable(),
    /** This namespace or one above it is marked for deletion: everything in it is read-only. */
    frozen: p.boolean(),
    /** This namespace or one above it is archived: everything in it is read-only. */
    archived: p.boolean(),
    /** File name of a group's picture; people's own pictures are with them. */
    avatar: p.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Namespace = InferEntity<typeof Namespace>;

/** The last internal id assigned to a kind of records in a group. */
export const NamespaceCounter = defineEntity({
  name: 'NamespaceCounter',
  tableName: 'namespace_counters',
  properties: {
    namespace_id: relation(Namespace).primary(),
    kind: p.string().primary(),
    last_value: p.bigint('number'),
  },
});

/** The last internal id assigned to a kind of records in a project. */
export const ProjectCounter = defineEntity({
  name: 'ProjectCounter',
  tableName: 'project_counters',
  properties: {
    project_id: reference().primary(),
    kind: p.string().primary(),
    last_value: p.bigint('number'),
  },
});

/** A former full path of a project that has not been claimed since. */
export const RedirectRoute = defineEntity({
  name: 'RedirectRoute',
  tableName: 'redirect_routes',
  properties: {
    id: id(),
    project_id: reference(),
    path: p.string(),
    created_at: timestamp(),
  },
});
export type RedirectRoute = InferEntity<typeof RedirectRoute>;

/** The full path and full name of a namespace or project: resolves `group/sub/project` in a URL. */
export const Route = defineEntity({
  name: 'Route',
  tableName: 'routes',
  properties: {
    id: id(),
    namespace_id: relation(Namespace).nullable(),
    project_id: reference().nullable(),
    /** `group/sub/project`; unique without regard to case. */
    path: p.string(),
    /** `Group / Sub / Project`. */
    name: p.string(),
  },
});
export type Route = InferEntity<typeof Route>;

onUniqueViolation('routes_path', () => new Invalid({ path: ['has already been taken'] }));

/** A namespace as a caller sees it. */
export interface NamespaceRecord extends Namespace {
  full_path: string;
  full_name: string;
  access: number;
  /** Whether the caller is a member of something in or below it. */
  below: boolean;
  /** Whether its removal has begun. */
  removing: boolean;
  /** The avatar of the user whose namespace it is. */
  owner_avatar: string | null;
}

export interface NamespaceCounts {
  members: number;
  projects: number;
  /** Bytes. */
  repositories: number;
}

/** Visibility levels of a project or group, from most to least restricted. */
export const VISIBILITY = ['private', 'internal', 'public'] as const;

/** Rank of a visibility: the wider, the higher. */
export const visibilityRank = (visibility: string): number => VISIBILITY.findIndex((level) => level === visibility);
