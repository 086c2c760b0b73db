import { jobsPath, pipelinesPath } from '../../../app/routing/paths.js';
import { Link } from 'react-router';
import rows from '../../../ui/Rows.module.css';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import type { Job } from './queries.js';
import { formatSeconds, PipelineStatus } from './labels.js';

/** How jobs are listed. */
export const jobColumns = (path: string): readonly Column<Job>[] => [
  {
    title: 'Job',
    cell: ({ id, name, allow_failure: mayFail }) => (
      <>
        <Link className={rows.name} to={jobsPath(path, id)}>
          <UnbrokenText>{name}</UnbrokenText>
        </Link>
        {mayFail && <span className={rows.quiet}>allowed to fail</span>}
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ status, allow_failure: mayFail }) => <PipelineStatus status={status} mayFail={mayFail} />,
  },
  { title: 'Stage', cell: ({ stage }) => stage },
  { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Duration', end: true, cell: ({ duration }) => formatSeconds(duration) },
];

/** Which pipeline a job is of, and what that runs on. */
export const pipelineColumn = (path: string): Column<Job> => ({
  title: 'Pipeline',
  cell: ({ pipeline: { id, ref } }) => (
    <>
      <Link to={pipelinesPath(path, id)}>#{id}</Link>
      <span className={rows.quiet}>
        <UnbrokenText>{ref}</UnbrokenText>
      </span>
    </>
  ),
});
