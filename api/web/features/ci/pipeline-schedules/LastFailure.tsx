import { branchesPath, schedulePath, tagsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { useMayPush } from '../../../data/branch-rights.js';
import { ButtonLink } from '../../../ui/Button.js';
import { Section } from '../../../ui/Page.js';
import { Time } from '../../../ui/Time.js';
import { Whole } from '../../../ui/Whole.js';
import { readLedgerFilters, ledgerQuery } from './ledger-queries.js';
import type { Permissions, ScheduleDetails } from './queries.js';
import { isTag, formatRef } from './labels.js';
import styles from './Schedule.module.css';

/** All runs, the newest first. */
const NEWEST = readLedgerFilters(new URLSearchParams());

/** What helps against causes that people can do something about. */
const HELP: Readonly<Record<string, string>> = {
  ref_missing: 'It fails each time until what it runs on is there again, or it runs on something else.',
  ref_protected: 'Who owns it must be admitted by the protection, or it must run on something else.',
  owner_missing: 'Somebody must take it over: it runs with the rights of its owner.',
  owner_blocked: 'Somebody must take it over: it runs with the rights of its owner.',
  owner_without_rights: 'Its owner needs the role of Developer, or somebody must take it over.',
  pipelines_disabled: 'They are switched on in the settings of the project.',
  project_archived: 'An Owner of the project can make it active again, in its settings.',
  values_unreadable: 'Write its variables and inputs anew.',
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
    <Section title="Its last run failed">
      <p>
        <Whole>{reason ?? 'The service did not tell why.'}</Whole> It was due <Time at={at} />.
      </p>
      {cause !== null && HELP[cause] && <p>{HELP[cause]}</p>}
      {changed && <p className={styles.quiet}>It was changed since. Its next run tells whether that helped.</p>}
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
        <ButtonLink to={`${kind === 'tag' ? tagsPath(path) : branchesPath(path)}?${query}`}>
          Make the {kind} again
        </ButtonLink>
      )}
      {may.updatePipelineSchedule && (
        <ButtonLink to={`${schedulePath(path, id)}/edit`}>Choose another branch or tag</ButtonLink>
      )}
    </div>
  );
}
