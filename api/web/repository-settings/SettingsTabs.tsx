import { generalSettingsOf } from '../archives/address.js';
import { pageOf } from '../containers/address.js';
import { LinkTabs } from '../look/LinkTabs.js';
import { settingsOf } from './address.js';
import type { SettingsPlace } from './address.js';

/** The pages of settings of a project or group. */
export function SettingsTabs({
  place,
  current,
}: {
  place: SettingsPlace;
  current: 'general' | 'repository' | 'tokens' | 'audit';
}) {
  return (
    <LinkTabs
      label="Settings"
      tabs={[
        { to: generalSettingsOf(place), words: 'General', current: current === 'general' },
        { to: settingsOf(place), words: 'Repository', current: current === 'repository' },
        { to: pageOf(place, 'settings/access_tokens'), words: 'Access tokens', current: current === 'tokens' },
        { to: pageOf(place, 'audit_events'), words: 'Audit', current: current === 'audit' },
      ]}
    />
  );
}
