import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeployKey } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { Confirm } from '../../../app/dialogs/Confirm.js';
import rows from '../../../ui/Rows.module.css';
import { Time } from '../../../ui/Time.js';
import { Whole } from '../../../ui/Whole.js';
import { SettingsSection, useCloseForm, usePage } from '../../../app/settings/SettingsSection.js';
import { EditDeployKey } from './EditDeployKey.js';
import { NewDeployKey } from './NewDeployKey.js';
import { deployKeysQuery, useRemoveDeployKey } from './queries.js';

type OpenDialog = { key: DeployKey; what: 'edit' | 'remove' } | null;

/** The deploy keys of a project: added, edited and removed. */
export function DeployKeys({ projectId, open }: { projectId: string; open: boolean }) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [said, setSaid] = useState('');
  const closeForm = useCloseForm();
  const query = useQuery(deployKeysQuery(projectId, usePage('deploy_keys')));
  const close = () => setDialog(null);
  const done = (message: string) => {
    setSaid(message);
    close();
  };
  return (
    <>
      <SettingsSection
        list="deploy_keys"
        title="Deploy keys"
        noun="deploy key"
        lead={
          <p>
            A deploy key is a public SSH key of a server or program. Git is served over HTTP so far: keys are kept and
            may be named by rules, and nothing connects with them until SSH comes.
          </p>
        }
        said={said}
        form={
          open ? (
            <NewDeployKey
              projectId={projectId}
              onCancel={closeForm}
              onCreate={(title) => {
                setSaid(`The project has the deploy key “${title}”.`);
                closeForm();
              }}
            />
          ) : null
        }
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Key', cell: (key) => <Name deployKey={key} /> },
          { title: 'Right', cell: ({ can_push: canPush }) => (canPush ? 'reads and pushes' : 'only reads') },
          { title: 'Added', cell: ({ created_at: at }) => <Time at={at} /> },
          { title: 'Ends', cell: ({ expires_at: at }) => (at ? <Time at={at} /> : 'without end') },
          {
            title: 'Actions',
            actions: true,
            end: true,
            cell: (key) => <Actions deployKey={key} open={open} onAsk={(what) => setDialog({ key, what })} />,
          },
        ]}
        empty="No deploy keys yet. Give each server one of its own, so that you can end it alone."
      />
      {dialog?.what === 'edit' && (
        <EditDeployKey
          projectId={projectId}
          deployKey={dialog.key}
          onClose={close}
          onDone={(title) => done(`The deploy key “${title}” is saved.`)}
        />
      )}
      {dialog?.what === 'remove' && (
        <RemoveDeployKey
          projectId={projectId}
          deployKey={dialog.key}
          onClose={close}
          onDone={() => done(`The deploy key “${dialog.key.title}” is removed.`)}
        />
      )}
    </>
  );
}

function Name({ deployKey: { title, fingerprint_sha256: print } }: { deployKey: DeployKey }) {
  return (
    <>
      <span className={rows.name}>
        <Whole>{title}</Whole>
      </span>
      <code className={rows.quiet}>
        <Whole>{print}</Whole>
      </code>
    </>
  );
}

interface ActionsProps {
  deployKey: DeployKey;
  open: boolean;
  onAsk: (what: 'edit' | 'remove') => void;
}

function Actions({ deployKey: { title }, open, onAsk }: ActionsProps) {
  return (
    <div className={rows.actions}>
      {open && (
        <Button kind="quiet" aria-label={`Edit ${title}`} onClick={() => onAsk('edit')}>
          Edit
        </Button>
      )}
      <Button kind="quiet" aria-label={`Remove ${title}`} onClick={() => onAsk('remove')}>
        Remove
      </Button>
    </div>
  );
}

interface RemoveDeployKeyProps {
  projectId: string;
  deployKey: DeployKey;
  onClose: () => void;
  onDone: () => void;
}

function RemoveDeployKey({ projectId, deployKey, onClose, onDone }: RemoveDeployKeyProps) {
  const removal = useRemoveDeployKey(projectId);
  return (
    <Confirm
      title={`Remove “${deployKey.title}”?`}
      does="Remove"
      danger
      busy={removal.isPending}
      problem={removal.error}
      onConfirm={() => removal.mutate(deployKey.id, { onSuccess: onDone })}
      onClose={onClose}
    >
      <p>
        Rules over branches and tags of this project no longer name it. Other projects that have the key keep it; if
        none does, it is gone.
      </p>
    </Confirm>
  );
}
