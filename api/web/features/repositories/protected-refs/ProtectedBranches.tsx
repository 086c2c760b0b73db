import { HelpLink } from '../../../app/shell/HelpLink.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProtectedBranch } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import rows from '../../../ui/Rows.module.css';
import { Whole } from '../../../ui/Whole.js';
import { SettingsSection, useCloseForm, usePage } from '../../../app/settings/SettingsSection.js';
import { EditBranchRule } from './EditBranchRule.js';
import { admitted } from './entries.js';
import { NewBranchRule } from './NewBranchRule.js';
import { protectedBranchesQuery, useUnprotectBranch } from './queries.js';
import { UnprotectDialog } from './UnprotectDialog.js';

type OpenDialog = { rule: ProtectedBranch; what: 'edit' | 'unprotect' } | null;

/** The protected branches of a project: protected, edited and unprotected. */
export function ProtectedBranches({ projectId, open }: { projectId: string; open: boolean }) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [said, setSaid] = useState('');
  const closeForm = useCloseForm();
  const unprotection = useUnprotectBranch(projectId);
  const query = useQuery(protectedBranchesQuery(projectId, usePage('protected_branches')));
  const close = () => {
    unprotection.reset();
    setDialog(null);
  };
  const done = (message: string) => {
    setSaid(message);
    close();
  };
  return (
    <>
      <SettingsSection
        list="protected_branches"
        title="Protected branches"
        noun="protected branch"
        lead={
          <p>
            Who may push and merge. Without a rule, Developers and above may. Members, groups and deploy keys in a rule
            need the plan Premium: below it they are ignored where they are sent, and those of members and groups that
            are there rest until the plan is back.{' '}
            <HelpLink page="repositories" section="protected-branches-and-tags" />
          </p>
        }
        said={said}
        form={
          open ? (
            <NewBranchRule
              projectId={projectId}
              onCancel={closeForm}
              onCreate={(name) => {
                setSaid(`“${name}” is protected.`);
                closeForm();
              }}
            />
          ) : null
        }
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Branch', cell: ({ name }) => <RuleName>{name}</RuleName> },
          { title: 'Push', cell: ({ push_access_levels: levels }) => admitted(levels) },
          { title: 'Merge', cell: ({ merge_access_levels: levels }) => admitted(levels) },
          { title: 'Force push', cell: ({ allow_force_push: allowed }) => (allowed ? 'allowed' : 'refused') },
          {
            title: 'Actions',
            actions: true,
            end: true,
            cell: (rule) => open && <Actions name={rule.name} onAsk={(what) => setDialog({ rule, what })} />,
          },
        ]}
        empty="No branch is protected: Developers push to all of them."
      />
      {dialog?.what === 'edit' && (
        <EditBranchRule
          projectId={projectId}
          rule={dialog.rule}
          onClose={close}
          onDone={() => done(`The rule “${dialog.rule.name}” is saved.`)}
        />
      )}
      {dialog?.what === 'unprotect' && (
        <UnprotectDialog
          name={dialog.rule.name}
          noun="branch"
          unprotection={unprotection}
          onClose={close}
          onDone={() => done(`“${dialog.rule.name}” is protected no more.`)}
        />
      )}
    </>
  );
}

/** The name of a branch or tag, or a pattern of such. */
export function RuleName({ children }: { children: string }) {
  return (
    <code className={rows.name}>
      <Whole>{children}</Whole>
    </code>
  );
}

function Actions({ name, onAsk }: { name: string; onAsk: (what: 'edit' | 'unprotect') => void }) {
  return (
    <div className={rows.actions}>
      <Button kind="quiet" aria-label={`Edit ${name}`} onClick={() => onAsk('edit')}>
        Edit
      </Button>
      <Button kind="quiet" aria-label={`Unprotect ${name}`} onClick={() => onAsk('unprotect')}>
        Unprotect
      </Button>
    </div>
  );
}
