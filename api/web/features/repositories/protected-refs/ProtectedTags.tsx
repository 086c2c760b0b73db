import { useQuery } from '@tanstack/react-query';
import { usePage } from '../../../app/settings/SettingsSection.js';
import { admitted } from './entries.js';
import { protectedTagsQuery, protectTag, unprotectTag } from './queries.js';
import { RefRules } from './RefRules.js';

/** The protected tags of a project: protected and unprotected. */
export function ProtectedTags({ projectId, open }: { projectId: string; open: boolean }) {
  return (
    <RefRules
      projectId={projectId}
      open={open}
      list="protected_tags"
      noun="tag"
      title="Protected tags"
      lead={
        <p>
          Define who can create tags. By default, Developers and above can. Users and groups in rules require the
          Premium plan; without it they are ignored. Roles and deploy keys apply on all plans.
        </p>
      }
      empty="No protected tags. Developers can create all tags."
      query={useQuery(protectedTagsQuery(projectId, usePage('protected_tags')))}
      columns={[{ title: 'Allowed to create', cell: ({ create_access_levels: levels }) => admitted(levels) }]}
      pattern="v*"
      rights={[{ name: 'create', legend: 'Allowed to create', keys: true }]}
      protect={protectTag(projectId)}
      unprotect={unprotectTag(projectId)}
      unprotected="Unless another rule applies, Developers can create this tag."
    />
  );
}
