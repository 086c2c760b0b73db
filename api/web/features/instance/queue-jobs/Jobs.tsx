import { useSearchParams } from 'react-router';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Section } from '../../../ui/Page.js';
import { BulkProgress } from './BulkProgress.js';
import { filterIn } from './job-queries.js';
import type { AutoRefresh } from './auto-refresh.js';
import { JobFilter } from './JobFilter.js';
import { JobList } from './JobList.js';
import { STATES } from './labels.js';
import type { JobState } from './labels.js';

interface JobsProps {
  /** Of all queues when left out. */
  queue?: string;
  /** How many there are in a state, where that is known. */
  countOf?: (state: JobState) => number | undefined;
  autoRefresh: AutoRefresh;
  mayAct: boolean;
  onChoose: (some: boolean) => void;
}

/** Jobs by state (`?state=`), failed ones first, as those are what people come for, with the filter of the address. */
export function Jobs({ queue, countOf, autoRefresh, mayAct, onChoose }: JobsProps) {
  const [search, setSearch] = useSearchParams();
  const state = STATES.find(([name]) => name === search.get('state'))?.[0] ?? 'failed';
  const filter = filterIn(search);
  // Counts are of all jobs.
  const narrowed = Object.keys(filter).length > 0;
  const filters = { ...(queue === undefined ? {} : { queue }), state, ...filter };
  const cursor = search.get('cursor') ?? '';
  // In the address, so that it is found again after a reload.
  const bulk = Number(search.get('bulk'));
  const setBulk = (id: string | null) => {
    const params = new URLSearchParams(search);
    if (id === null) params.delete('bulk');
    else params.set('bulk', id);
    setSearch(params, { replace: true });
  };
  const to = (other: JobState) => {
    const params = new URLSearchParams(search);
    params.delete('cursor');
    params.set('state', other);
    return `?${params}`;
  };
  return (
    <Section title="Jobs">
      <LinkTabs
        label="Jobs by state"
        tabs={STATES.map(([name, label]) => ({
          to: to(name),
          label,
          count: narrowed ? undefined : countOf?.(name),
          current: name === state,
        }))}
      />
      {bulk > 0 && <BulkProgress key={bulk} id={bulk} onClose={() => setBulk(null)} />}
      <JobFilter ofQueue={queue !== undefined} />
      <JobList
        key={`${JSON.stringify(filters)} ${cursor}`}
        filters={filters}
        cursor={cursor}
        autoRefresh={autoRefresh}
        mayAct={mayAct}
        onChoose={onChoose}
        onBegun={(id) => setBulk(String(id))}
      />
    </Section>
  );
}
