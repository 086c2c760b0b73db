import { commitPath, comparePath, treePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { pageIn } from '../../../app/routing/list-address.js';
import rows from '../../../ui/Rows.module.css';
import { State } from '../../../ui/State.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { projectQuery } from '../../../data/containers.js';
import { branchesQuery } from './queries.js';
import type { Branch } from './queries.js';
import { RefList } from './RefList.js';
import { useMayPush } from '../../../data/branch-rights.js';

/** `/<project>/-/branches`: its branches, with their last commit. */
export default function Branches({ path }: { path: string }) {
  const [search] = useSearchParams();
  const mayPush = useMayPush(path);
  return (
    <RefList
      path={path}
      kind="branch"
      title="Branches"
      query={useQuery(branchesQuery(path, search.get('search') ?? '', pageIn(search)))}
      mayCreate={mayPush}
      mayDelete={(branch) => mayPush && !branch.default && !branch.protected}
      columns={[
        { title: 'Branch', cell: (branch) => <Name path={path} branch={branch} /> },
        {
          title: 'Last commit',
          cell: ({ commit }) =>
            commit && (
              <Link to={commitPath(path, commit.id)}>
                <UnbrokenText>{commit.title === '' ? commit.short_id : commit.title}</UnbrokenText>
              </Link>
            ),
        },
        { title: 'When', cell: ({ commit }) => commit && <Time at={commit.committed_date} /> },
        { title: 'State', cell: getState },
        { title: 'Compare', cell: (branch) => <Beyond path={path} branch={branch} /> },
      ]}
      empty="No branches yet. Push a commit to create one."
    />
  );
}

function getState({ default: isDefault, protected: isProtected, merged }: Branch) {
  const labels = [isDefault && 'default', isProtected && 'protected', merged && !isDefault && 'merged'].filter(Boolean);
  return labels.length > 0 && <State tone="quiet">{labels.join(', ')}</State>;
}

/** The commits of a branch that the default branch does not contain. */
function Beyond({ path, branch: { name, default: isDefault } }: { path: string; branch: Branch }) {
  const from = useQuery(projectQuery(path)).data?.default_branch;
  if (isDefault || from === undefined) return null;
  return (
    <Link to={comparePath(path, { from, to: name, straight: false })} aria-label={`Compare ${name} with ${from}`}>
      <UnbrokenText>{`with ${from}`}</UnbrokenText>
    </Link>
  );
}

function Name({ path, branch: { name } }: { path: string; branch: Branch }) {
  return (
    <Link className={rows.name} to={treePath(path, name)}>
      <UnbrokenText>{name}</UnbrokenText>
    </Link>
  );
}
