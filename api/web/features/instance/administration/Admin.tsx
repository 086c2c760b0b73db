import type { ReactElement } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { page } from '../../../ui/later.js';
import { AuditEvents } from '../audit-events/index.js';
import { NotFound } from '../../../app/problems/NotFound.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
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
        empty="No group has such a name."
      />
    </AdminPage>
  );
}

const ApplicationSettings = page(() => import('./ApplicationSettings.js'));
const Health = page(() => import('./Health.js'));

function pageOf(page: string | undefined, id: string | undefined): ReactElement {
  if (page === 'users' && id === 'new') return <NewUser />;
  if (page === 'users' && id !== undefined) return <UserAdmin key={id} username={id} />;
  if (id !== undefined) return <NotFound />;
  switch (page) {
    case undefined:
      return <Instance />;
    case 'users':
      return <Users />;
    case 'groups':
      return <AllGroups />;
    case 'applications':
      return <Applications />;
    case 'audit_logs':
      return (
        <AdminPage title="Audit log" lead="Changes of rights and rules in the whole instance, the newest first.">
          <AuditEvents of={{ kind: 'instance' }} />
        </AdminPage>
      );
    case 'application_settings':
      return <ApplicationSettings key="application" of="application" />;
    case 'limits':
      return <ApplicationSettings key="limits" of="limits" />;
    case 'health':
      return <Health />;
    default:
      return <NotFound />;
  }
}

/** `/admin` and below: the instance, for administrators; auditors see its audit log and its jobs. */
export default function Admin() {
  const { page, id } = useParams();
  return <SignedIn>{(person) => (person.is_admin || person.is_auditor ? pageOf(page, id) : <NotFound />)}</SignedIn>;
}
