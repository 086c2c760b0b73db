import { generalSettingsOf } from '../archives/address.js';
import { pageOf } from '../containers/address.js';
import { LinkTabs } from '../look/LinkTabs.js';
import { settingsOf } from './address.js';
import type { SettingsContainer } from './address.js';

/** The pages of settings of a project or group. */
export function SettingsTabs({
  container,
  current,
}: {
  container: SettingsContainer;
  current: 'general' | 'repository' | 'tokens' | 'audit';
}) {
  return (
    <LinkTabs
      label="Settings"
      tabs={[
        { to: generalSettingsOf(container), words: 'General', current: current === 'general' },
        { to: settingsOf(container), words: 'Repository', current: current === 'repository' },
        { to: pageOf(container, 'settings/access_tokens'), words: 'Access tokens', current: current === 'tokens' },
        { to: pageOf(container, 'audit_events'), words: 'Audit', current: current === 'audit' },
      ]}
    />
  );
}
