import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { groupColumns } from '../groups/project-columns.js';
import { pageIn } from '../ui/list-address.js';
import { RecordList } from '../ui/RecordList.js';
import { SearchForm } from '../ui/SearchForm.js';
import { AdminPage } from './AdminPage.js';
import { allGroupsQuery } from './queries.js';

/** `/admin/groups`: every group of the instance. */
export function AllGroups() {
  const [search] = useSearchParams();
  return (
    <AdminPage title="Groups">
      <SearchForm label="Find a group" />
      <RecordList
        title="Groups"
        query={useQuery(allGroupsQuery(search.get('search') ?? '', pageIn(search)))}
        keyOf={({ id }) => id}
        columns={groupColumns}
        empty="No group has such a name."
      />
    </AdminPage>
  );
}
