import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CreationForm } from '../../../app/forms/CreationForm.js';
import { useNewSecret } from '../../../app/forms/new-secret.js';
import { RowName } from '../../../app/lists/row-cells.js';
import { SettingsSection, usePage } from '../../../app/settings/SettingsSection.js';
import { HelpLink } from '../../../app/shell/HelpLink.js';
import rows from '../../../ui/Rows.module.css';
import { BuiltInRunnerNote, isBuiltIn } from './BuiltInRunnerNote.js';
import { formatKind, formatRunner, getRegisterCommand, RunnerStatus } from './labels.js';
import { runnersQuery, useCreateRunner } from './queries.js';
import type { CreatedRunner, Runner, RunnerOwner } from './queries.js';
import { EditRunner, PauseRunner, RemoveRunner, ResetRunner, RunnerManagers } from './RunnerDialogs.js';
import { readRunner, RUNNER_FIELDS, RUNNER_MESSAGES, RunnerFields } from './RunnerFields.js';

interface RunnersProps {
  owner: RunnerOwner;
  /** Whether the viewer may create runners here. */
  open: boolean;
  /** Whether the viewer may change a runner of the list. */
  mayChange: (runner: Runner) => boolean;
  /** More about them here. */
  children?: ReactNode;
}

const EMPTY: Readonly<Record<RunnerOwner['kind'], string>> = {
  instance: 'No runners yet. Without one, no job of any project runs. Create a runner, then register it on a machine.',
  group: 'No runners yet. Create one for the projects of this group, then register it on a machine.',
  project: 'No runners yet, so jobs wait. Create one for this project, then register it on a machine.',
};

const POLL_MS = 4_000;

/** Runners: created with a token that is shown once, paused, edited and removed. */
export function Runners({ owner, open, mayChange, children }: RunnersProps) {
  const [secret, showSecret] = useNewSecret();
  const showToken = (title: string, token: string) =>
    showSecret({
      title,
      value: token,
      with: { label: 'Command that connects the runner', value: getRegisterCommand(token) },
    });
  const query = useQuery({
    ...runnersQuery(owner, usePage('runners')),
    // Pages are not notified of runners, and who just created one waits for it to connect.
    refetchInterval: ({ state: { data } }) =>
      data?.rows.some(({ status }) => status === 'never_contacted') ? POLL_MS : false,
  });
  return (
    <SettingsSection
      list="runners"
      title="Runners"
      add="New runner"
      lead={
        <p>
          Runners take the jobs of pipelines and run them. {children} <HelpLink page="runners" />
        </p>
      }
      above={secret}
      form={
        open
          ? ({ onCreate, onCancel }) => (
              <NewRunner
                owner={owner}
                onCancel={onCancel}
                onCreate={({ id, token }) => {
                  showToken(`Token of runner #${id}`, token);
                  // The secret receives the focus.
                  onCreate('');
                }}
              />
            )
          : null
      }
      query={query}
      keyOf={({ id }) => id}
      nameOf={formatRunner}
      columns={[
        {
          title: 'Runner',
          cell: ({ id, description }) => <RowName name={description || `Runner #${id}`} code={`#${id}`} />,
        },
        { title: 'Serves', cell: (runner) => formatKind(runner) },
        {
          title: 'Status',
          cell: (runner) => (
            <>
              <RunnerStatus status={runner.status} paused={runner.paused} />
              {isBuiltIn(runner) && (
                <span className={rows.quiet}>
                  <BuiltInRunnerNote id={runner.id} />
                </span>
              )}
            </>
          ),
        },
        {
          title: 'Jobs',
          cell: ({ job_execution_status: execution }) => (execution === 'active' ? 'runs a job' : 'idle'),
        },
      ]}
      actions={[
        {
          label: 'Managers',
          spoken: 'Managers of',
          isOffered: mayChange,
          dialog: (runner: Runner, { onClose }) => <RunnerManagers runner={runner} onClose={onClose} />,
        },
        {
          label: 'Pause',
          isOffered: (runner: Runner) => mayChange(runner) && !runner.paused,
          dialog: (runner: Runner, then) => <PauseRunner runner={runner} {...then} />,
        },
        {
          label: 'Resume',
          isOffered: (runner: Runner) => mayChange(runner) && runner.paused,
          dialog: (runner: Runner, then) => <PauseRunner runner={runner} {...then} />,
        },
        {
          label: 'Edit',
          isOffered: mayChange,
          dialog: (runner: Runner, then) => <EditRunner runner={runner} {...then} />,
        },
        {
          label: 'Reset token',
          spoken: 'Reset token of',
          isOffered: mayChange,
          dialog: (runner: Runner, { onClose }) => (
            <ResetRunner
              runner={runner}
              onClose={onClose}
              onToken={(token) => {
                onClose();
                showToken(`Token of runner #${runner.id}`, token);
              }}
            />
          ),
        },
        {
          label: 'Remove',
          isOffered: mayChange,
          dialog: (runner: Runner, then) => <RemoveRunner runner={runner} {...then} />,
        },
      ]}
      empty={EMPTY[owner.kind]}
    />
  );
}

interface NewRunnerProps {
  owner: RunnerOwner;
  onCreate: (created: CreatedRunner) => void;
  onCancel: () => void;
}

function NewRunner({ owner, ...done }: NewRunnerProps) {
  return (
    <CreationForm
      submit="Create runner"
      creation={useCreateRunner(owner)}
      fields={RUNNER_FIELDS}
      messages={RUNNER_MESSAGES}
      read={(values) => readRunner(values, owner.kind)}
      {...done}
    >
      {(at) => <RunnerFields kind={owner.kind} runner={null} at={at} />}
    </CreationForm>
  );
}
