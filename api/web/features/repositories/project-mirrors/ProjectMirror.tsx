import { generalSettingsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Project } from '../../../data/api.js';
import { useLive } from '../../../data/live.js';
import { Button, ButtonLink } from '../../../ui/Button.js';
import { Empty } from '../../../ui/Empty.js';
import { DetailList } from '../../../ui/DetailList.js';
import { Section } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { Said } from '../../../ui/Said.js';
import { State } from '../../../ui/State.js';
import type { Tone } from '../../../ui/State.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from '../../../app/settings/SettingsSection.module.css';
import { getLiveQueries, mirrorQuery, underWay, useUpdateMirror } from './queries.js';
import type { Mirror } from './queries.js';

const STATUSES: Readonly<Record<string, { tone: Tone; label: string }>> = {
  none: { tone: 'quiet', label: 'not updated yet' },
  scheduled: { tone: 'quiet', label: 'update queued' },
  started: { tone: 'quiet', label: 'updating' },
  finished: { tone: 'good', label: 'up to date' },
  failed: { tone: 'bad', label: 'last update failed' },
};

/** The part of the general settings in which it is set up. */
const editOf = (path: string) => `${generalSettingsPath({ kind: 'project', path })}#repository-mirroring`;

/** Which repository a project follows, and how that goes. Nothing where the plan has no mirrors. */
export function ProjectMirror({ project, open }: { project: Project; open: boolean }) {
  if (project.mirror === undefined) return null;
  const to = editOf(project.path_with_namespace);
  return (
    <Section title="Mirror" aside={open && project.mirror && <ButtonLink to={to}>Edit mirror</ButtonLink>}>
      <p className={styles.lead}>Pull branches, tags and commits from another repository automatically.</p>
      {project.mirror ? (
        <AutoRefresh project={project} open={open} />
      ) : (
        <Empty action={open && <ButtonLink to={to}>Set up mirror</ButtonLink>}>No mirror configured.</Empty>
      )}
    </Section>
  );
}

function AutoRefresh({ project, open }: { project: Project; open: boolean }) {
  const id = String(project.id);
  const { data: mirror, error, refetch } = useQuery(mirrorQuery(id));
  useLive({ project: project.path_with_namespace }, getLiveQueries(id));
  const update = useUpdateMirror(id);
  const [said, setSaid] = useState('');
  if (error && !mirror) return <Problem error={error} retry={() => void refetch()} />;
  if (!mirror) return <LoadingRows label="Loading the mirror" rows={5} />;
  const ask = () => {
    setSaid('');
    update.mutate(undefined, {
      onSuccess: (now) =>
        setSaid(
          underWay(now)
            ? 'Update scheduled. It starts in a moment.'
            : 'The mirror was just updated. The next update can start five minutes after the last one.',
        ),
    });
  };
  return (
    <>
      <Said>{said}</Said>
      {update.error && <Problem error={update.error} />}
      <DetailList details={mirrorDetails(mirror)} />
      {open && (
        <div>
          <Button busy={update.isPending} onClick={ask}>
            Update now
          </Button>
        </div>
      )}
    </>
  );
}

const getTime = (at: string | null) => (at ? <Time at={at} /> : 'never');

/** The address comes without the password that it is followed with. */
function mirrorDetails(mirror: Mirror): (readonly [string, ReactNode])[] {
  const { url, update_status: status, last_error: reason } = mirror;
  const { tone, label } = STATUSES[status] ?? { tone: 'quiet', label: status };
  return [
    [
      'Repository URL',
      <code key="url">
        <UnbrokenText>{url ?? 'nothing'}</UnbrokenText>
      </code>,
    ],
    [
      'State',
      <State key="state" tone={tone}>
        {label}
      </State>,
    ],
    ...(reason
      ? [[status === 'failed' ? 'Reason' : 'Not updated', <UnbrokenText key="why">{reason}</UnbrokenText>] as const]
      : []),
    ['Last update', getTime(mirror.last_update_at)],
    ['Last success', getTime(mirror.last_successful_update_at)],
    ['Branches', mirror.only_mirror_protected_branches ? 'protected branches only' : 'all'],
    ['Diverged branches', mirror.mirror_overwrites_diverged_branches ? 'overwritten' : 'not updated'],
    ['Pipelines', mirror.mirror_trigger_builds ? 'triggered for updates' : 'not triggered'],
  ];
}
