import type { WorkerDomain } from '../core/domain.js';
import {
  cleanUpOfContainerRepositories,
  deletionOfContainerImages,
  deletionOfContainerTags,
  expirationOfContainerImages,
  measuringOfContainerImages,
  removalOfContainerImages,
} from './container-registry/images.js';

export const packagesWorkers: WorkerDomain = {
  handlers: [
    cleanUpOfContainerRepositories,
    deletionOfContainerImages,
    deletionOfContainerTags,
    expirationOfContainerImages,
    measuringOfContainerImages,
    removalOfContainerImages,
  ],
};
