import { clearableText, boolean, object, list, optional, oneOf, text } from '../../core/fields.js';
import { ciParams, containerExpirationParam, mirrorParams } from './ci-params.js';
import { levelParams, twinParams } from './feature-params.js';
import { mergeParams } from './merge-params.js';
import { VISIBILITY } from './visibility.js';

const onOff = (docs: string) => optional(boolean()).describe(docs);

/** Every setting of a project that creating and editing take alike (seed 2.10, core-resources.md section 5). */
export const settingParams = {
  description: clearableText().describe('Description, in Markdown.'),
  visibility: optional(oneOf(VISIBILITY)).describe('Who may see it.'),
  topics: list(text(), { commas: true, max: 1000 }).optional().describe('Topics; those that it had are replaced.'),
  tag_list: list(text(), { commas: true, max: 1000 }).optional().describe('Deprecated: use topics.'),
  ...levelParams,
  ...twinParams,
  service_desk_enabled: onOff('Whether mail becomes issues.'),
  lfs_enabled: onOff('Whether large files are stored apart.'),
  request_access_enabled: onOff('Whether others may ask to join.'),
  emails_enabled: onOff('Whether members get mail.'),
  emails_disabled: onOff('Deprecated: the inverse of emails_enabled.'),
  show_default_award_emojis: onOff('Whether thumbs are offered where there are none yet.'),
  show_diff_preview_in_email: onOff('Whether mail shows changed lines.'),
  warn_about_potentially_unwanted_characters: onOff('Whether invisible characters are pointed out.'),
  enforce_auth_checks_on_uploads: onOff('Whether only those who see the project get its uploaded files.'),
  secret_push_protection_enabled: onOff('Whether pushes are searched for secrets.'),
  external_authorization_classification_label: clearableText().describe('Label for external authorization.'),
  compliance_frameworks: optional(list(text(), { max: 100 })).describe('Names of compliance frameworks. Ultimate.'),
  repository_storage: optional(text()).describe('Where its repository lies; there is one place. Administrators.'),
  ...mergeParams,
  ...ciParams,
  container_expiration_policy_attributes: optional(object(containerExpirationParam)).describe(
    'What images of the container registry are kept.',
  ),
  ...mirrorParams,
};
