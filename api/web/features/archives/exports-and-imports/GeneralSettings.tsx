import { liveParams } from '../../../data/containers.js';
import type { Container } from '../../../data/containers.js';
import { useQuery } from '@tanstack/react-query';
import { useLive } from '../../../data/live.js';
import { Page, Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { SettingsTabs } from '../../../app/settings/SettingsTabs.js';
import { ContainerSettings } from '../../tenancy/settings/index.js';
import { Export } from './Export.js';
import { exportLiveQueries, exportQuery } from './queries.js';
import { archiveProblem } from './messages.js';

/** `/<project>/edit` and `/groups/<group>/-/edit`: its settings, export, and actions on it as a whole. */
export default function GeneralSettings({ of }: { of: Container }) {
  const found = useQuery(exportQuery(of));
  useLive(found.data ? liveParams(of) : null, exportLiveQueries(of));
  return (
    <Page title="General settings" lead={<UnbrokenText>{of.path}</UnbrokenText>}>
      <SettingsTabs container={of} />
      <ContainerSettings container={of}>
        {found.error && <Problem error={archiveProblem(found.error, of.kind)} retry={() => void found.refetch()} />}
        {found.isPending && <LoadingRows label="Loading settings" />}
        {found.data && (
          <Section title={`Export ${of.kind}`}>
            <Export of={of} progress={found.data} at={found.dataUpdatedAt} failed={found.isRefetchError} />
          </Section>
        )}
      </ContainerSettings>
    </Page>
  );
}
