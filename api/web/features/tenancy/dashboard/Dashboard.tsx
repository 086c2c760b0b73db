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
      lead="Your projects, recently active first."
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
            ? 'No projects yet. Projects you create or are added to appear here.'
            : 'No matching projects.'
        }
        action={searched === '' && <Link to={newContainerPath('project')}>Create a project</Link>}
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
      lead="Your groups, by name."
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
            ? 'No groups yet. Groups contain projects, and members have access to all of them.'
            : 'No matching groups.'
        }
        action={searched === '' && <Link to={newContainerPath('group')}>Create a group</Link>}
      />
    </Page>
  );
}
