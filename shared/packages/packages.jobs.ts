import { queueJob } from '../core/context/jobs.js';
import type { TagRule } from './container-registry/choose-tags.js';

const category = 'container_registry';
/** Work at the registry goes by requests, a few for each tag. */
const expireInSeconds = 3600;

/** Deletes a repository's images at the registry, and then its row. */
export const deleteContainerImages = queueJob<{ repository_id: number }>('container_registry.delete_images', {
  category,
  expireInSeconds,
});

/** Deletes the tags of a repository that match a rule, on behalf of the requesting user. */
export const deleteContainerTags = queueJob<{ repository_id: number; user_id: number; rule: TagRule }>(
  'container_registry.delete_tags',
  { category, expireInSeconds },
);

/** Starts the expiration policies that are due. */
export const expireContainerImages = queueJob<Record<string, never>>('container_registry.expire', {
  category,
  everySeconds: 60,
});

/** Cleans up one repository by its project's policy. */
export const cleanUpContainerRepository = queueJob<{ repository_id: number }>('container_registry.clean_up', {
  category,
  expireInSeconds,
});

/** Computes how much a project's images take; of one project only one waits. */
export const measureContainerImages = queueJob<{ project_id: number }>('container_registry.measure', {
  category,
  policy: 'short',
});

/** Deletes images of deleted repositories at the registry. */
export const removeContainerImages = queueJob<Record<string, never>>('container_registry.remove_images', {
  category,
  everySeconds: 300,
  expireInSeconds,
});
