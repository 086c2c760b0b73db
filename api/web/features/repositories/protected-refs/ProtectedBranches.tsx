import { HelpLink } from '../../../app/shell/HelpLink.js';
import { useQuery } from '@tanstack/react-query';
import { usePage } from '../../../app/settings/SettingsSection.js';
import { Check } from '../../../ui/Check.js';
import { EditBranchRule } from './EditBranchRule.js';
import { admitted } from './entries.js';
import { protectedBranchesQuery, protectBranch, unprotectBranch } from './queries.js';
import { RefRules } from './RefRules.js';

/** The protected branches of a project: protected, edited and unprotected. */
export function ProtectedBranches({ projectId, open }: { projectId: string; open: boolean }) {
  return (
    <RefRules
      projectId={projectId}
      open={open}
      list="protected_branches"
      noun="branch"
      title="Protected branches"
      lead={
        <p>
          Define who can push to and merge into branches. By default, Developers and above can. Users, groups and deploy
          keys in rules require the Premium plan; without it they are ignored.{' '}
          <HelpLink page="repositories" section="protected-branches-and-tags" />
        </p>
      }
      empty="No protected branches. Developers can push to all branches."
      query={useQuery(protectedBranchesQuery(projectId, usePage('protected_branches')))}
      columns={[
        { title: 'Allowed to push', cell: ({ push_access_levels: levels }) => admitted(levels) },
        { title: 'Allowed to merge', cell: ({ merge_access_levels: levels }) => admitted(levels) },
        { title: 'Allowed to force push', cell: ({ allow_force_push: allowed }) => (allowed ? 'Yes' : 'No') },
      ]}
      actions={[
        { label: 'Edit', dialog: (rule, then) => <EditBranchRule projectId={projectId} rule={rule} {...then} /> },
      ]}
      pattern="release/*"
      rights={[
        { name: 'push', legend: 'Allowed to push', keys: true },
        { name: 'merge', legend: 'Allowed to merge', keys: false },
      ]}
      fields={
        <Check
          label="Allow force push"
          name="allow_force_push"
          hint="Users with push access can overwrite the history."
        />
      }
      protect={protectBranch(projectId)}
      unprotect={unprotectBranch(projectId)}
      unprotected="Unless another rule applies, Developers can push to and merge into this branch."
    />
  );
}
