import type { ProjectSummary } from '../tenancy/tenancy.events.js';
import type { ContainerRepository } from './container-registry/container-repository.entity.js';
import type { Package, PackageFile } from './packages/package.entity.js';

interface PackageEvent {
  readonly package: Package;
  readonly project: ProjectSummary;
}

interface ContainerRepositoryEvent {
  readonly repository: ContainerRepository;
  readonly project: ProjectSummary;
}

export interface PackageEvents {
  /** The package may be a new one. */
  'package_file.published': PackageEvent & { readonly file: PackageFile };
  'package_file.deleted': PackageEvent & { readonly file_name: string };
  /** Includes its files, which have no events of their own. */
  'package.deleted': PackageEvent;
  'container_tag.deleted': ContainerRepositoryEvent & { readonly name: string };
  /** A job deletes those that a rule names. */
  'container_tags.deletion_requested': ContainerRepositoryEvent;
  /** A job deletes it with all its tags. */
  'container_repository.deletion_requested': ContainerRepositoryEvent;
  /** It is gone, at the registry too. */
  'container_repository.deleted': { readonly project_id: number };
}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends PackageEvents {}
}
