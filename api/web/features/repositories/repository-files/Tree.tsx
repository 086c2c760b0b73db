import type { RefPathParams } from './AtRef.js';
import { commitPath, commitsPath, filePath, treePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { File as FileIcon, Folder, Package } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import type { Schemas } from '#api';
import { ButtonLink } from '../../../ui/Button.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { usePageActions } from '../../../app/palette/page-actions.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import rows from '../../../ui/Rows.module.css';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { AtRef, WhereInTree } from './AtRef.js';
import type { RefLocation } from './AtRef.js';
import styles from './AtRef.module.css';
import { lastCommitQuery, treeQuery } from './queries.js';

type Entry = Schemas['TreeEntry'];

/** `/<project>/-/tree/<ref>/<path>`: what lies in a folder of the repository. */
export default function Tree(location: RefPathParams) {
  return <AtRef {...location}>{(at) => <TreeView at={at} />}</AtRef>;
}

function TreeView({ at }: { at: RefLocation }) {
  const page = pageIn(useSearchParams()[0]);
  const { path, ref, file } = at;
  const history = commitsPath(path, file === '' ? ref : `${ref}/${file}`);
  usePageActions([{ label: 'History of these files', to: history }]);
  return (
    <Page
      title={file === '' ? 'Files' : file.slice(file.lastIndexOf('/') + 1)}
      action={<ButtonLink to={history}>History</ButtonLink>}
    >
      <WhereInTree at={at} page="tree" />
      <LastCommit at={at} />
      <RecordList
        title="Files"
        query={useQuery(treeQuery(path, at, page))}
        keyOf={({ path: name }) => name}
        columns={[{ title: 'Name', cell: (entry) => <Name at={at} entry={entry} /> }]}
        empty="This folder is empty."
      />
    </Page>
  );
}

/** Details of a git mode beyond the type. */
function getMore({ type, mode }: Entry): string | null {
  if (type === 'commit') return 'submodule';
  if (mode === '120000') return 'symbolic link';
  return mode === '100755' ? 'executable' : null;
}

const ICONS = { tree: Folder, blob: FileIcon, commit: Package };

function Name({ at: { path, ref }, entry }: { at: RefLocation; entry: Entry }) {
  const { name, path: file, type } = entry;
  const more = getMore(entry);
  const Icon = ICONS[type];
  const label = <UnbrokenText>{name}</UnbrokenText>;
  return (
    <span className={styles.entry}>
      <Icon size={16} aria-hidden />
      {type === 'tree' && <span className="hidden">Folder</span>}
      {type === 'commit' ? (
        <span>{label}</span>
      ) : (
        <Link to={(type === 'tree' ? treePath : filePath)(path, `${ref}/${file}`)}>{label}</Link>
      )}
      {more !== null && <span className={rows.quiet}>{more}</span>}
    </span>
  );
}

/** The author of the last commit that changed the displayed file or folder. */
export function LastCommit({ at }: { at: RefLocation }) {
  const { data: commit } = useQuery(lastCommitQuery(at.path, at));
  if (!commit) return null;
  return (
    <div className={styles.last}>
      <Link to={commitPath(at.path, commit.id)}>
        <UnbrokenText>{commit.title === '' ? commit.short_id : commit.title}</UnbrokenText>
      </Link>
      <span>
        <UnbrokenText>{commit.author_name}</UnbrokenText> <Time at={commit.committed_date} />
      </span>
    </div>
  );
}
