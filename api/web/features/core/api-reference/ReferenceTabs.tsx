import { useMenu } from '../../../app/routing/menu.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';

/** Tabs of the pages that describe the API. */
export const ReferenceTabs = () => <LinkTabs label="References" tabs={useMenu('reference')} />;
