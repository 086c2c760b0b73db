import { useSession } from '../../../data/session.js';
import { useMenu } from '../../../app/routing/menu.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Page } from '../../../ui/Page.js';
import { Runners } from '../runners/index.js';
import { Variables } from '../variables/index.js';

const INSTANCE = { kind: 'instance', id: '' } as const;

/** `/admin/runners` and `/admin/ci_variables`: what serves the jobs of all projects. */
export default function AdminCi({ page }: { page: 'runners' | 'variables' }) {
  const mayAct = useSession().data?.user?.is_admin ?? false;
  const tabs = useMenu('admin');
  return (
    <Page
      title={page === 'runners' ? 'Runners' : 'CI/CD variables'}
      lead={page === 'runners' ? 'All runners of this instance.' : 'Variables for the jobs of all projects.'}
    >
      <LinkTabs label="Administration" tabs={tabs} />
      {page === 'runners' ? (
        <Runners owner={INSTANCE} open={mayAct} mayChange={() => mayAct}>
          A runner that is created here serves all projects.
        </Runners>
      ) : (
        <Variables owner={INSTANCE} open={mayAct}>
          Those of the same key of groups and projects come before them.
        </Variables>
      )}
    </Page>
  );
}
