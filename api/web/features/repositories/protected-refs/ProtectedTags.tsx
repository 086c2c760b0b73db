import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/Button.js';
import rows from '../../../ui/Rows.module.css';
import { SettingsSection, useCloseForm, usePage } from '../../../app/settings/SettingsSection.js';
import { admitted } from './entries.js';
import { NewTagRule } from './NewTagRule.js';
import { RuleName } from './ProtectedBranches.js';
import { protectedTagsQuery, useUnprotectTag } from './queries.js';
import { UnprotectDialog } from './UnprotectDialog.js';

/** The protected tags of a project: protected and unprotected. */
export function ProtectedTags({ projectId, open }: { projectId: string; open: boolean }) {
  const [target, setTarget] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const closeForm = useCloseForm();
  const unprotection = useUnprotectTag(projectId);
  const query = useQuery(protectedTagsQuery(projectId, usePage('protected_tags')));
  const close = () => {
    unprotection.reset();
    setTarget(null);
  };
  return (
    <>
      <SettingsSection
        list="protected_tags"
        title="Protected tags"
        noun="protected tag"
        lead={
          <p>
            Who may create tags. Without a rule, Developers and above may. Members and groups in a rule need the plan
            Premium: below it they are ignored where they are sent, and those that are there rest until the plan is
            back. Roles and deploy keys count on every plan.
          </p>
        }
        said={said}
        form={
          open ? (
            <NewTagRule
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
        keyOf={({ name }) => name}
        columns={[
          { title: 'Tag', cell: ({ name }) => <RuleName>{name}</RuleName> },
          { title: 'Create', cell: ({ create_access_levels: levels }) => admitted(levels) },
          {
            title: 'Actions',
            actions: true,
            end: true,
            cell: ({ name }) =>
              open && (
                <div className={rows.actions}>
                  <Button kind="quiet" aria-label={`Unprotect ${name}`} onClick={() => setTarget(name)}>
                    Unprotect
                  </Button>
                </div>
              ),
          },
        ]}
        empty="No tag is protected: Developers create all of them."
      />
      {target !== null && (
        <UnprotectDialog
          name={target}
          noun="tag"
          unprotection={unprotection}
          onClose={close}
          onDone={() => {
            setSaid(`“${target}” is protected no more.`);
            close();
          }}
        />
      )}
    </>
  );
}
