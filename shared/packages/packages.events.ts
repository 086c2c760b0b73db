import type { NamedProject } from '../tenancy/tenancy.events.js';
import type { Package, PackageFile } from './packages/package.entity.js';

interface NamedPackage {
  readonly package: Package;
  readonly project: NamedProject;
}

export interface PackageEvents {
  /** The package may be a new one. */
  'package_file.published': NamedPackage & { readonly file: PackageFile };
  'package_file.deleted': NamedPackage & { readonly file_name: string };
  /** With its files, which are not told of. */
  'package.deleted': NamedPackage;
}

declare module '../core/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends PackageEvents {}
}
