import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ConfirmChange } from '../../../app/dialogs/ConfirmChange.js';
import { useLeaving } from '../../../app/dialogs/leave-dialog.js';
import { fieldProblem, Form } from '../../../app/forms/Form.js';
import { Problem } from '../../../app/problems/Problem.js';
import { atField } from '../../../data/problem.js';
import { Button } from '../../../ui/Button.js';
import { Dialog, DialogActions } from '../../../ui/Dialog.js';
import { LoadingRows, Table } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { formatRunner, RunnerStatus } from './labels.js';
import { runnerManagersQuery, runnerQuery, useRemoveRunner, useResetRunnerToken, useUpdateRunner } from './queries.js';
import type { Runner, RunnerOwner } from './queries.js';
import { readRunner, RUNNER_FIELDS, RUNNER_MESSAGES, RunnerFields } from './RunnerFields.js';

interface RunnerDialogProps {
  runner: Runner;
  onClose: () => void;
  onDone: (message: string) => void;
}

/** Changes a runner. */
export function EditRunner({ runner, onClose, onDone }: RunnerDialogProps) {
  const title = `Edit runner ${formatRunner(runner)}`;
  const { data, error } = useQuery(runnerQuery(runner.id));
  const change = useUpdateRunner();
  const problem = useMemo(() => atField(change.error, RUNNER_MESSAGES), [change.error]);
  const { left, leave } = useLeaving({ title, busy: change.isPending, problem: change.error, onClose });
  if (left) return null;
  const kind = runner.runner_type.replace('_type', '') as RunnerOwner['kind'];
  return (
    <Dialog title={title} onClose={leave}>
      {error && <Problem error={error} />}
      {!data && !error && <LoadingRows label="Loading runner" rows={4} />}
      {data && (
        <Form
          focusFirst
          submit="Save changes"
          busy={change.isPending}
          problem={problem}
          fields={RUNNER_FIELDS}
          beside={<Button onClick={leave}>Cancel</Button>}
          onSubmit={(values) =>
            change.mutate(
              { id: runner.id, ...readRunner(values, kind) },
              { onSuccess: () => onDone(`Runner ${formatRunner(runner)} saved.`) },
            )
          }
        >
          <RunnerFields kind={kind} runner={data} at={(name) => fieldProblem(problem, name)} />
        </Form>
      )}
    </Dialog>
  );
}

/** Pauses a runner, or resumes it. */
export function PauseRunner({ runner, onClose, onDone }: RunnerDialogProps) {
  const { paused } = runner;
  return (
    <ConfirmChange
      title={`${paused ? 'Resume' : 'Pause'} runner ${formatRunner(runner)}?`}
      does={paused ? 'Resume' : 'Pause'}
      danger={false}
      change={useUpdateRunner()}
      variables={{ id: runner.id, paused: !paused }}
      onDone={() => onDone(`Runner ${formatRunner(runner)} ${paused ? 'resumed' : 'paused'}.`)}
      onClose={onClose}
    >
      <p>{paused ? 'It takes jobs again.' : 'It takes no further jobs. Those that run there go on.'}</p>
    </ConfirmChange>
  );
}

/** Removes a runner. */
export function RemoveRunner({ runner, onClose, onDone }: RunnerDialogProps) {
  return (
    <ConfirmChange
      title={`Remove runner ${formatRunner(runner)}?`}
      does="Remove"
      change={useRemoveRunner()}
      variables={runner.id}
      onDone={() => onDone(`Runner ${formatRunner(runner)} removed.`)}
      onClose={onClose}
    >
      <p>Its token stops working, and jobs that run there fail. This can't be undone.</p>
    </ConfirmChange>
  );
}

/** Gives a runner another token. */
export function ResetRunner({
  runner,
  onClose,
  onToken,
}: Omit<RunnerDialogProps, 'onDone'> & { onToken: (token: string) => void }) {
  return (
    <ConfirmChange
      title={`Reset the token of ${formatRunner(runner)}?`}
      does="Reset token"
      change={useResetRunnerToken()}
      variables={runner.id}
      onDone={({ token }) => onToken(token)}
      onClose={onClose}
    >
      <p>The current token stops working at once. Register the runner again with the new one.</p>
    </ConfirmChange>
  );
}

/** The programs that run as a runner. */
export function RunnerManagers({ runner, onClose }: Omit<RunnerDialogProps, 'onDone'>) {
  const { data, error } = useQuery(runnerManagersQuery(runner.id));
  return (
    <Dialog title={`Managers of ${formatRunner(runner)}`} onClose={onClose}>
      <p>Each machine that runs with the token of the runner is a manager.</p>
      {error && <Problem error={error} />}
      {!data && !error && <LoadingRows label="Loading managers" rows={2} />}
      {data?.length === 0 && <p>None has made contact yet.</p>}
      {data && data.length > 0 && (
        <Table
          caption="Managers"
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            { title: 'System', cell: ({ system_id: system }) => system },
            { title: 'Status', cell: ({ status }) => <RunnerStatus status={status} /> },
            {
              title: 'Version',
              cell: ({ version, platform, architecture }) =>
                [version, platform, architecture].filter(Boolean).join(', ') || 'unknown',
            },
            { title: 'Last contact', cell: ({ contacted_at: at }) => (at ? <Time at={at} /> : 'never') },
          ]}
        />
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
