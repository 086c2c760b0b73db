import { useSearchParams } from 'react-router';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { ButtonLink } from '../../../ui/Button.js';
import type { ApplicationSource } from '../../auth/oauth/index.js';
import { ApplicationList, isAdding } from '../../auth/oauth/index.js';
import { useSession } from '../../../data/session.js';
import { AdminPage } from './AdminPage.js';

const PER_PAGE = 20;

/** The applications of the instance. */
const SOURCE: ApplicationSource = {
  key: ['instance'],
  list: (page) => unwrapPage(api.GET('/applications', { params: { query: { page, per_page: PER_PAGE } } })),
  create: (body) => unwrap(api.POST('/applications', { body })),
  renew: (id) => unwrap(api.POST('/applications/{id}/renew-secret', { params: { path: { id } } })),
  remove: (id) => unwrap(api.DELETE('/applications/{id}', { params: { path: { id } } })),
};

/** `/admin/applications`: programs that people sign in to with their account here. */
export function Applications() {
  const [search] = useSearchParams();
  const mayAct = useSession().data?.user?.is_admin ?? false;
  return (
    <AdminPage
      title="Applications"
      lead="OAuth applications of this instance. Users sign in to them with their account."
      action={mayAct && !isAdding(search) && <ButtonLink to="?new=1">New application</ButtonLink>}
    >
      <ApplicationList
        source={SOURCE}
        title="Applications"
        mayAct={mayAct}
        empty="No applications yet. Users can create their own applications in their settings."
      />
    </AdminPage>
  );
}
