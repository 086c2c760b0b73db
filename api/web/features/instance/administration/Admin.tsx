import { useSearchParams } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { AuditEvents } from '../audit-events/index.js';
import { groupColumns } from '../../tenancy/groups/index.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { SearchForm } from '../../../app/forms/SearchForm.js';
import { AdminPage } from './AdminPage.js';
import { Applications } from './Applications.js';
import { Instance } from './Instance.js';
import { NewUser } from './NewUser.js';
import { Users } from './Users.js';
import { UserAdmin } from './UserAdmin.js';
import { allGroupsQuery } from './queries.js';

/** `/admin/groups`: every group of the instance. */
function AllGroups() {
  const [search] = useSearchParams();
  return (
    <AdminPage title="Groups">
      <SearchForm label="Find a group" />
      <RecordList
        title="Groups"
        query={useQuery(allGroupsQuery(search.get('search') ?? '', pageIn(search)))}
        keyOf={({ id }) => id}
        columns={groupColumns}
        empty="No matching groups."
      />
    </AdminPage>
  );
}

/** `/admin/audit_logs`. */
const AuditLog = () => (
  <AdminPage title="Audit log" lead="Changes to permissions and rules across the instance, newest first.">
    <AuditEvents of={{ kind: 'instance' }} />
  </AdminPage>
);

interface AdminProps {
  page: 'overview' | 'users' | 'new_user' | 'user' | 'groups' | 'applications' | 'audit_log';
  /** Of the page of a user. */
  username?: string;
}

/** `/admin` and below: the instance, for administrators; auditors see its audit log and its jobs. */
export default function Admin({ page, username = '' }: AdminProps) {
  switch (page) {
    case 'users':
      return <Users />;
    case 'new_user':
      return <NewUser />;
    case 'user':
      return <UserAdmin key={username} username={username} />;
    case 'groups':
      return <AllGroups />;
    case 'applications':
      return <Applications />;
    case 'audit_log':
      return <AuditLog />;
    default:
      return <Instance />;
  }
}
