import { text } from '../../core/operations/fields.js';
import { declareSettings } from '../namespaces/container-settings.js';
import { olderFlag } from '../namespaces/setting-kinds.js';
import { kind } from './declared-kinds.js';

/** What a project is set to beside its features, code and pipelines (projects.md, core-resources.md section 5). */
export const generalSettings = declareSettings({
  service_desk_enabled: kind.flag(false, 'Whether mail becomes issues.', {}),
  // False while large files are not served; a caller's choice is kept for when they are.
  lfs_enabled: kind.flag(false, 'Whether large files are stored apart.', { inherited: true, graphql: true }),
  request_access_enabled: kind.flag(true, 'Whether others may ask to join.', { audited: true, graphql: true }),
  emails_enabled: kind.flag(true, 'Whether members get mail.', {}),
  emails_disabled: olderFlag('emails_enabled', (off) => !off, 'Deprecated: the inverse of emails_enabled.'),
  show_default_award_emojis: kind.flag(true, 'Whether thumbs are offered where there are none yet.', {}),
  show_diff_preview_in_email: kind.flag(true, 'Whether mail shows changed lines.', {}),
  warn_about_potentially_unwanted_characters: kind.flag(true, 'Whether invisible characters are pointed out.', {}),
  enforce_auth_checks_on_uploads: kind.flag(true, 'Whether only those who see the project get its uploaded files.', {
    audited: true,
  }),
  secret_push_protection_enabled: kind.flag(false, 'Whether pushes are searched for secrets.', { audited: true }),
  external_authorization_classification_label: kind.text(255, 'Label for external authorization.', { inherited: true }),
  compliance_frameworks: kind.texts(
    text(),
    [],
    'Names of compliance frameworks. Ultimate.',
    { plan: 'ultimate' },
    { max: 100 },
  ),
});
