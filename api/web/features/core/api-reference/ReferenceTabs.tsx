import { useLocation } from 'react-router';
import { LinkTabs } from '../../../ui/LinkTabs.js';

const TABS = [
  ['/-/api-docs', 'REST'],
  ['/-/api-docs/graphql', 'GraphQL'],
  ['/-/api-docs/deprecations', 'Deprecations'],
  ['/-/api-docs/limits', 'Limits'],
  ['/-/api-docs/versions', 'Versions and plans'],
] as const;

/** The pages that describe the API, each made of what the service says of itself. */
export function ReferenceTabs() {
  const { pathname } = useLocation();
  return <LinkTabs label="References" tabs={TABS.map(([to, label]) => ({ to, label, current: pathname === to }))} />;
}
