import type { Comparison } from '../../../app/routing/paths.js';
import { newMergeRequestPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Schemas } from '#api';
import { useMayPush } from '../../../data/branch-rights.js';
import { commitColumns } from '../commits/index.js';
import { FileDiffs } from '../diffs/index.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Section } from '../../../ui/Page.js';
import { PageLinks } from '../../../app/lists/PageLinks.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { comparisonQuery } from './queries.js';

/** Commits that are drawn before somebody asks for all, and files on a page. */
const COMMITS = 50;
const FILES = 20;

/** The commits that one ref has beyond another one, and how files differ. */
export function ComparisonView({ path, compared }: { path: string; compared: Comparison }) {
  const { data, error, refetch } = useQuery(comparisonQuery(path, compared));
  if (error) return <LoadError what="Repositories" error={error} retry={() => void refetch()} />;
  if (!data) return <LoadingRows label="Comparing" rows={8} />;
  const { from, to } = compared;
  if (data.compare_same_ref)
    return (
      <Empty>
        <UnbrokenText>{`${from} and ${to}`}</UnbrokenText> point to the same commit.
      </Empty>
    );
  return (
    <>
      {data.compare_timeout && <p>This comparison is too large to display in full. Use git to see the rest.</p>}
      <Commits path={path} compared={compared} commits={data.commits} />
      <Files files={data.diffs} />
    </>
  );
}

interface CommitsProps {
  path: string;
  compared: Comparison;
  /** The oldest first. */
  commits: readonly Schemas['Commit'][];
}

function Commits({ path, compared: { from, to }, commits }: CommitsProps) {
  const [whole, setWhole] = useState(false);
  const mayPush = useMayPush(path);
  const rows = commits.toReversed();
  const branches = new URLSearchParams({
    'merge_request[source_branch]': to,
    'merge_request[target_branch]': from,
  });
  return (
    <Section title={`Commits (${rows.length.toLocaleString('en')})`}>
      {rows.length === 0 ? (
        <Empty>
          No commits: <UnbrokenText>{`${from} is up to date with ${to}`}</UnbrokenText>.
        </Empty>
      ) : (
        <Table
          caption="Commits, newest first"
          rows={whole ? rows : rows.slice(0, COMMITS)}
          keyOf={({ id }) => id}
          columns={commitColumns(path)}
        />
      )}
      {!whole && rows.length > COMMITS && (
        <div>
          <Button onClick={() => setWhole(true)}>Show all {rows.length.toLocaleString('en')}</Button>
        </div>
      )}
      {rows.length > 0 && mayPush && (
        <div>
          <ButtonLink to={`${newMergeRequestPath(path)}?${branches}`}>Create merge request</ButtonLink>
        </div>
      )}
    </Section>
  );
}

function Files({ files }: { files: readonly Schemas['FileDiff'][] }) {
  const page = pageIn(useSearchParams()[0]);
  const pageFiles = files.slice((page - 1) * FILES, page * FILES);
  return (
    <Section title={`Changes (${files.length.toLocaleString('en')})`}>
      <FileDiffs files={pageFiles} />
      <PageLinks page={page} next={page * FILES < files.length ? page + 1 : null} />
    </Section>
  );
}
