import {
  cleanUpContainerRepository,
  deleteContainerImages,
  deleteContainerTags,
  expireContainerImages,
  measureContainerImages,
  removeContainerImages,
} from '../../../shared/packages/packages.jobs.js';
import {
  cleanUpByPolicy,
  deleteTagsFor,
  startDuePolicies,
} from '../../../shared/packages/container-registry/clean-up.js';
import { measureImages } from '../../../shared/packages/container-registry/measure-images.js';
import { deleteRepository, removeImages } from '../../../shared/packages/container-registry/remove-images.js';
import { handler } from '../../core/handler.js';

export const deletionOfContainerImages = handler({
  kind: deleteContainerImages,
  batchSize: 5,
  handle: deleteRepository,
});

export const deletionOfContainerTags = handler({ kind: deleteContainerTags, batchSize: 5, handle: deleteTagsFor });

export const expirationOfContainerImages = handler({
  kind: expireContainerImages,
  batchSize: 1,
  handle: startDuePolicies,
});

export const cleanUpOfContainerRepositories = handler({
  kind: cleanUpContainerRepository,
  batchSize: 5,
  handle: cleanUpByPolicy,
});

export const measuringOfContainerImages = handler({
  kind: measureContainerImages,
  batchSize: 10,
  handle: measureImages,
});

export const removalOfContainerImages = handler({ kind: removeContainerImages, batchSize: 1, handle: removeImages });
