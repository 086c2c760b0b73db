import type { TablesOf } from '../core/database/tables.js';
import type { DeploymentsDatabase } from '../deployments/deployments.entities.js';
import {
  ContainerManifest,
  ContainerManifestPart,
  ContainerRepository,
  ContainerTag,
  RegistryKeyRow,
  RemovedImages,
} from './container-registry/container-repository.entity.js';
import { Package, PackageFile, PackagePipeline } from './packages/package.entity.js';

/** The tables of this domain. */
export const packagesEntities = [
  ContainerManifest,
  ContainerManifestPart,
  ContainerRepository,
  ContainerTag,
  Package,
  PackageFile,
  PackagePipeline,
  RegistryKeyRow,
  RemovedImages,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface PackagesDatabase extends DeploymentsDatabase, TablesOf<(typeof packagesEntities)[number]> {}
