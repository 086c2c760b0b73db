import type { Container } from '../../../data/containers.js';
import { repositorySettingsPath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Project } from '../../../data/api.js';
import { ApiProblem } from '../../../data/problem.js';
import { DeployKeys } from '../deploy-keys/index.js';
import { DeployTokens, deployTokensQuery } from '../../auth/deploy-tokens/index.js';
import type { TokenContainer } from '../../auth/deploy-tokens/index.js';
import { Page } from '../../../ui/Page.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { ProjectMirror } from '../project-mirrors/index.js';
import { ProtectedBranches, ProtectedTags } from '../protected-refs/index.js';
import { SignedIn } from '../../../app/session/SignedIn.js';
import type { Person } from '../../../data/session.js';
import { groupQuery, projectQuery, roleInGroupQuery } from '../../../data/containers.js';
import { usePage } from '../../../app/settings/SettingsSection.js';
import { SettingsTabs } from '../../../app/settings/SettingsTabs.js';

const TITLE = 'Repository settings';

/** `/<project>/-/settings/repository` and `/groups/<group>/-/settings/repository`: access to repositories. */
export default function RepositorySettings({ of: container }: { of: Container }) {
  return (
    <SignedIn>
      {(person) =>
        container.kind === 'project' ? (
          <OfProject path={container.path} />
        ) : (
          <OfGroup path={container.path} person={person} />
        )
      }
    </SignedIn>
  );
}

function OfProject({ path }: { path: string }) {
  const { data: project, error, refetch } = useQuery(projectQuery(path));
  if (!project) return <Waiting path={path} error={error} retry={() => void refetch()} />;
  return (
    <Allowed container={{ kind: 'project', id: String(project.id) }} path={project.path_with_namespace}>
      <ProjectSettings project={project} />
    </Allowed>
  );
}

function ProjectSettings({ project }: { project: Project }) {
  const { namespace } = project;
  const open = !project.archived;
  const id = String(project.id);
  return (
    <>
      {!open && <p>The project is archived: you can remove entries, but not add or change them.</p>}
      <ProtectedBranches projectId={id} open={open} />
      <ProtectedTags projectId={id} open={open} />
      <DeployTokens container={{ kind: 'project', id }} open={open} ends>
        {namespace.kind === 'group' && (
          <>
            {' '}
            Deploy tokens of its groups apply as well:{' '}
            <Link to={repositorySettingsPath({ kind: 'group', path: namespace.full_path })}>
              tokens of <UnbrokenText>{namespace.full_path}</UnbrokenText>
            </Link>
            .
          </>
        )}
      </DeployTokens>
      <DeployKeys projectId={id} open={open} />
      <ProjectMirror project={project} open={open} />
    </>
  );
}

const OWNER = 50;

function OfGroup({ path, person }: { path: string; person: Person }) {
  const { data: group, error, refetch } = useQuery(groupQuery(path));
  if (!group) return <Waiting path={path} error={error} retry={() => void refetch()} />;
  const container: TokenContainer = { kind: 'group', id: String(group.id) };
  return (
    <Allowed container={container} path={group.full_path}>
      <GroupTokens container={container} person={person} />
    </Allowed>
  );
}

/** Maintainers see the tokens of a group; Owners create and revoke them. */
function GroupTokens({ container, person }: { container: TokenContainer; person: Person }) {
  const { data: role = 0 } = useQuery(roleInGroupQuery(container.id, person.id));
  const owns = person.is_admin || role >= OWNER;
  return (
    <DeployTokens container={container} open={owns} ends={owns}>
      {' '}
      They apply to all projects in the group and its subgroups. Only Owners can create and revoke them.
    </DeployTokens>
  );
}

function Waiting({ path, error, retry }: { path: string; error: Error | null; retry: () => void }) {
  return (
    <Page title={TITLE} lead={<UnbrokenText>{path}</UnbrokenText>}>
      {error ? <Problem error={error} retry={retry} /> : <LoadingRows label="Loading settings" />}
    </Page>
  );
}

/**
 * The whole page requires the Maintainer role; a refusal of the first list is displayed once instead of in each
 * section.
 */
function Allowed({ container, path, children }: { container: TokenContainer; path: string; children: ReactNode }) {
  const { error, isPending } = useQuery(deployTokensQuery(container, usePage('deploy_tokens')));
  const isDenied = error instanceof ApiProblem && error.status === 403;
  return (
    <Page title={TITLE} lead={<UnbrokenText>{path}</UnbrokenText>}>
      <SettingsTabs container={{ kind: container.kind, path }} />
      {isDenied && (
        <Problem
          error={
            new ApiProblem(
              `${error.message}. These settings require at least the Maintainer role.`,
              403,
              error.requestId,
            )
          }
        />
      )}
      {isPending && <LoadingRows label="Loading settings" />}
      {!isDenied && !isPending && children}
    </Page>
  );
}
