import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { LinkTabs } from '../look/LinkTabs.js';
import { Page } from '../look/Page.js';

/** Pages about the instance, by their addresses. */
const PARTS = [
  ['/admin', 'Overview'],
  ['/admin/users', 'Users'],
  ['/admin/groups', 'Groups'],
  ['/admin/applications', 'Applications'],
  ['/admin/audit_logs', 'Audit log'],
  ['/admin/jobs', 'Background jobs'],
] as const;

const isWithin = (to: string, pathname: string) =>
  to === '/admin' ? pathname === to : pathname === to || pathname.startsWith(`${to}/`);

interface AdminPageProps {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** What all pages about the instance have: the way to the others. */
export function AdminPage({ title, lead, action, children }: AdminPageProps) {
  const { pathname } = useLocation();
  return (
    <Page title={title} lead={lead} action={action}>
      <LinkTabs
        label="Administration"
        tabs={PARTS.map(([to, words]) => ({ to, words, current: isWithin(to, pathname) }))}
      />
      {children}
    </Page>
  );
}
