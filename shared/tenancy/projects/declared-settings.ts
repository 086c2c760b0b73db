import { featureSettings } from './declared-features.js';
import { generalSettings } from './declared-general.js';
import { mergeSettings } from './declared-merging.js';
import { mirrorSettings } from './declared-mirroring.js';
import { pipelineSettings } from './declared-pipelines.js';

/**
 * Every setting of a project, each declared once (decision 41): its column, parameter, field in answers, value in new
 * projects and forks, audit and GraphQL come from here. A new one is one declaration and a migration.
 */
export const declaredSettings = {
  ...featureSettings,
  ...generalSettings,
  ...mergeSettings,
  ...pipelineSettings,
  ...mirrorSettings,
};
