import { epicsPath, recordPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useLive } from '../../../data/live.js';
import { epicNotes } from './epic-notes.js';
import { ThreadsForSignedIn } from '../../notes/discussions/index.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { DetailList } from '../../../ui/DetailList.js';
import form from '../../../app/forms/Form.module.css';
import { Html } from '../../../ui/Html.js';
import { Labels } from '../../../ui/Labels.js';
import { Card, Page, Section } from '../../../ui/Page.js';
import { PlannedList } from '../../../app/lists/PlannedList.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useEditEpic } from './changes.js';
import { EditEpic } from './EditEpic.js';
import { EpicBadge } from './EpicList.js';
import { childrenQuery, epicQuery, getLiveQueries, issuesOfEpicQuery } from './queries.js';
import type { EpicDetails } from './queries.js';

interface EpicPageProps {
  path: string;
  iid: number;
  /** Whether the form is requested. */
  edit: boolean;
}

/** `/groups/<group>/-/epics/<number>`: one epic with its child items and comments; `…/edit` its form. */
export default function EpicPage({ path, iid, edit }: EpicPageProps) {
  const found = useQuery(epicQuery(path, iid));
  useLive(found.data ? { group: path } : null, getLiveQueries(path), edit);
  const loadError = found.error && <LoadError what="Epics" error={found.error} retry={() => void found.refetch()} />;
  if (!found.data)
    return (
      <Page title={`Epic &${iid}`} lead={<UnbrokenText>{path}</UnbrokenText>}>
        {loadError ?? <LoadingRows label="Loading epic" rows={6} />}
      </Page>
    );
  return <EpicView path={path} epic={found.data} edit={edit} loadError={loadError} />;
}

interface EpicViewProps {
  path: string;
  epic: EpicDetails;
  edit: boolean;
  /** Of looking again. */
  loadError: React.ReactNode;
}

function EpicView({ path, epic, edit, loadError }: EpicViewProps) {
  const navigate = useNavigate();
  const arrived = (useLocation().state as { said?: string } | null)?.said ?? '';
  const [said, setSaid] = useState(arrived);
  const mayEdit = epic.extras.userPermissions.updateEpic;
  const editing = edit && mayEdit;
  const { descriptionHtml: html } = epic.extras;
  return (
    <Page title={epic.title} lead={<Lead path={path} epic={epic} />}>
      <Said>{editing ? '' : said}</Said>
      {loadError}
      {editing ? (
        <EditEpic
          path={path}
          epic={epic}
          onDone={(message) => void navigate(epicsPath(path, epic.iid), { replace: true, state: { said: message } })}
        />
      ) : (
        <>
          {mayEdit && <EpicActions path={path} epic={epic} onSaid={setSaid} />}
          <EpicSummary path={path} epic={epic} />
          <Section title="Description">
            <Card>{html ? <Html label={`Description of &${epic.iid}`} html={html} /> : <p>No description.</p>}</Card>
          </Section>
          <Planned path={path} epic={epic} />
          <ThreadsForSignedIn of={epicNotes(path, epic.iid)} />
        </>
      )}
    </Page>
  );
}

function Lead({ path, epic: { iid, author, created_at: at } }: { path: string; epic: EpicDetails }) {
  return (
    <>
      <Link to={epicsPath(path)}>
        <UnbrokenText>{`Epics in ${path}`}</UnbrokenText>
      </Link>{' '}
      · &amp;{iid}, created <Time at={at} /> by <UnbrokenText>{author?.name ?? 'Deleted user'}</UnbrokenText>
    </>
  );
}

interface EpicActionsProps {
  path: string;
  epic: EpicDetails;
  onSaid: (said: string) => void;
}

function EpicActions({ path, epic, onSaid }: EpicActionsProps) {
  const change = useEditEpic(path, epic.iid);
  const open = epic.state === 'opened';
  return (
    <>
      {change.error && <Problem error={change.error} />}
      <div className={form.row}>
        <ButtonLink to={epicsPath(path, epic.iid, true)}>Edit</ButtonLink>
        <Button
          busy={change.isPending}
          onClick={() =>
            change.mutate(
              { state_event: open ? 'close' : 'reopen' },
              { onSuccess: () => onSaid(open ? 'Epic closed.' : 'Epic reopened.') },
            )
          }
        >
          {open ? 'Close epic' : 'Reopen epic'}
        </Button>
      </div>
    </>
  );
}

/** A date, and whether it is inherited from milestones and child epics. */
const formatDay = (day: string | null, isFixed: boolean): string =>
  day === null ? 'none' : `${day}${isFixed ? '' : ' (inherited from milestones and epics)'}`;

function EpicSummary({ path, epic }: { path: string; epic: EpicDetails }) {
  const { parent, labels } = epic.extras;
  const epicLabels = (labels?.nodes ?? []).map(({ title, ...rest }) => ({ name: title, ...rest }));
  return (
    <DetailList
      details={[
        [
          'State',
          <span key="state">
            <EpicBadge state={epic.state} /> {epic.closed_at && <Time at={epic.closed_at} />}
          </span>,
        ],
        ...(epic.confidential
          ? [
              [
                'Confidential',
                <State key="confidential" tone="warn">
                  confidential
                </State>,
              ] as const,
            ]
          : []),
        ['Start date', formatDay(epic.start_date, epic.start_date_is_fixed)],
        ['Due date', formatDay(epic.end_date, epic.due_date_is_fixed)],
        [
          'Labels',
          epicLabels.length === 0 ? 'none' : <Labels key="labels" list={epicsPath(path)} labels={epicLabels} />,
        ],
        [
          'Parent',
          parent ? (
            <Link key="parent" to={recordPath(parent.webUrl)} title={parent.reference}>
              <UnbrokenText>{parent.title ?? ''}</UnbrokenText>
            </Link>
          ) : (
            'none'
          ),
        ],
        ['Updated', <Time key="changed" at={epic.updated_at} />],
      ]}
    />
  );
}

/** The issues and epics that belong to it, and how many of them are closed. */
function Planned({ path, epic }: { path: string; epic: EpicDetails }) {
  return (
    <>
      <PlannedList
        title="Issues"
        query={useQuery(issuesOfEpicQuery(path, epic.iid))}
        done="Issues closed"
        isDone={({ state }) => state === 'closed'}
        columns={[
          { title: 'Assignees', cell: ({ assignees }) => assignees.map(({ name }) => name).join(', ') },
          { title: 'State', cell: ({ state }) => <EpicBadge state={state} /> },
        ]}
        empty="This epic has no issues that you can see."
      />
      <PlannedList
        title="Child epics"
        query={useQuery(childrenQuery(path, epic.id))}
        done="Epics closed"
        isDone={({ state }) => state === 'closed'}
        columns={[{ title: 'State', cell: ({ state }) => <EpicBadge state={state} /> }]}
        empty="This epic has no child epics that you can see."
      />
    </>
  );
}
