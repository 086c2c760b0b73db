import type { ReactNode } from 'react';
import { useMenu } from '../../../app/routing/menu.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Page } from '../../../ui/Page.js';

interface AdminPageProps {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** What all pages about the instance have: the way to the others. */
export function AdminPage({ title, lead, action, children }: AdminPageProps) {
  return (
    <Page title={title} lead={lead} action={action}>
      <LinkTabs label="Administration" tabs={useMenu('admin')} />
      {children}
    </Page>
  );
}
