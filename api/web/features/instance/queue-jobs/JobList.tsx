import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Said } from '../../../ui/Said.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { Bulk } from './Bulk.js';
import type { Chosen } from './Bulk.js';
import type { AutoRefresh } from './auto-refresh.js';
import { getColumns } from './job-columns.js';
import { jobsQuery } from './job-queries.js';
import type { JobFilters } from './job-queries.js';
import { formatState } from './labels.js';
import type { JobState } from './labels.js';

interface JobListProps {
  filters: JobFilters;
  cursor: string;
  autoRefresh: AutoRefresh;
  mayAct: boolean;
  /** Called with whether jobs are selected: the rows must not move then. */
  onChoose: (some: boolean) => void;
  /** Called with the id of a bulk action that continues in the background. */
  onBegun: (id: number) => void;
}

const NONE: Chosen = { ids: new Set(), all: null };

/**
 * Jobs in one state, newest first, a page at a time. The selection belongs to the filters and the page, so the key
 * contains both.
 */
export function JobList({ filters, cursor, autoRefresh, mayAct, onChoose, onBegun }: JobListProps) {
  const { queue, state, ...filter } = filters;
  const narrowed = Object.keys(filter).length > 0;
  const jobs = useQuery({ ...jobsQuery(filters, cursor), ...autoRefresh.options });
  const [chosen, setChosen] = useState<Chosen>(NONE);
  const [said, setSaid] = useState('');
  const some = chosen.all !== null || chosen.ids.size > 0;
  useEffect(() => {
    onChoose(some);
    return () => onChoose(false);
  }, [some, onChoose]);
  const choose = (id: string, on: boolean) => {
    const ids = new Set(chosen.ids);
    if (on) ids.add(id);
    else ids.delete(id);
    setChosen({ ids, all: null });
  };
  const ids = (jobs.data?.rows ?? []).map(({ id }) => id);
  const selection = {
    chosen: chosen.all === null ? chosen.ids : new Set(ids),
    choose: ({ id }: { id: string }, on: boolean) => choose(id, on),
    nameOf: ({ id }: { id: string }) => `job ${id}`,
  };
  return (
    <>
      <Said>{said}</Said>
      <RecordList
        title="Jobs"
        caption={`Jobs, ${formatState(state)}`}
        param="cursor"
        keyset
        query={jobs}
        keyOf={({ id }) => id}
        columns={getColumns(state, queue === undefined)}
        selection={mayAct ? selection : undefined}
        empty={emptyMessage(state, narrowed)}
      >
        {mayAct && (
          <Bulk
            filters={filters}
            ids={ids}
            more={typeof jobs.data?.next === 'string' || cursor !== ''}
            chosen={chosen}
            onChoose={setChosen}
            onDone={setSaid}
            onBegun={onBegun}
          />
        )}
      </RecordList>
    </>
  );
}

function emptyMessage(state: JobState, narrowed: boolean): string {
  if (narrowed) return 'No job in this state matches the filter.';
  const which = state === 'retry' ? 'jobs to retry' : `${formatState(state)} jobs`;
  return `No ${which}. They appear here automatically.`;
}
