import { auditEventsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ApiProblem } from '../../../data/problem.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { changesQuery } from './queries.js';
import styles from './Schedule.module.css';

interface ChangesProps {
  path: string;
  id: number;
  /** Maintainers see everybody's changes; others what they did themselves. */
  everybody: boolean;
}

/** The users who changed a schedule, with times, according to the audit log. */
export default function Changes({ path, id, everybody }: ChangesProps) {
  return (
    <Section
      title={everybody ? 'Change history' : 'Your changes'}
      aside={everybody && <Link to={auditEventsPath({ kind: 'project', path })}>Project changes</Link>}
    >
      <Rows path={path} id={id} everybody={everybody} />
    </Section>
  );
}

function Rows({ path, id, everybody }: ChangesProps) {
  const { data, error, isPending, refetch } = useQuery(changesQuery(path, id));
  if (error instanceof ApiProblem && error.status === 403)
    return <p className={styles.quiet}>Change history isn't available on this instance's plan.</p>;
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />;
  if (isPending) return <LoadingRows label="Loading changes" />;
  if (!data || data.length === 0)
    return (
      <p className={styles.quiet}>
        {everybody ? 'No changes recorded.' : "You haven't made any changes. Maintainers can see everyone's changes."}
      </p>
    );
  return (
    <Table
      caption="Changes, newest first"
      rows={data}
      keyOf={(event) => event.id}
      columns={[
        { title: 'Change', cell: ({ details }) => <UnbrokenText>{details.custom_message}</UnbrokenText> },
        { title: 'Author', cell: ({ details }) => details.author_name },
        { title: 'When', cell: ({ created_at: at }) => <Time at={at} /> },
      ]}
    />
  );
}
