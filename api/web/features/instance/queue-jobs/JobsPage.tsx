import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMenu } from '../../../app/routing/menu.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Live } from '../../../app/lists/Live.js';
import { Page } from '../../../ui/Page.js';
import { REFRESH_MS } from './auto-refresh.js';
import type { AutoRefresh } from './auto-refresh.js';
import styles from './JobsPage.module.css';

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
        <LinkTabs label="Parts" tabs={useMenu('jobs')} />
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
