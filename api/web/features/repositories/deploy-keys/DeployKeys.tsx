import { useQuery } from '@tanstack/react-query';
import type { DeployKey } from '../../../data/api.js';
import { ConfirmChange } from '../../../app/dialogs/ConfirmChange.js';
import { RowName } from '../../../app/lists/row-cells.js';
import { SettingsSection, usePage } from '../../../app/settings/SettingsSection.js';
import { Time } from '../../../ui/Time.js';
import { EditDeployKey } from './EditDeployKey.js';
import { NewDeployKey } from './NewDeployKey.js';
import { deployKeysQuery, useRemoveDeployKey } from './queries.js';

/** The deploy keys of a project: added, edited and removed. */
export function DeployKeys({ projectId, open }: { projectId: string; open: boolean }) {
  return (
    <SettingsSection
      list="deploy_keys"
      title="Deploy keys"
      add="New deploy key"
      lead={
        <p>
          Deploy keys are public SSH keys of servers and programs. This instance does not serve Git over SSH yet: deploy
          keys can be selected in protection rules, but cannot connect.
        </p>
      }
      form={open ? (done) => <NewDeployKey projectId={projectId} {...done} /> : null}
      query={useQuery(deployKeysQuery(projectId, usePage('deploy_keys')))}
      keyOf={({ id }) => id}
      nameOf={({ title }) => title}
      columns={[
        { title: 'Key', cell: ({ title, fingerprint_sha256: print }) => <RowName name={title} code={print} /> },
        { title: 'Permissions', cell: ({ can_push: canPush }) => (canPush ? 'Read-write' : 'Read-only') },
        { title: 'Created', cell: ({ created_at: at }) => <Time at={at} /> },
        { title: 'Expires', cell: ({ expires_at: at }) => (at ? <Time at={at} /> : 'Never') },
      ]}
      actions={[
        {
          label: 'Edit',
          isOffered: () => open,
          dialog: (key, then) => <EditDeployKey projectId={projectId} deployKey={key} {...then} />,
        },
        { label: 'Remove', dialog: (key, then) => <RemoveDeployKey projectId={projectId} deployKey={key} {...then} /> },
      ]}
      empty="No deploy keys yet. Use a separate key for each server, so that you can remove each on its own."
    />
  );
}

interface RemoveDeployKeyProps {
  projectId: string;
  deployKey: DeployKey;
  onClose: () => void;
  onDone: (message: string) => void;
}

function RemoveDeployKey({ projectId, deployKey: { id, title }, onClose, onDone }: RemoveDeployKeyProps) {
  return (
    <ConfirmChange
      title={`Remove “${title}”?`}
      does="Remove"
      change={useRemoveDeployKey(projectId)}
      variables={id}
      onDone={() => onDone(`Deploy key “${title}” removed.`)}
      onClose={onClose}
    >
      <p>
        The key is also removed from the protected branches and tags of this project. Other projects keep the key; if no
        other project uses it, it is deleted.
      </p>
    </ConfirmChange>
  );
}
