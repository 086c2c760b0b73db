import { text } from '../../core/operations/fields.js';
import { declareSettings } from '../namespaces/declared-settings.js';
import { olderFlag } from '../namespaces/setting-kinds.js';
import { kind } from './declared-kinds.js';

/** Project settings other than features, code and pipelines (projects.md, core-resources.md section 5). */
export const generalSettings = declareSettings({
  service_desk_enabled: kind.flag(false, 'If `true`, Service Desk creates issues from email.', {}),
  // Shown as false while large files are not served; the stored choice takes effect once they are.
  lfs_enabled: kind.flag(false, 'If `true`, Git Large File Storage is enabled for the project.', {
    inherited: true,
    graphql: true,
  }),
  request_access_enabled: kind.flag(true, 'If `true`, users can request access.', { audited: true, graphql: true }),
  emails_enabled: kind.flag(true, 'If `true`, email notifications are enabled for the project.', {}),
  emails_disabled: olderFlag('emails_enabled', (off) => !off, 'Deprecated: the inverse of emails_enabled.'),
  show_default_award_emojis: kind.flag(true, 'If `true`, default emoji reactions are displayed.', {}),
  show_diff_preview_in_email: kind.flag(true, 'If `true`, email notifications include a preview of the diff.', {}),
  warn_about_potentially_unwanted_characters: kind.flag(
    true,
    'If `true`, potentially unwanted characters are highlighted.',
    {},
  ),
  enforce_auth_checks_on_uploads: kind.flag(
    true,
    'If `true`, uploaded files are available only to users who can see the project.',
    {
      audited: true,
    },
  ),
  secret_push_protection_enabled: kind.flag(false, 'If `true`, pushes are scanned for secrets.', { audited: true }),
  external_authorization_classification_label: kind.text(255, 'Label for external authorization.', { inherited: true }),
  compliance_frameworks: kind.texts(
    text(),
    [],
    'Names of compliance frameworks. Ultimate.',
    { plan: 'ultimate' },
    { max: 100 },
  ),
});
