import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Problem } from '../../../app/problems/Problem.js';
import { useMenu } from '../../../app/routing/menu.js';
import { runnersPath } from '../../../app/routing/paths.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import { SettingsTabs } from '../../../app/settings/SettingsTabs.js';
import { groupQuery, projectQuery } from '../../../data/containers.js';
import type { Container } from '../../../data/containers.js';
import { useRole } from '../../../data/member-rights.js';
import { ApiProblem } from '../../../data/problem.js';
import type { Person } from '../../../data/session.js';
import { LinkTabs } from '../../../ui/LinkTabs.js';
import { Page } from '../../../ui/Page.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { Runners } from '../runners/index.js';
import { Variables } from '../variables/index.js';

const TITLE = 'CI/CD settings';
const MAINTAINER = 40;
const OWNER = 50;

/**
 * `/<project>/-/settings/ci_cd`, `/groups/<group>/-/settings/ci_cd` and, without a container, `/admin/ci_cd`: runners and
 * variables.
 */
export default function CiSettings({ of: container }: { of: Container | null }) {
  if (container === null) return <InstanceSettings />;
  return (
    <SignedIn>
      {(person) =>
        container.kind === 'project' ? (
          <ProjectSettings path={container.path} person={person} />
        ) : (
          <GroupSettings path={container.path} person={person} />
        )
      }
    </SignedIn>
  );
}

function ProjectSettings({ path, person }: { path: string; person: Person }) {
  const { data: project, error, refetch } = useQuery(projectQuery(path));
  const role = useRole({ kind: 'project', path });
  const container = { kind: 'project', path } as const;
  if (!project) return <LoadingSettings container={container} error={error} retry={() => void refetch()} />;
  const id = String(project.id);
  const open = !project.archived;
  const { namespace } = project;
  return (
    <Settings container={container} denied={role < MAINTAINER ? 'Maintainer' : null}>
      {!open && <p>The project is archived: its runners and variables can't be changed.</p>}
      <Runners
        owner={{ kind: 'project', id }}
        open={open}
        mayChange={({ runner_type: type }) => open && (type === 'project_type' || person.is_admin)}
      >
        This list includes the runners of its groups and of the instance that the project may use.
      </Runners>
      <Variables owner={{ kind: 'project', id }} open={open}>
        They take precedence over variables with the same key in its groups and in the instance.
        {namespace.kind === 'group' && (
          <>
            {' '}
            The project also receives the{' '}
            <Link to={runnersPath({ kind: 'group', path: namespace.full_path })}>
              variables of <UnbrokenText>{namespace.full_path}</UnbrokenText>
            </Link>
            .
          </>
        )}
      </Variables>
    </Settings>
  );
}

function GroupSettings({ path, person }: { path: string; person: Person }) {
  const { data: group, error, refetch } = useQuery(groupQuery(path));
  const container = { kind: 'group', path } as const;
  const role = useRole(container);
  if (!group) return <LoadingSettings container={container} error={error} retry={() => void refetch()} />;
  const id = String(group.id);
  return (
    <Settings container={container} denied={role < OWNER ? 'Owner' : null}>
      <Runners
        owner={{ kind: 'group', id }}
        open
        mayChange={({ runner_type: type }) => type === 'group_type' || person.is_admin}
      >
        They serve all projects of the group and its subgroups.
      </Runners>
      <Variables owner={{ kind: 'group', id }} open>
        They apply to all projects of the group and its subgroups.
      </Variables>
    </Settings>
  );
}

const INSTANCE = { kind: 'instance', id: '' } as const;

function InstanceSettings() {
  return (
    <Page title={TITLE} lead="Runners and variables for the jobs of every project.">
      <LinkTabs label="Administration" tabs={useMenu('admin')} />
      <Runners owner={INSTANCE} open mayChange={() => true}>
        These are all runners of this instance. One that is created here serves all projects.
      </Runners>
      <Variables owner={INSTANCE} open>
        Every project receives them. A variable with the same key in a group or project takes precedence.
      </Variables>
    </Page>
  );
}

function LoadingSettings({
  container,
  error,
  retry,
}: {
  container: Container;
  error: Error | null;
  retry: () => void;
}) {
  return (
    <Page title={TITLE} lead={<UnbrokenText>{container.path}</UnbrokenText>}>
      {error ? <Problem error={error} retry={retry} /> : <LoadingRows label="Loading settings" />}
    </Page>
  );
}

interface SettingsProps {
  container: Container;
  /** The role that the viewer lacks; null for none. */
  denied: string | null;
  children: ReactNode;
}

function Settings({ container, denied, children }: SettingsProps) {
  return (
    <Page title={TITLE} lead={<UnbrokenText>{container.path}</UnbrokenText>}>
      <SettingsTabs container={container} />
      {denied === null ? (
        children
      ) : (
        <Problem error={new ApiProblem(`These settings require at least the ${denied} role.`, 403, null)} />
      )}
    </Page>
  );
}
