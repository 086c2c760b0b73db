import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Page } from '../../../ui/Page.js';
import { useSession } from '../../../data/session.js';

/** Pages about the instance, by their addresses. */
const PARTS = [
  ['/admin', 'Overview'],
  ['/admin/users', 'Users'],
  ['/admin/groups', 'Groups'],
  ['/admin/applications', 'Applications'],
  ['/admin/audit_logs', 'Audit log'],
  ['/admin/jobs', 'Background jobs'],
  ['/admin/application_settings', 'Settings'],
  ['/admin/limits', 'Limits'],
  ['/admin/health', 'Health'],
] as const;

/** The API shows them to administrators alone, not to auditors. */
const FOR_ADMINISTRATORS = new Set<string>(['/admin/application_settings', '/admin/limits']);

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
  const administers = useSession().data?.user?.is_admin ?? false;
  const parts = PARTS.filter(([to]) => administers || !FOR_ADMINISTRATORS.has(to));
  return (
    <Page title={title} lead={lead} action={action}>
      <LinkTabs
        label="Administration"
        tabs={parts.map(([to, label]) => ({ to, label, current: isWithin(to, pathname) }))}
      />
      {children}
    </Page>
  );
}
