import { HelpLink } from '../../../app/shell/HelpLink.js';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { AllSettings } from '../../tenancy/settings/index.js';
import type { Values } from '../../tenancy/settings/index.js';
import { AdminPage } from './AdminPage.js';

/** The settings of the instance, in two resources of the API. */
const RESOURCES = {
  application: {
    title: 'Settings',
    lead: 'Settings of the whole instance. Changes apply within a second.',
    query: queryOptions({
      queryKey: ['admin', 'settings', 'application'],
      queryFn: () => unwrap(api.GET('/application/settings')) as Promise<unknown> as Promise<Values>,
    }),
    save: (changes: Values) =>
      unwrap(api.PUT('/application/settings', { body: changes as never })) as Promise<unknown> as Promise<Values>,
  },
  limits: {
    title: 'Limits',
    lead: 'Limits of projects. 0 is unlimited. Rate limits are part of the settings.',
    query: queryOptions({
      queryKey: ['admin', 'settings', 'limits'],
      queryFn: () => unwrap(api.GET('/application/plan_limits')) as Promise<unknown> as Promise<Values>,
    }),
    save: (changes: Values) =>
      unwrap(
        api.PUT('/application/plan_limits', { body: { plan_name: 'default', ...changes } as never }),
      ) as Promise<unknown> as Promise<Values>,
  },
} as const;

const RIGHTS = { owns: true, administers: true };

/** `/admin/application_settings` and `/admin/limits`: every setting of the instance, with its default and meaning. */
export default function ApplicationSettings({ of }: { of: keyof typeof RESOURCES }) {
  const { title, lead, query, save } = RESOURCES[of];
  const { data, error, refetch } = useQuery(query);
  return (
    <AdminPage title={title} lead={lead} action={<HelpLink page="instance-settings" />}>
      {error && !data && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label="Loading settings" rows={6} />}
      {data && <AllSettings of={of} record={data} rights={RIGHTS} save={save} onSaved={() => void refetch()} />}
    </AdminPage>
  );
}
