import { branchesPath, pipelineEditorPath, pipelinesPath, schedulePath, tagsPath } from '../../../app/routing/paths.js';
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

/** Outcomes of a newest run that want something done, with a title and what helps beside its cause. */
const PROBLEMS = {
  failed: { title: 'Last run failed', help: null },
  config_error: {
    title: 'Last run failed',
    help: 'Correct the configuration file and commit it: the next run follows it.',
  },
  filtered: {
    title: 'Last run started no jobs',
    help: 'No job has rules that match a scheduled pipeline. A dry run shows which rules exclude each job.',
  },
} as const;

const isProblem = (outcome: string): outcome is keyof typeof PROBLEMS => Object.hasOwn(PROBLEMS, outcome);

/** The failure of a schedule's newest run, or that it had no jobs: its cause and how to fix it. */
export default function LastFailure({ path, schedule, may }: LastFailureProps) {
  const [last] = useQuery(ledgerQuery(path, schedule.id, NEWEST)).data?.rows ?? [];
  if (!last || !isProblem(last.outcome)) return null;
  const { cause, reason, due_at: at, pipeline_id: pipeline } = last;
  const { title, help } = PROBLEMS[last.outcome];
  const advice = help ?? (cause === null ? undefined : HELP[cause]);
  const changed = Date.parse(schedule.updated_at) > Date.parse(at);
  const branch = isTag(schedule.ref) ? undefined : formatRef(schedule.ref);
  return (
    <Section title={title}>
      <p>
        <UnbrokenText>{asSentence(reason ?? 'No reason was recorded')}</UnbrokenText> It was due <Time at={at} />.
      </p>
      {advice && <p>{advice}</p>}
      {changed && <p className={styles.quiet}>Changed since then. The next run will show if the problem is fixed.</p>}
      {cause === 'ref_missing' && <MissingRefActions path={path} schedule={schedule} may={may} />}
      {last.outcome === 'config_error' && (
        <div className={styles.actions}>
          <ButtonLink to={pipelineEditorPath(path, branch)}>Open the pipeline editor</ButtonLink>
          {pipeline !== null && <ButtonLink to={pipelinesPath(path, pipeline)}>Pipeline #{pipeline}</ButtonLink>}
        </div>
      )}
      {last.outcome === 'filtered' && (
        <div className={styles.actions}>
          <ButtonLink to={dryRunPath(path, branch)}>Dry run as a schedule</ButtonLink>
        </div>
      )}
    </Section>
  );
}

/** What the compiler of configurations reports ends without a period. */
const asSentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** The editor, at a dry run of the file for a scheduled pipeline. */
function dryRunPath(path: string, branch: string | undefined): string {
  const query = new URLSearchParams({ tab: 'validate', source: 'schedule' });
  if (branch !== undefined) query.set('branch_name', branch);
  return `${pipelineEditorPath(path)}?${query}`;
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
