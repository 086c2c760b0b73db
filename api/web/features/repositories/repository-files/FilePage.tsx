import type { RefPathParams } from './AtRef.js';
import { blamePath, commitsPath, treePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { formatBytes } from '../../../ui/format-bytes.js';
import { ApiProblem } from '../../../data/problem.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Page } from '../../../ui/Page.js';
import { usePageActions } from '../../../app/palette/page-actions.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows } from '../../../ui/Table.js';
import { AtRef, WhereInTree } from './AtRef.js';
import type { RefLocation } from './AtRef.js';
import styles from './AtRef.module.css';
import { MARKDOWN } from './content.js';
import { FileContent } from './FileContent.js';
import { fileQuery, treeQuery } from './queries.js';
import { pictureFrom, getRaw } from './raw.js';
import { LastCommit } from './Tree.js';

/**
 * `/<project>/-/blob/<ref>/<path>`: a file of the repository; Markdown is rendered unless `?plain=1` requests its
 * source.
 */
export default function FilePage(location: RefPathParams) {
  return <AtRef {...location}>{(at) => <FileView key={at.file} at={at} />}</AtRef>;
}

function FileView({ at }: { at: RefLocation }) {
  const [search] = useSearchParams();
  const plain = search.get('plain') === '1';
  const isMarkdown = MARKDOWN.test(at.file);
  const { data, error, refetch } = useQuery(fileQuery(at.path, at, isMarkdown && !plain));
  const pictureAt = useMemo(() => pictureFrom(at.path, { ref: at.ref, file: at.file }), [at.path, at.ref, at.file]);
  const blame = blamePath(at.path, `${at.ref}/${at.file}`);
  const history = commitsPath(at.path, `${at.ref}/${at.file}`);
  usePageActions([
    { label: 'Blame of this file', to: blame },
    { label: 'History of this file', to: history },
    { label: `Copy the path ${at.file}`, copy: at.file },
  ]);
  return (
    <Page
      title={at.file.slice(at.file.lastIndexOf('/') + 1)}
      lead={data && formatBytes(data.size)}
      action={
        <div className={styles.actions}>
          {isMarkdown && <ButtonLink to={plain ? '?' : '?plain=1'}>{plain ? 'Preview' : 'Source'}</ButtonLink>}
          <ButtonLink to={blame}>Blame</ButtonLink>
          <ButtonLink to={history}>History</ButtonLink>
          <ButtonLink to={getRaw(at.path, at)} reloadDocument>
            Raw
          </ButtonLink>
        </div>
      }
    >
      <WhereInTree at={at} page="blob" />
      <LastCommit at={at} />
      {error && <OrFolder at={at} error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label="Loading the file" rows={8} />}
      {data && <FileContent name={at.file} text={data.text} html={data.html} pictureAt={pictureAt} />}
    </Page>
  );
}

const NOT_FOUND = 404;

/** Links in texts do not distinguish files from folders: a path that is not a file may be a folder. */
function OrFolder({ at, error, retry }: { at: RefLocation; error: Error; retry: () => void }) {
  const absent = error instanceof ApiProblem && error.status === NOT_FOUND;
  const folder = useQuery({ ...treeQuery(at.path, at, 1), enabled: absent, retry: false });
  if (absent && folder.isPending) return <LoadingRows label="Loading the folder" rows={8} />;
  if (folder.data && folder.data.rows.length > 0)
    return <Navigate to={treePath(at.path, `${at.ref}/${at.file}`)} replace />;
  return <LoadError what="Repositories" error={error} retry={retry} />;
}
