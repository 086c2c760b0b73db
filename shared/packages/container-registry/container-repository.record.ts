import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { ContainerRepository } from './container-repository.entity.js';

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
