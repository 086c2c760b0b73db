import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Package, PackageFile } from './package.entity.js';

/** A package with the project that it is in. */
export interface PackageRecord extends Package {
  project: ProjectRecord;
}

/** A package in a list over many projects. */
export interface ListedPackage extends Package {
  project: { full_path: string };
}

/** A file of a package that the caller may read. */
export interface PackageFileRecord extends PackageFile {
  project: ProjectRecord;
}
