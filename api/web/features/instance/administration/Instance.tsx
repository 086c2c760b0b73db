import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { DetailList, Figures } from '../../../ui/DetailList.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { AdminPage } from './AdminPage.js';
import { countsQuery, metadataQuery } from './queries.js';

/** `/admin`: the running version, and links to the pages about its state. */
export function Instance() {
  const { data, error, refetch } = useQuery(metadataQuery);
  return (
    <AdminPage title="Administration" lead="Overview of this instance.">
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label="Loading the instance" />}
      <Counts />
      {data && (
        <DetailList
          details={[
            ['Version', `${data.service.name} ${data.service.version}`],
            ['API version', `version ${data.version} of the public API`],
            ['Revision', data.revision],
            [
              'Rejected requests',
              <Link key="refusals" to="/-/refused_requests">
                find out why a request was rejected
              </Link>,
            ],
            [
              'Health',
              <span key="health">
                <Link to="/admin/health">Probes and the queue</Link>; <code>npm run doctor</code> runs more checks.
              </span>,
            ],
          ]}
        />
      )}
    </AdminPage>
  );
}

const counted = (count: number | null) => (count === null ? 'many' : count.toLocaleString('en'));

/** The numbers of administered records. */
function Counts() {
  const { data, error, refetch } = useQuery(countsQuery);
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  const figures = [
    ['Active users', '/admin/users?filter=active', data?.people],
    ['Blocked', '/admin/users?filter=blocked', data?.blocked],
    ['Groups', '/admin/groups', data?.groups],
    ['Projects', null, data?.projects],
    ['Schedules', '/schedules', data?.schedules],
  ] as const;
  return (
    <Figures
      figures={figures.map(([label, to, count]) => [
        label,
        count === undefined ? (
          '…'
        ) : to ? (
          <Link key={label} to={to}>
            {counted(count)}
          </Link>
        ) : (
          counted(count)
        ),
      ])}
    />
  );
}
