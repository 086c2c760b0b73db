import { useQuery } from '@tanstack/react-query';
import { Empty } from '../look/Empty.js';
import { Problem } from '../look/Problem.js';
import { LoadingRows, Table } from '../look/Table.js';
import type { Following } from './following.js';
import { columnsOf } from './job-columns.js';
import { jobsQuery } from './job-queries.js';
import type { AskedJobs } from './job-queries.js';
import { PageLinks } from './PageLinks.js';
import { stateWords } from './words.js';
import type { JobState } from './words.js';

interface JobListProps {
  asked: AskedJobs;
  cursor: string;
  following: Following;
}

/** Jobs in one state, newest first, a page at a time. What is chosen belongs to what was asked for: the key is both. */
export function JobList({ asked, cursor, following }: JobListProps) {
  const { queue, state, ...filter } = asked;
  const narrowed = Object.keys(filter).length > 0;
  const jobs = useQuery({ ...jobsQuery(asked, cursor), refetchInterval: following.every });
  const rows = jobs.data?.rows ?? [];
  return (
    <>
      {jobs.error && <Problem error={jobs.error} retry={() => void jobs.refetch()} />}
      {jobs.isPending && <LoadingRows label="Loading jobs" rows={6} />}
      {jobs.data && rows.length === 0 && <NoJobs state={state} narrowed={narrowed} />}
      {rows.length > 0 && (
        <Table
          caption={`Jobs, ${stateWords(state)}`}
          rows={rows}
          keyOf={({ id }) => id}
          columns={columnsOf(state, queue === undefined)}
        />
      )}
      <PageLinks cursor={cursor} next={jobs.data?.next ?? null} />
    </>
  );
}

function NoJobs({ state, narrowed }: { state: JobState; narrowed: boolean }) {
  if (narrowed) return <Empty>No job in this state matches the filter.</Empty>;
  return <Empty>No jobs here. Those that are {stateWords(state)} appear by themselves.</Empty>;
}
