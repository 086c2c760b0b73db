import type { WorkerDomain } from '../core/handler.js';
import {
  cleanUpContainerRepository,
  deleteContainerImages,
  deleteContainerTags,
  expireContainerImages,
  measureContainerImages,
  removeContainerImages,
} from '../../shared/packages/packages.jobs.js';
import { cleanUpByPolicy, deleteTagsFor, startDuePolicies } from '../../shared/packages/container-registry/clean-up.js';
import { measureImages } from '../../shared/packages/container-registry/measure-images.js';
import { deleteRepository, removeImages } from '../../shared/packages/container-registry/remove-images.js';
import { handler } from '../core/handler.js';

const deletionOfContainerImages = handler({
  kind: deleteContainerImages,
  batchSize: 5,
  handle: deleteRepository,
});

const deletionOfContainerTags = handler({ kind: deleteContainerTags, batchSize: 5, handle: deleteTagsFor });

const expirationOfContainerImages = handler({
  kind: expireContainerImages,
  batchSize: 1,
  handle: startDuePolicies,
});

const cleanUpOfContainerRepositories = handler({
  kind: cleanUpContainerRepository,
  batchSize: 5,
  handle: cleanUpByPolicy,
});

const measuringOfContainerImages = handler({
  kind: measureContainerImages,
  batchSize: 10,
  handle: measureImages,
});

const removalOfContainerImages = handler({ kind: removeContainerImages, batchSize: 1, handle: removeImages });

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
