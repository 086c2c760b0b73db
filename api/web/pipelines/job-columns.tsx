import { Link } from 'react-router';
import { pageOf } from '../containers/address.js';
import rows from '../look/Rows.module.css';
import type { Column } from '../look/Table.js';
import { Time } from '../look/Time.js';
import { Whole } from '../look/Whole.js';
import type { Job } from './queries.js';
import { secondsWords, StatusOf } from './words.js';

/** How jobs are listed. */
export const jobColumns = (path: string): readonly Column<Job>[] => [
  {
    title: 'Job',
    cell: ({ id, name, allow_failure: mayFail }) => (
      <>
        <Link className={rows.name} to={pageOf({ kind: 'project', path }, `jobs/${id}`)}>
          <Whole>{name}</Whole>
        </Link>
        {mayFail && <span className={rows.quiet}>may fail</span>}
      </>
    ),
  },
  { title: 'State', cell: ({ status }) => <StatusOf status={status} /> },
  { title: 'Stage', cell: ({ stage }) => stage },
  { title: 'Made', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'Took', end: true, cell: ({ duration }) => secondsWords(duration) },
];

/** Which pipeline a job is of, and what that runs on. */
export const pipelineColumn = (path: string): Column<Job> => ({
  title: 'Pipeline',
  cell: ({ pipeline: { id, ref } }) => (
    <>
      <Link to={pageOf({ kind: 'project', path }, `pipelines/${id}`)}>#{id}</Link>
      <span className={rows.quiet}>
        <Whole>{ref}</Whole>
      </span>
    </>
  ),
});
