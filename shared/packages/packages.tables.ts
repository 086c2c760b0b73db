/* The tables of this domain: a line for each file of entities. */
export {
  ContainerManifest,
  ContainerManifestPart,
  ContainerRepository,
  ContainerTag,
  RegistryKeyRow,
  RemovedImages,
} from './container-registry/container-repository.entity.js';
export { Package, PackageFile, PackagePipeline } from './packages/package.entity.js';
