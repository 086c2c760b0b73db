import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { AuditEvent } from '../../../data/api.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { Time } from '../../../ui/Time.js';
import { Whole } from '../../../ui/Whole.js';
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
      title="Log of actions"
      lead="What administrators did to queues and jobs. The audit log has the same, and more."
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
          { title: 'What', cell: (event) => <Whole>{event.details.custom_message}</Whole> },
          { title: 'Who', cell: ({ details }) => details.author_name },
          { title: 'When', cell: ({ created_at: at }) => <Time at={at} /> },
          { title: 'From', cell: ({ details }: AuditEvent) => details.ip_address ?? 'here' },
        ]}
        empty="Nothing yet. Who pauses a queue, or retries, cancels or deletes jobs, is written down here."
      />
    </JobsPage>
  );
}
