import { packagesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearchParams } from 'react-router';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { SearchForm } from '../../../app/forms/SearchForm.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { packagesQuery } from './queries.js';

/** `/<project>/-/packages`: files that programs published under a name and version. */
export default function Packages({ path }: { path: string }) {
  const [search] = useSearchParams();
  const name = search.get('search') ?? '';
  const said = (useLocation().state as { said?: string } | null)?.said ?? '';
  return (
    <Page title="Packages" lead="Published packages, newest first.">
      <Said>{said}</Said>
      <SearchForm label="Find a package" />
      <RecordList
        title="Packages"
        query={useQuery(packagesQuery(path, name, pageIn(search)))}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Package',
            cell: ({ id, name: label }) => (
              <Link className={rows.name} to={packagesPath(path, id)}>
                <UnbrokenText>{label}</UnbrokenText>
              </Link>
            ),
          },
          { title: 'Version', cell: ({ version }) => <UnbrokenText>{version}</UnbrokenText> },
          { title: 'Type', cell: ({ package_type: type }) => type },
          { title: 'Published', cell: ({ created_at: at }) => <Time at={at} /> },
          {
            title: 'Last downloaded',
            cell: ({ last_downloaded_at: at }) => (at === null ? 'never' : <Time at={at} />),
          },
        ]}
        empty={name === '' ? 'No packages yet. Publish and fetch packages through the API.' : 'No matching packages.'}
        action={name === '' && <a href="/-/api-docs#/Packages/publishGenericFile">How to publish a package</a>}
      />
    </Page>
  );
}
