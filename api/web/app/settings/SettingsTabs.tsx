import type { Container } from '../../data/containers.js';
import { LinkTabs } from '../../ui/LinkTabs.js';
import { useMenu } from '../routing/menu.js';

/** Tabs of the settings of a project or group. */
export const SettingsTabs = ({ container: { kind, path } }: { container: Container }) => (
  <LinkTabs label="Settings" tabs={useMenu(`${kind}_settings`, path)} />
);
