import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, taken } from '../client/api.js';
import { Facts } from '../look/Facts.js';
import { Problem } from '../look/Problem.js';
import { LoadingRows } from '../look/Table.js';
import { AdminPage } from './AdminPage.js';

const metadataQuery = queryOptions({ queryKey: ['metadata'], queryFn: () => taken(api.GET('/metadata')) });

/** `/admin`: what runs here, and where it is told how it does. */
export function Instance() {
  const { data, error, refetch } = useQuery(metadataQuery);
  return (
    <AdminPage title="Administration" lead="What runs here, who uses it, and what was changed.">
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label="Loading the instance" />}
      {data && (
        <Facts
          facts={[
            ['Version', `${data.service.name} ${data.service.version}`],
            ['Answers as', `version ${data.version} of the public API`],
            ['Revision', data.revision],
            [
              'Health',
              <span key="health">
                <code>/-/readiness?all=1</code> tells it to the addresses that may monitor the service;{' '}
                <code>npm run doctor</code> looks at more.
              </span>,
            ],
          ]}
        />
      )}
    </AdminPage>
  );
}
