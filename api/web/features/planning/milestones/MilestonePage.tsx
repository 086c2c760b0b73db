import { liveParams } from '../../../data/containers.js';
import { milestonesPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { useLive } from '../../../data/live.js';
import type { Container } from '../../../data/containers.js';
import { Code } from '../../../ui/Code.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Html } from '../../../ui/Html.js';
import { Card, Page, Section } from '../../../ui/Page.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { Said } from '../../../ui/Said.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useMayWrite } from '../../../data/member-rights.js';
import { useSession } from '../../../data/session.js';
import { EditMilestone } from './EditMilestone.js';
import { MilestoneActions } from './MilestoneActions.js';
import { Day, MilestoneState } from './MilestoneState.js';
import { MilestoneWork } from './MilestoneWork.js';
import { getLiveQueries, milestoneQuery } from './queries.js';
import type { MilestoneDetails } from './queries.js';

/** `…/-/milestones/<number>`: one milestone with its issues and merge requests. `?edit=1` shows its form. */
export default function MilestonePage({ of, iid }: { of: Container; iid: number }) {
  const session = useSession().data;
  const signedIn = Boolean(session?.user);
  const found = useQuery({ ...milestoneQuery(of, iid, signedIn), enabled: session !== undefined });
  useLive(found.data ? liveParams(of) : null, getLiveQueries(of));
  const loadError = found.error && (
    <LoadError what="Milestones" error={found.error} retry={() => void found.refetch()} />
  );
  if (!found.data)
    return (
      <Page title={`Milestone ${iid}`} lead={<UnbrokenText>{of.path}</UnbrokenText>}>
        {loadError ?? <LoadingRows label="Loading milestone" rows={6} />}
      </Page>
    );
  return <MilestoneView of={of} milestone={found.data} loadError={loadError} />;
}

interface MilestoneViewProps {
  of: Container;
  milestone: MilestoneDetails;
  /** Of looking again. */
  loadError: React.ReactNode;
}

function MilestoneView({ of, milestone, loadError }: MilestoneViewProps) {
  const [search, setSearch] = useSearchParams();
  const arrived = (useLocation().state as { said?: string } | null)?.said ?? '';
  const [said, setSaid] = useState(arrived);
  const mayEdit = useMayWrite(of);
  const editing = mayEdit && search.has('edit');
  return (
    <Page title={milestone.title} lead={<Lead of={of} milestone={milestone} />}>
      <Said>{editing ? '' : said}</Said>
      {loadError}
      {editing ? (
        <EditMilestone
          of={of}
          milestone={milestone}
          onDone={(message) => {
            setSaid(message);
            setSearch({}, { replace: true });
          }}
        />
      ) : (
        <>
          {mayEdit && <MilestoneActions of={of} milestone={milestone} onSaid={setSaid} />}
          <DetailList
            details={[
              ['State', <MilestoneState key="state" milestone={milestone} />],
              ['Start date', <Day key="first" day={milestone.start_date} none="none" />],
              ['Due date', <Day key="last" day={milestone.due_date} none="none" />],
              ['Updated', <Time key="changed" at={milestone.updated_at} />],
            ]}
          />
          <Description milestone={milestone} />
          <MilestoneWork of={of} id={milestone.id} />
        </>
      )}
    </Page>
  );
}

function Lead({ of, milestone: { iid, created_at: at } }: { of: Container; milestone: MilestoneDetails }) {
  return (
    <>
      <Link to={milestonesPath(of)}>
        <UnbrokenText>{`Milestones in ${of.path}`}</UnbrokenText>
      </Link>{' '}
      · %{iid}, created <Time at={at} />
    </>
  );
}

function Description({ milestone: { description, html, title } }: { milestone: MilestoneDetails }) {
  const label = `Description of ${title}`;
  return (
    <Section title="Description">
      <Card>
        {html && <Html label={label} html={html} />}
        {!html && description && <Code label={label}>{description}</Code>}
        {!description && <p>No description.</p>}
      </Card>
    </Section>
  );
}
