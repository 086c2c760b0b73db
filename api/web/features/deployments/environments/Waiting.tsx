import { commitPath } from '../../../app/routing/paths.js';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../../ui/Button.js';
import { Section } from '../../../ui/Page.js';
import { ReasonDialog } from '../../../app/dialogs/ReasonDialog.js';
import { Said } from '../../../ui/Said.js';
import { Table } from '../../../ui/Table.js';
import type { Column } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import styles from './Environments.module.css';
import { useDecision } from './queries.js';
import type { Decision, ListedEnvironment, WaitingDeployment } from './queries.js';

const MAX_COMMENT = 255;

/** A deployment that waits, with the environment that it is for. */
interface Row {
  environment: string;
  deployment: WaitingDeployment;
}

type Asking = Row & { status: Decision['status'] };

interface WaitingProps {
  path: string;
  environments: readonly ListedEnvironment[];
}

/**
 * The newest deployment of each environment that waits for approvals, with buttons for users who may approve or reject
 * it.
 */
export function Waiting({ path, environments }: WaitingProps) {
  const [asking, ask] = useState<Asking | null>(null);
  const [said, setSaid] = useState('');
  const decision = useDecision(path);
  const rows = environments.flatMap(({ name, waiting }) =>
    waiting ? [{ environment: name, deployment: waiting }] : [],
  );
  const close = () => {
    ask(null);
    decision.reset();
  };
  return (
    <>
      <Said>{said}</Said>
      {rows.length > 0 && (
        <Section title="Pending approvals">
          <Table
            caption="Deployments pending approval"
            rows={rows}
            keyOf={({ deployment: { id } }) => id}
            columns={getColumns(path, ask)}
          />
        </Section>
      )}
      {asking && (
        <ReasonDialog
          title={`${asking.status === 'approved' ? 'Approve' : 'Reject'} deployment #${asking.deployment.iid}?`}
          does={asking.status === 'approved' ? 'Approve' : 'Reject'}
          hint="Optional. Visible to others."
          maxLength={MAX_COMMENT}
          busy={decision.isPending}
          problem={decision.error}
          onClose={close}
          onDo={(comment) =>
            decision.mutate(
              { deployment: asking.deployment, status: asking.status, comment },
              {
                onSuccess: () => {
                  close();
                  setSaid(`Deployment #${asking.deployment.iid} ${asking.status}.`);
                },
              },
            )
          }
        >
          <p>
            {asking.status === 'approved'
              ? `It's deployed to ${asking.environment} when all approvals are given.`
              : `It fails and isn't deployed to ${asking.environment}.`}
          </p>
        </ReasonDialog>
      )}
    </>
  );
}

const getColumns = (path: string, ask: (asking: Asking) => void): Column<Row>[] => [
  {
    title: 'Deployment',
    cell: ({ environment, deployment: { iid, ref, sha } }) => (
      <div className={styles.environment}>
        <span className={styles.name}>
          <UnbrokenText>{`#${iid} to ${environment}`}</UnbrokenText>
        </span>
        <span className={styles.quiet}>
          from <UnbrokenText>{ref ?? ''}</UnbrokenText>
          {sha && (
            <>
              , commit <Link to={commitPath(path, sha)}>{sha.slice(0, 8)}</Link>
            </>
          )}
        </span>
      </div>
    ),
  },
  { title: 'Triggered by', cell: ({ deployment: { triggerer } }) => triggerer?.name ?? 'Deleted user' },
  { title: 'Created', cell: ({ deployment: { createdAt } }) => <Time at={createdAt ?? ''} /> },
  { title: 'Approvals', cell: ({ deployment }) => <Approvals deployment={deployment} /> },
  {
    title: 'Actions',
    actions: true,
    end: true,
    cell: (row) => row.deployment.userPermissions.approveDeployment && <Actions row={row} ask={ask} />,
  },
];

function Approvals({ deployment: { approvals, approvalSummary: summary } }: { deployment: WaitingDeployment }) {
  return (
    <div className={styles.environment}>
      {summary && <span>{`${summary.totalPendingApprovalCount} of ${summary.totalRequiredApprovals} pending`}</span>}
      {(approvals ?? []).map(({ status, comment, user }, index) => (
        <span key={index} className={styles.quiet}>
          <UnbrokenText>{`${status} by ${user?.name ?? 'Deleted user'}${comment ? `: ${comment}` : ''}`}</UnbrokenText>
        </span>
      ))}
    </div>
  );
}

function Actions({ row, ask }: { row: Row; ask: (asking: Asking) => void }) {
  const { iid } = row.deployment;
  return (
    <div className={styles.pages}>
      <Button aria-label={`Approve deployment #${iid}`} onClick={() => ask({ ...row, status: 'approved' })}>
        Approve
      </Button>
      <Button aria-label={`Reject deployment #${iid}`} onClick={() => ask({ ...row, status: 'rejected' })}>
        Reject
      </Button>
    </div>
  );
}
