import { defineEntity, id, p, relation, reference, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

/** An image repository of a project, as reported by the registry. */
export const ContainerRepository = defineEntity({
  name: 'ContainerRepository',
  tableName: 'container_repositories',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** What its path has behind the project's; empty for the project's own. */
    name: p.string(),
    /** Its lower-case name in the registry: the path that images were pushed to. */
    path: p.string(),
    /** `delete_scheduled` once its deletion was requested, otherwise null. */
    status: p.string().nullable(),
    /** How far the project's expiration policy is with it: `cleanup_unscheduled`, `…_scheduled`, `…_ongoing`, `…_unfinished`. */
    cleanup_status: p.string(),
    cleanup_started_at: timestamp().nullable(),
    /** When tags were last deleted in bulk on request. */
    cleanup_requested_at: timestamp().nullable(),
    /** Bytes that its tags keep, each blob counted once. */
    size: p.bigint('number'),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ContainerRepository = InferEntity<typeof ContainerRepository>;

/** An image, or a list of them, by its digest. */
export const ContainerManifest = defineEntity({
  name: 'ContainerManifest',
  tableName: 'container_manifests',
  properties: {
    id: id(),
    project_id: relation(Project),
    repository_id: relation(ContainerRepository),
    digest: p.string(),
    /** Bytes of the manifest itself. */
    size: p.bigint('number'),
  },
});

/** An object referenced by a manifest: configuration and layers, or the manifests of a list. */
export const ContainerManifestPart = defineEntity({
  name: 'ContainerManifestPart',
  tableName: 'container_manifest_parts',
  properties: {
    id: id(),
    project_id: relation(Project),
    manifest_id: relation(ContainerManifest),
    digest: p.string(),
    size: p.bigint('number'),
  },
});

/** A tag, and the manifest that it keeps. */
export const ContainerTag = defineEntity({
  name: 'ContainerTag',
  tableName: 'container_tags',
  properties: { id: id(), project_id: reference(), repository_id: reference(), name: p.string(), digest: p.string() },
});

/** The path of the images of a deleted repository: inaccessible until the registry has deleted them. */
export const RemovedImages = defineEntity({
  name: 'RemovedImages',
  tableName: 'instance_removed_images',
  properties: { id: id(), path: p.string() },
});
export type RemovedImages = InferEntity<typeof RemovedImages>;

/** The key that signs the registry's tokens; there is only one. */
export const RegistryKeyRow = defineEntity({
  name: 'RegistryKeyRow',
  tableName: 'instance_registry_keys',
  properties: {
    id: id(),
    /** PEM. */
    certificate: p.string(),
    /** The private key, and the secret of notifications, encrypted. */
    sealed: p.uint8array(),
    created_at: timestamp(),
  },
});
export type RegistryKeyRow = InferEntity<typeof RegistryKeyRow>;

/** A repository in a list over many projects. */
export interface ListedContainerRepository extends ContainerRepository {
  project: { full_path: string };
}

/** A repository with the project that it is in. */
export interface ContainerRepositoryRecord extends ContainerRepository {
  project: ProjectRecord;
}

/** A tag as a list has it. */
export interface ContainerTagRecord {
  name: string;
  repository: ContainerRepository;
}

/** A tag with what it points at. */
export interface ContainerTagDetails extends ContainerTagRecord {
  digest: string;
  /** Digest of the configuration, without its algorithm; null for a list of images. */
  revision: string | null;
  created_at: Date | null;
  /** Bytes of all layers; null for a list of images. */
  total_size: number | null;
}
