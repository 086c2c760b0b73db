import { clearableText, object, list, optional, oneOf, text } from '../../core/operations/fields.js';
import { getSettingParams } from '../namespaces/declared-settings.js';
import { containerExpirationParam } from './container-expiration.js';
import { featureSettings } from './declared-features.js';
import { generalSettings } from './declared-general.js';
import { mergeSettings } from './declared-merging.js';
import { mirrorSettings } from './declared-mirroring.js';
import { pipelineSettings } from './declared-pipelines.js';
import { VISIBILITY } from '../namespaces/namespace.entity.js';

/** All project settings common to creating and editing (projects.md, core-resources.md section 5). */
export const settingParams = {
  description: clearableText().describe('Description of the project, in Markdown.'),
  visibility: optional(oneOf(VISIBILITY)).describe('Visibility of the project.'),
  topics: list(text(), { commas: true, max: 1000 })
    .optional()
    .describe('Topics of the project, which replace the existing ones.'),
  tag_list: list(text(), { commas: true, max: 1000 }).optional().describe('Deprecated: use `topics`.'),
  ...getSettingParams(featureSettings),
  ...getSettingParams(generalSettings),
  repository_storage: optional(text()).describe(
    'Name of the storage of the repository; there is only one. Administrators.',
  ),
  ...getSettingParams(mergeSettings),
  ...getSettingParams(pipelineSettings),
  container_expiration_policy_attributes: optional(object(containerExpirationParam)).describe(
    'Policy for keeping images of the container registry.',
  ),
  import_url: clearableText().describe('URL that the repository is mirrored from. Premium.'),
  ...getSettingParams(mirrorSettings),
};
