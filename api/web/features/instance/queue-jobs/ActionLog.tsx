import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { AuditEvent } from '../../../data/api.js';
import { Empty } from '../../../ui/Empty.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { Whole } from '../../../ui/Whole.js';
import { useAutoRefresh } from './auto-refresh.js';
import { actionsQuery } from './job-queries.js';
import { JobsPage } from './JobsPage.js';
import { PageLinks } from './PageLinks.js';

/** `/admin/jobs/log`: who did what to queues and jobs, newest first. */
export function ActionLog() {
  const [search] = useSearchParams();
  const cursor = search.get('cursor') ?? '';
  const autoRefresh = useAutoRefresh();
  const events = useQuery({ ...actionsQuery(cursor), ...autoRefresh.options });
  const rows = events.data?.rows ?? [];
  return (
    <JobsPage
      title="Action log"
      lead="Actions of administrators on queues and jobs. They're also in the audit log."
      autoRefresh={autoRefresh}
      looked={events}
    >
      {events.error && <Problem error={events.error} retry={() => void events.refetch()} />}
      {events.isPending && <LoadingRows label="Loading the log" rows={6} />}
      {events.data && rows.length === 0 && (
        <Empty>No actions yet. Pausing queues, and retrying, cancelling or deleting jobs, is logged here.</Empty>
      )}
      {rows.length > 0 && (
        <Table
          caption="Actions"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Action', cell: (event) => <Whole>{event.details.custom_message}</Whole> },
            { title: 'Author', cell: ({ details }) => details.author_name },
            { title: 'Date', cell: ({ created_at: at }) => <Time at={at} /> },
            { title: 'IP address', cell: ({ details }: AuditEvent) => details.ip_address ?? 'here' },
          ]}
        />
      )}
      <PageLinks cursor={cursor} next={events.data?.next ?? null} />
    </JobsPage>
  );
}
