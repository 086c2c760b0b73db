import { generalSettingsPath } from '../../../app/routing/paths.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../../../data/session.js';
import { AllSettings } from './AllSettings.js';
import { Lifecycle } from './Lifecycle.js';
import { ownsProjectQuery, recordQuery, saveSettings } from './queries.js';
import type { Container } from '../../../data/containers.js';

/** A field that is present only for users who may edit the project or group. */
const EDITOR_FIELD = 'runners_token';

/**
 * The settings of a project, for Maintainers, or of a group, for Owners; empty for other users.
 * @param children content between the settings and the actions on the whole container
 */
export function ContainerSettings({ container, children }: { container: Container; children: ReactNode }) {
  const person = useSession().data?.user ?? null;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: record } = useQuery(recordQuery(container));
  const id = Number(record?.id ?? 0);
  const administers = person?.is_admin ?? false;
  const isProject = container.kind === 'project';
  const owned = useQuery({
    ...ownsProjectQuery(id, person?.id ?? 0),
    enabled: isProject && record !== undefined && person !== null && !administers,
  });
  const owns = administers || (isProject ? owned.data === true : true);
  if (!record) return children;
  if (!(EDITOR_FIELD in record))
    return (
      <>
        <p>
          {isProject
            ? 'Only Maintainers and Owners can view the settings of a project.'
            : 'Only Owners can view the settings of a group.'}
        </p>
        {children}
      </>
    );
  return (
    <>
      <AllSettings
        of={container.kind}
        record={record}
        rights={{ owns, administers }}
        save={saveSettings(container.kind, id)}
        onSaved={(now) => {
          const path = String(isProject ? now.path_with_namespace : now.full_path);
          if (path !== container.path) return void navigate(generalSettingsPath({ kind: container.kind, path }));
          void queries.invalidateQueries({ queryKey: [container.kind, container.path] });
        }}
      />
      {children}
      {owns && <Lifecycle container={container} id={id} record={record} administers={administers} />}
    </>
  );
}
