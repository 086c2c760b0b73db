import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Live } from '../../../app/lists/Live.js';
import { Page } from '../../../ui/Page.js';
import { REFRESH_MS } from './auto-refresh.js';
import type { AutoRefresh } from './auto-refresh.js';
import styles from './JobsPage.module.css';

const PARTS = [
  ['/admin/jobs', 'Queues'],
  ['/admin/jobs/all', 'All jobs'],
  ['/admin/jobs/recurring', 'Recurring'],
  ['/admin/jobs/processes', 'Processes'],
  ['/admin/jobs/log', 'Log'],
] as const;

/** A queue is one of the queues. */
const isWithin = (to: string, pathname: string) =>
  pathname === to || (to === '/admin/jobs' && pathname.startsWith('/admin/jobs/queues/'));

interface JobsPageProps {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  autoRefresh: AutoRefresh;
  /** The query that is followed. */
  looked: { dataUpdatedAt: number; error: Error | null };
  children: ReactNode;
}

/** What all pages about jobs have: the way to the others, and whether and when they were refreshed. */
export function JobsPage({ title, lead, action, autoRefresh, looked, children }: JobsPageProps) {
  const { pathname } = useLocation();
  return (
    <Page
      title={title}
      lead={
        <>
          <Link to="/admin">Administration</Link>
          {lead && <> · {lead}</>}
        </>
      }
      action={action}
    >
      <div className={styles.top}>
        <LinkTabs label="Parts" tabs={PARTS.map(([to, label]) => ({ to, label, current: isWithin(to, pathname) }))} />
        <Live
          at={looked.dataUpdatedAt}
          everyMs={REFRESH_MS}
          failed={looked.error !== null}
          paused={autoRefresh.paused}
          stopped={autoRefresh.stopped}
          onToggle={autoRefresh.toggle}
        />
      </div>
      {children}
    </Page>
  );
}
