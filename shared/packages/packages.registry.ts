import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { packagesEntities } from './packages.entities.js';
import * as readings from './packages.audit.js';
import {
  cleanUpContainerRepository,
  deleteContainerImages,
  deleteContainerTags,
  expireContainerImages,
  measureContainerImages,
  removeContainerImages,
} from './packages.jobs.js';
import { holdPathsOfImages } from './container-registry/container-tags.js';
import { packagesSubscribers } from './packages.subscribers.js';

holdPathsOfImages();

export const packagesDomain: Domain = {
  name: 'packages',
  entities: packagesEntities,
  jobKinds: [
    cleanUpContainerRepository,
    deleteContainerImages,
    deleteContainerTags,
    expireContainerImages,
    measureContainerImages,
    removeContainerImages,
  ],
  subscribers: packagesSubscribers,
  auditOf: allReadings(readings),
};
