import { newContainerPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { groupColumns, projectColumns, ownGroupsQuery, ownProjectsQuery } from '../groups/index.js';
import { ButtonLink } from '../../../ui/Button.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { SearchForm } from '../../../app/forms/SearchForm.js';
import { SignedIn } from '../../../app/session/SignedIn.js';

/** `/dashboard/projects` and `/dashboard/groups`: the user's projects or groups. */
export default function Dashboard({ of }: { of: 'projects' | 'groups' }) {
  return <SignedIn>{() => (of === 'projects' ? <ProjectList /> : <GroupList />)}</SignedIn>;
}

function ProjectList() {
  const [search] = useSearchParams();
  const searched = search.get('search') ?? '';
  return (
    <Page
      title="Projects"
      lead="Those that you are a member of, the most recently active first."
      action={<ButtonLink to={newContainerPath('project')}>New project</ButtonLink>}
    >
      <SearchForm label="Find a project" />
      <RecordList
        title="Projects"
        query={useQuery(ownProjectsQuery(searched, pageIn(search)))}
        keyOf={({ id }) => id}
        columns={projectColumns}
        empty={
          searched === ''
            ? 'No projects yet. Those that you make or are added to appear here.'
            : 'No project has such a name.'
        }
        action={searched === '' && <Link to={newContainerPath('project')}>Make the first project</Link>}
      />
    </Page>
  );
}

function GroupList() {
  const [search] = useSearchParams();
  const searched = search.get('search') ?? '';
  return (
    <Page
      title="Groups"
      lead="Those that you belong to, by name."
      action={<ButtonLink to={newContainerPath('group')}>New group</ButtonLink>}
    >
      <SearchForm label="Find a group" />
      <RecordList
        title="Groups"
        query={useQuery(ownGroupsQuery(searched, pageIn(search)))}
        keyOf={({ id }) => id}
        columns={groupColumns}
        empty={
          searched === ''
            ? 'No groups yet. A group holds projects, and gives people a role in all of them.'
            : 'No group has such a name.'
        }
        action={searched === '' && <Link to={newContainerPath('group')}>Make the first group</Link>}
      />
    </Page>
  );
}
