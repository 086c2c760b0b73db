import { recordPath, snippetsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import { formatBytes } from '../../../ui/format-bytes.js';
import { useLive } from '../../../data/live.js';
import { snippetNotes } from './snippet-notes.js';
import { ThreadsForSignedIn } from '../../notes/discussions/index.js';
import { CopyButton } from '../../../ui/CopyButton.js';
import { Empty } from '../../../ui/Empty.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Html } from '../../../ui/Html.js';
import { Card, Page, Section } from '../../../ui/Page.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { FileContent } from '../../repositories/repository-files/index.js';
import { useSession } from '../../../data/session.js';
import { EditSnippet } from './EditSnippet.js';
import { getLiveQueries, snippetQuery } from './queries.js';
import type { SnippetDetails } from './queries.js';
import { SnippetActions } from './SnippetActions.js';

/** `…/-/snippets/<id>`: one snippet with its files. `?edit=1` shows its form. */
export default function SnippetPage({ project, id }: { project: string | null; id: number }) {
  const session = useSession().data;
  const signedIn = Boolean(session?.user);
  const found = useQuery({ ...snippetQuery(project, id, signedIn), enabled: session !== undefined });
  useLive(project !== null && found.data ? { project } : null, getLiveQueries(project ?? ''));
  const loadError = found.error && <LoadError what="Snippets" error={found.error} retry={() => void found.refetch()} />;
  if (!found.data)
    return (
      <Page title="Snippet" lead={project === null ? undefined : <UnbrokenText>{project}</UnbrokenText>}>
        {loadError ?? <LoadingRows label="Loading snippet" rows={6} />}
      </Page>
    );
  // The API also finds project snippets by their id alone: their page belongs to the project.
  if (project === null && found.data.project_id !== null)
    return <Navigate to={recordPath(found.data.web_url)} replace />;
  return <SnippetView project={project} snippet={found.data} loadError={loadError} />;
}

interface SnippetViewProps {
  project: string | null;
  snippet: SnippetDetails;
  /** Of looking again. */
  loadError: React.ReactNode;
}

function SnippetView({ project, snippet, loadError }: SnippetViewProps) {
  const [search, setSearch] = useSearchParams();
  const arrived = (useLocation().state as { said?: string } | null)?.said ?? '';
  const [said, setSaid] = useState(arrived);
  const editing = snippet.extras.userPermissions.updateSnippet && search.has('edit');
  return (
    <Page title={snippet.title} lead={<Lead project={project} snippet={snippet} />}>
      <Said>{editing ? '' : said}</Said>
      {loadError}
      {editing ? (
        <EditSnippet
          project={project}
          snippet={snippet}
          onDone={(message) => {
            setSaid(message);
            setSearch({}, { replace: true });
          }}
        />
      ) : (
        <>
          <SnippetActions project={project} snippet={snippet} />
          <SnippetSummary snippet={snippet} />
          {snippet.extras.descriptionHtml && (
            <Section title="Description">
              <Card>
                <Html label={`Description of ${snippet.title}`} html={snippet.extras.descriptionHtml} />
              </Card>
            </Section>
          )}
          <Files snippet={snippet} />
          {project !== null && <ThreadsForSignedIn of={snippetNotes(project, snippet.id)} />}
        </>
      )}
    </Page>
  );
}

function Lead({ project, snippet: { id, author, created_at: at } }: Omit<SnippetViewProps, 'loadError'>) {
  return (
    <>
      <Link to={snippetsPath(project)}>
        <UnbrokenText>{project === null ? 'Your snippets' : `Snippets in ${project}`}</UnbrokenText>
      </Link>{' '}
      · ${id}, created <Time at={at} /> by <UnbrokenText>{author?.name ?? 'Deleted user'}</UnbrokenText>
    </>
  );
}

function SnippetSummary({
  snippet: { visibility, updated_at: at, http_url_to_repo: url },
}: {
  snippet: SnippetDetails;
}) {
  return (
    <DetailList
      details={[
        ['Visibility', visibility],
        ['Updated', <Time key="changed" at={at} />],
        [
          'Clone',
          <span key="clone">
            <code>
              <UnbrokenText>{url}</UnbrokenText>
            </code>{' '}
            <CopyButton text={url} label="Copy clone URL" quiet />
          </span>,
        ],
      ]}
    />
  );
}

/** Each file as it reads, and the way to it as it is. */
function Files({ snippet: { blobs, files } }: { snippet: SnippetDetails }) {
  if (blobs.length === 0) return <Empty>This snippet has no files.</Empty>;
  const getRaw = (path: string) => files.find((file) => file.path === path)?.raw_url;
  return blobs.map(({ path, size, rawPlainData: text, html }, index) => (
    <Section
      key={path}
      title={path}
      aside={
        <>
          {formatBytes(size)} · <Raw path={path} url={getRaw(path)} />
        </>
      }
    >
      <FileContent name={`Content of ${path}`} text={text} html={html} anchor={index === 0 ? 'L' : `${index + 1}-L`} />
    </Section>
  ));
}

function Raw({ path, url }: { path: string; url: string | undefined }) {
  return (
    url && (
      <a href={recordPath(url)} aria-label={`Raw content of ${path}`}>
        Raw
      </a>
    )
  );
}
