import { generalSettingsOf } from '../routing/addresses/archives.js';
import { pageOf } from '../routing/addresses/containers.js';
import { LinkTabs } from '../../ui/LinkTabs.js';
import { settingsOf } from '../routing/addresses/repository-settings.js';
import type { SettingsContainer } from '../routing/addresses/repository-settings.js';

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
        { to: generalSettingsOf(container), label: 'General', current: current === 'general' },
        { to: settingsOf(container), label: 'Repository', current: current === 'repository' },
        { to: pageOf(container, 'settings/access_tokens'), label: 'Access tokens', current: current === 'tokens' },
        { to: pageOf(container, 'audit_events'), label: 'Audit', current: current === 'audit' },
      ]}
    />
  );
}
