import { packagesPath, pipelinesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Schemas } from '#api';
import { formatBytes } from '../../../ui/format-bytes.js';
import { Button } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { DetailList } from '../../../ui/DetailList.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page, Section } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useMayWrite } from '../../../data/member-rights.js';
import { Absent } from '../../../app/problems/Absent.js';
import { packageFilesQuery, packageQuery, useDeletePackage } from './queries.js';

type Package = Schemas['PackageDetails'];

const MAINTAINER = 40;

/** `/<project>/-/packages/<id>`: one version of a package, its files, and its other versions. */
export default function PackagePage({ path, id }: { path: string; id: number }) {
  const { data: found, error, refetch } = useQuery(packageQuery(path, id));
  if (error && !found) return <Absent what="Packages" error={error} retry={() => void refetch()} />;
  if (!found)
    return (
      <Page title={`Package #${id}`}>
        <LoadingRows label="Loading the package" rows={6} />
      </Page>
    );
  const { versions } = found;
  return (
    <Page title={`${found.name} ${found.version}`} action={<Deletion path={path} found={found} />}>
      <DetailList
        details={[
          ['Type', found.package_type],
          ['Published', <Time key="published" at={found.created_at} />],
          [
            'Last downloaded',
            found.last_downloaded_at ? <Time key="downloaded" at={found.last_downloaded_at} /> : 'never',
          ],
          [
            'Pipeline',
            found.pipeline ? (
              <Link key="pipeline" to={pipelinesPath(path, found.pipeline.id)}>
                #{found.pipeline.id}
              </Link>
            ) : (
              'none'
            ),
          ],
        ]}
      />
      <Section title="Files">
        <Files path={path} found={found} />
      </Section>
      {versions.length > 0 && (
        <Section title="Other versions">
          <p className={rows.scopes}>
            {versions.map((other) => (
              <Link key={other.id} to={packagesPath(path, other.id)}>
                <UnbrokenText>{other.version}</UnbrokenText>
              </Link>
            ))}
          </p>
        </Section>
      )}
    </Page>
  );
}

/** Where the API sends a file of a generic package. */
const getFile = (path: string, { name, version }: Package, file: string): string => {
  const [id, ...below] = [path, name, version, file].map(encodeURIComponent);
  return `/api/v4/projects/${id}/packages/generic/${below.join('/')}`;
};

function Files({ path, found }: { path: string; found: Package }) {
  const page = pageIn(useSearchParams()[0]);
  return (
    <RecordList
      title="Files"
      query={useQuery(packageFilesQuery(path, found.id, page))}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'File',
          cell: ({ file_name: name }) => (
            <a className={rows.name} href={getFile(path, found, name)} download={name}>
              <UnbrokenText>{name}</UnbrokenText>
            </a>
          ),
        },
        { title: 'Size', cell: ({ size }) => formatBytes(size) },
        {
          title: 'SHA-256',
          cell: ({ file_sha256: digest }) => (
            <code>
              <UnbrokenText>{digest}</UnbrokenText>
            </code>
          ),
        },
        { title: 'Published', cell: ({ created_at: at }) => <Time at={at} /> },
      ]}
      empty="No files."
    />
  );
}

function Deletion({ path, found: { id, name, version } }: { path: string; found: Package }) {
  const mayDelete = useMayWrite({ kind: 'project', path }, MAINTAINER);
  const deletion = useDeletePackage(path, id);
  const [confirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  if (!mayDelete) return null;
  return (
    <>
      <Button kind="quiet" onClick={() => setConfirming(true)}>
        Delete
      </Button>
      {confirming && (
        <Confirm
          title={`Delete ${name} ${version}?`}
          does="Delete"
          danger
          busy={deletion.isPending}
          problem={deletion.error}
          onClose={() => setConfirming(false)}
          onConfirm={() =>
            deletion.mutate(undefined, {
              onSuccess: () =>
                void navigate(packagesPath(path), {
                  state: { said: `The package ${name} ${version} was deleted.` },
                }),
            })
          }
        >
          <p>This deletes the package and its files. Programs can no longer fetch this version.</p>
        </Confirm>
      )}
    </>
  );
}
