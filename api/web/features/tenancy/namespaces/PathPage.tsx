import { useQuery } from '@tanstack/react-query';
import { page } from '../../../ui/later.js';
import { pathKindQuery } from '../../../data/path-kind.js';
import { Page } from '../../../ui/Page.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Absent } from '../../../app/problems/Absent.js';
import { NotFound } from '../../../app/problems/NotFound.js';
import { projectQuery } from '../../../data/containers.js';

const ProjectPage = page(() => import('../projects/ProjectPage.js'));
const GroupPage = page(() => import('../groups/GroupPage.js'));
const UserPage = page(() => import('../users/UserPage.js'));

/** `/<full path>`: the project, group or user of that path. */
export default function PathPage({ path }: { path: string }) {
  const { data, error, isPending, refetch } = useQuery(pathKindQuery(path));
  if (error) return <Absent what="Projects" error={error} retry={() => void refetch()} />;
  if (isPending)
    return (
      <Page title={path}>
        <LoadingRows label="Loading the page" rows={6} />
      </Page>
    );
  if (data === 'project') return <ProjectPage path={path} />;
  if (data === 'group') return <GroupPage path={path} />;
  return data === 'user' ? <UserPage username={path} /> : <Unnamed path={path} />;
}

/**
 * A path that is not visible to the user: one more request is made, so that its error and request id can be displayed.
 */
function Unnamed({ path }: { path: string }) {
  const { error, data, isPending, refetch } = useQuery({ ...projectQuery(path), retry: false });
  if (isPending) return null;
  if (data) return <ProjectPage path={path} />;
  return error ? <Absent what="Projects" error={error} retry={() => void refetch()} /> : <NotFound />;
}
