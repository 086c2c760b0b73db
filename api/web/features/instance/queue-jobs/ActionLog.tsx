import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { AuditEvent } from '../../../data/api.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useAutoRefresh } from './auto-refresh.js';
import { actionsQuery } from './job-queries.js';
import { JobsPage } from './JobsPage.js';

/** `/admin/jobs/log`: who did what to queues and jobs, newest first. */
export function ActionLog() {
  const [search] = useSearchParams();
  const cursor = search.get('cursor') ?? '';
  const autoRefresh = useAutoRefresh();
  const events = useQuery({ ...actionsQuery(cursor), ...autoRefresh.options });
  return (
    <JobsPage
      title="Action log"
      lead="Actions of administrators on queues and jobs. They're also in the audit log."
      autoRefresh={autoRefresh}
      looked={events}
    >
      <RecordList
        title="Actions"
        param="cursor"
        keyset
        query={events}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Action', cell: (event) => <UnbrokenText>{event.details.custom_message}</UnbrokenText> },
          { title: 'Author', cell: ({ details }) => details.author_name },
          { title: 'Date', cell: ({ created_at: at }) => <Time at={at} /> },
          { title: 'IP address', cell: ({ details }: AuditEvent) => details.ip_address ?? 'here' },
        ]}
        empty="No actions yet. Pausing queues, and retrying, cancelling or deleting jobs, is logged here."
      />
    </JobsPage>
  );
}
