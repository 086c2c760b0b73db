import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import { Section } from '../../../ui/Page.js';
import rows from '../../../ui/Rows.module.css';
import { Said } from '../../../ui/Said.js';
import { leaves, useStep } from './queries.js';
import type { Step } from './queries.js';
import type { Container } from '../../../data/containers.js';
import { Transfer } from './Transfer.js';
import { TypedConfirm } from './TypedConfirm.js';
import type { Values } from './values.js';

interface LifecycleProps {
  container: Container;
  id: number;
  record: Values;
  administers: boolean;
}

type SimpleStep = Exclude<Step, object>;

const SAID: Readonly<Record<SimpleStep, string>> = {
  archive: 'Archived.',
  unarchive: 'Unarchived.',
  restore: 'Restored.',
  delete: 'Marked for deletion.',
  'delete now': 'Deletion started.',
};

/** Full path of the namespace that a project is in; null for a group. */
const getNamespace = ({ namespace }: Values): string | null =>
  (namespace as { full_path: string } | undefined)?.full_path ?? null;

/** Actions on a project or group as a whole: archiving, moving, deleting. For Owners. */
export function Lifecycle({ container, id, record, administers }: LifecycleProps) {
  const step = useStep(container, id);
  const navigate = useNavigate();
  const [chosenStep, setChosenStep] = useState<SimpleStep | null>(null);
  const [said, setSaid] = useState('');
  const marked = record.marked_for_deletion_on;
  const archived = record.archived === true;
  const ask = (action: SimpleStep | null) => {
    step.reset();
    setChosenStep(action);
  };
  const take = (action: SimpleStep) =>
    step.mutate(action, {
      onSuccess: () => {
        setChosenStep(null);
        setSaid(SAID[action]);
        if (leaves(container.kind, action)) void navigate(`/dashboard/${container.kind}s`);
      },
    });
  const shared = { busy: step.isPending, problem: step.error, onClose: () => ask(null) };
  const removable = administers || container.kind === 'project' || typeof record.parent_id === 'number';
  return (
    <>
      <Said>{said}</Said>
      {typeof marked === 'string' ? (
        <Section title={`Delete ${container.kind}`}>
          <p>Marked for deletion on {marked}. You can restore it until it's removed.</p>
          <div className={rows.pages}>
            <Button onClick={() => ask('restore')}>Restore {container.kind}</Button>
            {removable && (
              <Button kind="danger" onClick={() => ask('delete now')}>
                Delete {container.kind} now
              </Button>
            )}
          </div>
        </Section>
      ) : (
        <>
          <Section title={archived ? `Unarchive ${container.kind}` : `Archive ${container.kind}`}>
            <p>{archived ? `Make the ${container.kind} editable again.` : `Make the ${container.kind} read-only.`}</p>
            <div>
              <Button onClick={() => ask(archived ? 'unarchive' : 'archive')}>
                {archived ? 'Unarchive' : 'Archive'} {container.kind}
              </Button>
            </div>
          </Section>
          <Transfer
            container={container}
            id={id}
            below={typeof record.parent_id === 'number'}
            within={getNamespace(record)}
          />
          <Section title={`Delete ${container.kind}`}>
            <p>
              Marks the {container.kind} for deletion. It's removed with all its contents after the retention period of
              the instance.
            </p>
            <div>
              <Button kind="danger" onClick={() => ask('delete')}>
                Delete {container.kind}
              </Button>
            </div>
          </Section>
        </>
      )}
      {(chosenStep === 'delete' || chosenStep === 'delete now') && (
        <TypedConfirm
          {...shared}
          title={`Delete ${container.path}?`}
          path={container.path}
          does={`Delete ${container.kind}`}
          onConfirm={() => take(chosenStep)}
        >
          <p>
            {chosenStep === 'delete now'
              ? "This removes all contents and can't be undone."
              : "Owners can restore it until it's removed."}
          </p>
        </TypedConfirm>
      )}
      {chosenStep !== null && chosenStep !== 'delete' && chosenStep !== 'delete now' && (
        <Confirm
          {...shared}
          title={`${chosenStep.charAt(0).toUpperCase()}${chosenStep.slice(1)} ${container.path}?`}
          does={`${chosenStep.charAt(0).toUpperCase()}${chosenStep.slice(1)}`}
          onConfirm={() => take(chosenStep)}
        >
          <p>{chosenStep === 'archive' ? 'You can unarchive it later.' : 'Everything becomes editable again.'}</p>
        </Confirm>
      )}
    </>
  );
}
