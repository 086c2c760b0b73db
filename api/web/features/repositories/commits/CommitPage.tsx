import { commitPath, mergeRequestsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { CommitDetails } from '../../../data/api.js';
import { FileDiffs } from '../diffs/index.js';
import { Code } from '../../../ui/Code.js';
import { DetailList } from '../../../ui/DetailList.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page, Section } from '../../../ui/Page.js';
import { PageLinks } from '../../../app/lists/PageLinks.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { commitDiffsQuery, commitQuery, requestsOfCommitQuery } from './queries.js';

/** Digits that name a commit for people. */
const SHORT = 8;

interface CommitLocation {
  path: string;
  /** Whole, or its beginning. */
  sha: string;
}

/** `/<project>/-/commit/<sha>`: the message, author and changes of one commit. */
export default function CommitPage({ path, sha }: { path: string; sha: string }) {
  const found = useQuery(commitQuery(path, sha));
  const commit = found.data;
  if (!commit)
    return (
      <Page title={`Commit ${sha.slice(0, SHORT)}`} lead={<UnbrokenText>{path}</UnbrokenText>}>
        {found.error ? (
          <LoadError what="Repositories" error={found.error} retry={() => void found.refetch()} />
        ) : (
          <LoadingRows label="Loading the commit" rows={6} />
        )}
      </Page>
    );
  return (
    <Page
      title={commit.title === '' ? `Commit ${commit.short_id}` : commit.title}
      lead={<UnbrokenText>{`Commit ${commit.short_id} of ${path}`}</UnbrokenText>}
    >
      <CommitSummary path={path} commit={commit} />
      {commit.message.trim() !== commit.title && (
        <Section title="Message">
          <Code label="Commit message">{commit.message.trimEnd()}</Code>
        </Section>
      )}
      <Section title="Changes">
        <Changes path={path} sha={sha} />
      </Section>
    </Page>
  );
}

function CommitSummary({ path, commit }: { path: string; commit: CommitDetails }) {
  const { author_name: author, committer_name: committer, stats } = commit;
  return (
    <DetailList
      details={[
        [
          'Author',
          <span key="author" title={commit.author_email}>
            <UnbrokenText>{author}</UnbrokenText> <Time at={commit.authored_date} />
          </span>,
        ],
        [
          'Committer',
          <span key="committer" title={commit.committer_email}>
            <UnbrokenText>{committer}</UnbrokenText> <Time at={commit.committed_date} />
          </span>,
        ],
        [
          'Sha',
          <code key="sha">
            <UnbrokenText>{commit.id}</UnbrokenText>
          </code>,
        ],
        [commit.parent_ids.length === 1 ? 'Parent' : 'Parents', <Parents key="parents" path={path} commit={commit} />],
        ['Lines', stats ? `${stats.additions} added, ${stats.deletions} removed` : 'unknown'],
        ['Merge requests', <Requests key="requests" path={path} sha={commit.id} />],
      ]}
    />
  );
}

function Parents({ path, commit: { parent_ids: parents } }: { path: string; commit: CommitDetails }) {
  if (parents.length === 0) return 'none (initial commit)';
  return parents.map((sha) => (
    <span key={sha}>
      <Link to={commitPath(path, sha)}>
        <code>{sha.slice(0, SHORT)}</code>
      </Link>{' '}
    </span>
  ));
}

/** The merge requests that merged it, or would merge it. The list is empty for callers without access to them. */
function Requests({ path, sha }: CommitLocation) {
  const requests = useQuery(requestsOfCommitQuery(path, sha));
  if (requests.error) return 'unavailable';
  if (!requests.data) return '…';
  const { rows, next } = requests.data;
  if (rows.length === 0) return 'none';
  return (
    <>
      {rows.map(({ id, iid, title }) => (
        <span key={id}>
          <Link to={mergeRequestsPath(path, iid)} title={title}>
            !{iid}
          </Link>{' '}
        </span>
      ))}
      {next !== null && 'and more'}
    </>
  );
}

function Changes({ path, sha }: CommitLocation) {
  const page = pageIn(useSearchParams()[0]);
  const diffs = useQuery(commitDiffsQuery(path, sha, page));
  if (diffs.error) return <Problem error={diffs.error} retry={() => void diffs.refetch()} />;
  if (!diffs.data) return <LoadingRows label="Loading changes" rows={6} />;
  return (
    <>
      <FileDiffs files={diffs.data.rows} />
      <PageLinks page={page} next={diffs.data.next} />
    </>
  );
}
