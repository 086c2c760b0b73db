import { commitPath, treePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { pageIn } from '../../../app/routing/list-address.js';
import rows from '../../../ui/Rows.module.css';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { tagsQuery } from './queries.js';
import type { Tag } from './queries.js';
import { RefList } from './RefList.js';
import { useMayPush } from '../../../data/branch-rights.js';

/** `/<project>/-/tags`: its tags, with what they say and the commit that they name. */
export default function Tags({ path }: { path: string }) {
  const [search] = useSearchParams();
  const mayPush = useMayPush(path);
  return (
    <RefList
      path={path}
      kind="tag"
      title="Tags"
      query={useQuery(tagsQuery(path, search.get('search') ?? '', pageIn(search)))}
      mayCreate={mayPush}
      mayDelete={(tag) => mayPush && !tag.protected}
      columns={[
        { title: 'Tag', cell: (tag) => <Name path={path} tag={tag} /> },
        {
          title: 'Commit',
          cell: ({ commit }) =>
            commit && (
              <Link to={commitPath(path, commit.id)}>
                <UnbrokenText>{commit.title === '' ? commit.short_id : commit.title}</UnbrokenText>
              </Link>
            ),
        },
        {
          title: 'When',
          cell: ({ created_at: at, commit }) => (at ?? commit) && <Time at={at ?? commit?.committed_date ?? ''} />,
        },
        { title: 'State', cell: ({ protected: isProtected }) => isProtected && 'protected' },
      ]}
      empty="No tags yet. Use tags to mark commits, such as releases."
    />
  );
}

function Name({ path, tag: { name, message } }: { path: string; tag: Tag }) {
  return (
    <>
      <Link className={rows.name} to={treePath(path, name)}>
        <UnbrokenText>{name}</UnbrokenText>
      </Link>
      {message && (
        <span className={rows.quiet}>
          <UnbrokenText>{message}</UnbrokenText>
        </span>
      )}
    </>
  );
}
