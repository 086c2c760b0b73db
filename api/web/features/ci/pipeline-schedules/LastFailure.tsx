import { branchesPath, schedulePath, tagsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useMayPush } from '../../../data/branch-rights.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Section } from '../../../ui/Page.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { readLedgerFilters, ledgerQuery } from './ledger-queries.js';
import type { Permissions, ScheduleDetails } from './queries.js';
import { isTag, formatRef } from './labels.js';
import styles from './Schedule.module.css';

/** All runs, the newest first. */
const NEWEST = readLedgerFilters(new URLSearchParams());

/** What helps against causes that people can do something about. */
const HELP: Readonly<Record<string, string>> = {
  ref_missing: 'It keeps failing until you restore the branch or tag, or choose another one.',
  ref_protected: 'Give the owner access to the protected branch or tag, or choose another one.',
  owner_missing: "A Maintainer must take ownership. Schedules run with their owner's permissions.",
  owner_blocked: "A Maintainer must take ownership. Schedules run with their owner's permissions.",
  owner_without_rights: 'The owner needs the Developer role, or a Maintainer must take ownership.',
  pipelines_disabled: 'Turn on pipelines in the project settings.',
  project_archived: 'A project Owner can unarchive it in the project settings.',
  values_unreadable: 'Enter its variables and inputs again.',
};

interface LastFailureProps {
  path: string;
  schedule: ScheduleDetails;
  may: Permissions;
}

/** The failure of a schedule's newest run: its cause and how to fix it. */
export default function LastFailure({ path, schedule, may }: LastFailureProps) {
  const [last] = useQuery(ledgerQuery(path, schedule.id, NEWEST)).data?.rows ?? [];
  if (last?.outcome !== 'failed') return null;
  const { cause, reason, due_at: at } = last;
  const changed = Date.parse(schedule.updated_at) > Date.parse(at);
  return (
    <Section title="Last run failed">
      <p>
        <UnbrokenText>{reason ?? 'No reason was recorded.'}</UnbrokenText> Scheduled for <Time at={at} />.
      </p>
      {cause !== null && HELP[cause] && <p>{HELP[cause]}</p>}
      {changed && <p className={styles.quiet}>Changed since then. The next run will show if the problem is fixed.</p>}
      {cause === 'ref_missing' && <MissingRefActions path={path} schedule={schedule} may={may} />}
    </Section>
  );
}

function MissingRefActions({ path, schedule: { id, ref }, may }: LastFailureProps) {
  const mayPush = useMayPush(path);
  const kind = isTag(ref) ? 'tag' : 'branch';
  const query = new URLSearchParams({ new: '1', name: formatRef(ref) });
  return (
    <div className={styles.actions}>
      {mayPush && (
        <ButtonLink to={`${kind === 'tag' ? tagsPath(path) : branchesPath(path)}?${query}`}>Recreate {kind}</ButtonLink>
      )}
      {may.updatePipelineSchedule && (
        <ButtonLink to={`${schedulePath(path, id)}/edit`}>Choose another branch or tag</ButtonLink>
      )}
    </div>
  );
}
