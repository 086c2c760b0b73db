import type { Domain } from '../core/domain.js';
import { packagesAuditOf } from './packages.audit.js';
import {
  cleanUpContainerRepository,
  deleteContainerImages,
  deleteContainerTags,
  expireContainerImages,
  measureContainerImages,
  removeContainerImages,
} from './container-registry/container-registry.jobs.js';
import {
  ContainerManifest,
  ContainerManifestPart,
  ContainerRepository,
  ContainerTag,
  RegistryKeyRow,
  RemovedImages,
} from './container-registry/container-repository.entity.js';
import { holdPathsOfImages } from './container-registry/hold-paths.js';
import { packagesSubscribers } from './packages.subscribers.js';
import { Package, PackageFile, PackagePipeline } from './packages/package.entity.js';

holdPathsOfImages();

export const packagesDomain: Domain = {
  name: 'packages',
  entities: [
    ContainerManifest,
    ContainerManifestPart,
    ContainerRepository,
    ContainerTag,
    Package,
    PackageFile,
    PackagePipeline,
    RegistryKeyRow,
    RemovedImages,
  ],
  jobKinds: [
    cleanUpContainerRepository,
    deleteContainerImages,
    deleteContainerTags,
    expireContainerImages,
    measureContainerImages,
    removeContainerImages,
  ],
  subscribers: packagesSubscribers,
  auditOf: packagesAuditOf,
};
