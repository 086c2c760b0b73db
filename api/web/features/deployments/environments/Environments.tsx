import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { environmentColumns } from './environment-columns.js';
import styles from './Environments.module.css';
import { environmentsQuery, getLiveQueries } from './queries.js';
import { Waiting } from './Waiting.js';

/** `/<project>/-/environments`: the environments of a project and their deployments, a page at a time. */
export default function Environments({ path }: { path: string }) {
  const [search] = useSearchParams();
  const stopped = search.get('state') === 'stopped';
  const found = useQuery(environmentsQuery(path, { stopped, after: search.get('after') }));
  const { data } = found;
  useLive(data ? { project: path } : null, getLiveQueries(path));
  const to = (state: string, after?: string) => `?${new URLSearchParams({ state, ...(after ? { after } : {}) })}`;
  return (
    <Page title="Environments" lead={<UnbrokenText>{data?.name ?? path}</UnbrokenText>}>
      {found.error && <Problem error={found.error} retry={() => void found.refetch()} />}
      {(data || !found.error) && (
        <>
          <LinkTabs
            label="Environments by state"
            tabs={[
              { to: to('available'), label: 'Available', current: !stopped },
              { to: to('stopped'), label: 'Stopped', current: stopped },
            ]}
          />
          {found.isPending && <LoadingRows label="Loading environments" rows={6} />}
          {data && <Waiting path={path} environments={data.rows} />}
          {data?.rows.length === 0 && <NoEnvironments stopped={stopped} />}
          {data && data.rows.length > 0 && (
            <Table
              caption={`Environments, ${stopped ? 'stopped' : 'available'}`}
              rows={data.rows}
              keyOf={({ id }) => id}
              columns={environmentColumns(path)}
            />
          )}
          {data?.next && (
            <nav className={styles.pages} aria-label="Pages">
              <ButtonLink to={to(stopped ? 'stopped' : 'available', data.next)}>Next</ButtonLink>
            </nav>
          )}
        </>
      )}
    </Page>
  );
}

function NoEnvironments({ stopped }: { stopped: boolean }) {
  if (stopped) return <Empty>No stopped environments.</Empty>;
  return (
    <Empty action={<a href="/-/api-docs#/Deployments/createDeployment">Create a deployment with the API</a>}>
      No environments. Environments are where your code is deployed, such as production.
    </Empty>
  );
}
